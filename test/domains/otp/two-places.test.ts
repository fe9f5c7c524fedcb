// The caps on codes hold across databases: the directory counts, for callers with rows in any database.

import { beforeEach, describe, expect, it } from "vitest";
import { startPhoneVerification } from "../../../src/domains/otp/operations";
import { otpSends } from "../../../src/domains/otp/table";
import { MINUTE_MS } from "../../../src/shared/time";
import { call } from "../../support/client";
import { moveClock } from "../../support/clock";
import { dyingAt } from "../../support/crashes";
import { expectErrors } from "../../support/log";
import { start } from "../../support/number-changes";
import { givenPerson, HOMES, openSecond, type Person, SECOND, withServices } from "../../support/two-homes";

beforeEach(openSecond);

const verify = (number: string) =>
	call(startPhoneVerification, { body: { mobile_country_code: "254", mobile_number: number.slice(4) }, vars: SECOND });
const sendsIn = (home: number) =>
	withServices(async (services) => {
		const { db } = services.at(home);
		const rows = await db.read(db.orm.select().from(otpSends));
		return rows.length;
	});
/** Starts a change of the person's number, whose first code goes to the present number. */
const ask = (person: Person, vars = {}) => start(person, "+254733999999", "OLD_MOBILE", vars);

describe("a user of another database than the directory", () => {
	it("gets no more codes by asking in both databases", async () => {
		const person = await givenPerson(HOMES[1]);
		expect((await verify(person.number)).status).toBe(202);
		expect((await ask(person)).status).toBe(201);
		expect((await ask(person)).status).toBe(201);
		const refused = await ask(person);
		expect(refused).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
		expect((await verify(person.number)).status).toBe(429);
		expect([await sendsIn(HOMES[0]), await sendsIn(HOMES[1])]).toEqual([3, 0]);
		await moveClock(15 * MINUTE_MS);
		expect((await ask(person)).status).toBe(201);
	});

	it("gets at most three codes from many concurrent requests", async () => {
		const person = await givenPerson(HOMES[1]);
		const answers = await Promise.all([
			...Array.from({ length: 4 }, () => ask(person)),
			...Array.from({ length: 4 }, () => verify(person.number)),
		]);
		expect(answers.filter(({ ok }) => ok).length).toBeLessThanOrEqual(3);
		expect(await sendsIn(HOMES[0])).toBeLessThanOrEqual(3);
	});

	it("shares the budget of the whole service", async () => {
		const [first, second, third] = [await givenPerson(HOMES[0]), await givenPerson(HOMES[1]), await givenPerson(HOMES[1])];
		const vars = { MESSAGE_BUDGET_PER_MINUTE: "2" };
		expect((await ask(first, vars)).status).toBe(201);
		expect((await ask(second, vars)).status).toBe(201);
		expect((await ask(third, vars)).status).toBe(429);
	});

	it("gets no uncounted code, wherever the process dies", { tags: ["thorough"] }, async () => {
		expectErrors("request failed");
		for (const when of ["before", "after"] as const) {
			for (let trip = 1; ; trip++) {
				const person = await givenPerson(HOMES[1]);
				const counted = await sendsIn(HOMES[0]);
				const { vars, died } = dyingAt(trip, when);
				await ask(person, vars);
				const queued = await withServices(async (services) => {
					const { DB, SHARD_0 } = services.env as unknown as Record<string, D1Database>;
					const rows = await Promise.all(
						[DB, SHARD_0].map((database) => database?.prepare("select id from messages where recipient = ?").bind(person.number).all()),
					);
					return rows.reduce((sum, found) => sum + (found?.results.length ?? 0), 0);
				});
				expect(await sendsIn(HOMES[0]), `${when} trip ${trip}`).toBeGreaterThanOrEqual(counted + queued);
				if (!died()) break;
				await moveClock(61 * MINUTE_MS);
			}
		}
	});
});
