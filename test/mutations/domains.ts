// The domains whose guards are taken out, each with the folders of the tests that must notice them.

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { ACCEPTED } from "./accepted.ts";
import type { Domain } from "./findings.ts";
import { type Place, schemaGuards, sourcePlaces } from "./places.ts";

const ROOT = path.join(import.meta.dirname, "../..");
/** The sources that belong to no domain, and the CHECKs and triggers. */
const FRAME = "frame";
/** Of `src/events`, with the tests of what they lead to. */
const EVENTS = "events";
const SCHEMA = "schema";

const domainOf = (file: string): string => /^src\/domains\/([^/]+)\//.exec(file)?.[1] ?? (file.startsWith("src/events/") ? EVENTS : FRAME);
/** Not the contract tests either: each of them reaches nearly every guard, so that they would run for hours. */
const NOT_OF_FRAME = /^test\/(?:domains|dev|contract|bundle|simulation|fuzz|support|mutations)\b/;

/** Operations of any domain that decide again. */
const DECIDED_AGAIN = "test/contract/overtaken";

/** What events lead to. */
const FURTHER = ["test/domains/webhooks"];

/** Tests of pure rules, in Node, notice no guard. */
const runsInWorkers = (folder: string): boolean =>
	globSync(`${folder}/**/*.test.ts`, { cwd: ROOT }).some((file) => !file.endsWith(".node.test.ts"));

/** The tests of the domains that use it. */
function testsOfUsers(name: string): string[] {
	const users = globSync("src/domains/**/*.ts", { cwd: ROOT }).filter((file) =>
		readFileSync(path.join(ROOT, file), "utf8").includes(`/${name}/`),
	);
	return [...new Set(users.map((file) => `test/domains/${domainOf(file)}`))].filter(runsInWorkers);
}

export function domains(): Domain[] {
	const places = sourcePlaces();
	const frame = globSync("test/*/", { cwd: ROOT }).filter((folder) => !NOT_OF_FRAME.test(folder) && runsInWorkers(folder));
	const names = [...new Set(places.map(({ place }) => domainOf(place)))].sort();
	const folders = (tests: readonly string[]) => tests.map((folder) => `${folder.replace(/\/$/, "")}/`);
	const ofDomain = (name: string) => {
		if (name === FRAME) return { tests: folders(frame), further: folders(FURTHER) };
		if (name === EVENTS) return { tests: folders(["test/events"]), further: folders(FURTHER) };
		const [own, further] = [[`test/domains/${name}`].filter(runsInWorkers), testsOfUsers(name)];
		const others = [...folders(further), DECIDED_AGAIN];
		return own.length > 0 ? { tests: folders(own), further: others } : { tests: others, further: [] };
	};
	return [
		...names.map((name) => ({
			name,
			places: places.filter(({ place }) => domainOf(place) === name),
			schema: [],
			...ofDomain(name),
		})),
		{ name: SCHEMA, places: [], schema: schemaGuards(), tests: ["test/db/"], further: [] },
	];
}

export const isAccepted = ({ place, within }: Place): boolean =>
	Object.keys(ACCEPTED).some((key) => key.startsWith(`${place.replace(/:\d+$/, "")} ${within}:`));

/** The guards of a domain by which a seed may choose: their places, and the names of those of the schema. */
export const guardsOf = ({ places, schema }: Domain): string[] => [
	...places.filter((place) => place.kind !== "write" && !isAccepted(place)).map(({ place }) => place),
	...schema.map(({ name }) => name).filter((name) => !(name in ACCEPTED)),
];

/** The domain of this name, or of a domain what lies in one folder. */
export function partOf(all: readonly Domain[], name: string): Domain {
	const domain = all.find((one) => one.name === name.split("/")[0]);
	if (!domain) throw new Error(`there is no ${name}: choose of ${all.map((one) => one.name).join(", ")}`);
	if (domain.name === name) return domain;
	return { ...domain, name, places: domain.places.filter(({ place }) => place.startsWith(`src/domains/${name}/`)) };
}

/** The folders of a domain's guards whose tests lie in a folder of the same name: those try them first, because most are noticed there. */
export function nearest({ places }: Domain): [tests: string, places: Place[]][] {
	const folders = Map.groupBy(places, ({ place }) => path.dirname(place).replace(/^src/, "test"));
	return [...folders]
		.filter(([tests]) => /^test\/domains\/[^/]+\/./.test(tests) && runsInWorkers(tests))
		.map(([tests, own]) => [`${tests}/`, own]);
}
