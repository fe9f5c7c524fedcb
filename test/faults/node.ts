// The platform of plans in Node: a world is laid down once, and each plan runs in a savepoint and is rolled back.

import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { waitBy } from "../../src/db/transient";
import { objects, sqlites, whenTimePasses } from "../support/node/setup";
import { runOn } from "./platform";

let now = 0;
// No timer fires: on a machine that is busy, work would be given up as if it hung.
vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
waitBy(async () => {});
whenTimePasses((ms) => setTime(now + ms));

function setTime(at: number): void {
	now = at;
	vi.setSystemTime(at);
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

let depth = 0;

runOn({
	env,
	setTime,
	async quiet() {
		for (let turns = 0; turns < 6; turns++) await turn();
	},
	evict: (binding, name) => objects[binding as keyof typeof objects].evict(name),
	stored: async () => Object.values(objects).flatMap((each) => each.dump()),
	async ring(at) {
		for (const each of Object.values(objects)) await each.ring(at);
	},
	async takenBack(work) {
		const name = `taken_back_${++depth}`;
		for (const sqlite of sqlites.values()) sqlite.exec(`savepoint ${name}`);
		try {
			return await work();
		} finally {
			depth--;
			for (const sqlite of sqlites.values()) {
				sqlite.exec(`rollback to ${name}`);
				sqlite.exec(`release ${name}`);
			}
			for (const each of Object.values(objects)) each.clear();
		}
	},
});

/** Every made fault is a line of the service's log. */
console.log = console.error = () => {};

/** Chance is the same in every plan, so that a home is not dealt to one database in one run and to another in the next. */
Math.random = () => 0.37;
