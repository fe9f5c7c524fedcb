// A process dies at each round trip of a change's confirmation. Afterwards the number belongs to one user, and the directory, exchanges
// and the user's own row agree on who it is.
// @module-tag thorough

import { beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../src/shared/time";
import { moveClock } from "../../support/clock";
import { dyingAt } from "../../support/crashes";
import { expectErrors } from "../../support/log";
import { CRASHES, confirm, givenAuthorized, numberOf, read, reservations, sweepChanges, userOf } from "../../support/number-changes";
import { givenPerson, openSecond } from "../../support/two-homes";

beforeEach(openSecond);

describe.each(CRASHES)("a crash while a user of home %i confirms, %s each round trip", (home, when) => {
	it("is repaired by confirming again", { timeout: 120_000 }, async () => {
		expectErrors("background work failed", "request failed");
		for (let trip = 1; ; trip++) {
			const person = await givenPerson(home);
			const { id, number, code } = await givenAuthorized(person);
			const { vars, died } = dyingAt(trip, when);
			await confirm(person, id, code, vars);
			const again = await confirm(person, id, code);
			// The crash may leave a try spent; four others remain.
			expect([200, 409]).toContain(again.status);
			expect((await read(person, id)).status, `trip ${trip}`).toBe("COMPLETED");
			await moveClock(MINUTE_MS);
			await sweepChanges();
			expect(await numberOf(person)).toBe(number);
			expect(await reservations()).toBe(0);
			expect(await userOf(number)).toBe(person.id);
			expect(await userOf(person.number)).not.toBe(person.id);
			if (!died()) break;
		}
	});

	it("is resolved by the sweep according to the user's own row", { timeout: 120_000 }, async () => {
		expectErrors("background work failed", "request failed");
		let [kept, changed] = [0, 0];
		for (let trip = 1; ; trip++) {
			const person = await givenPerson(home);
			const { id, number, code } = await givenAuthorized(person);
			const { vars, died } = dyingAt(trip, when);
			await confirm(person, id, code, vars);
			await moveClock(HOUR_MS);
			await sweepChanges();
			const completed = (await read(person, id)).status === "COMPLETED";
			completed ? changed++ : kept++;
			expect(await numberOf(person)).toBe(completed ? number : person.number);
			expect(await reservations(), `trip ${trip}`).toBe(0);
			expect(await userOf(completed ? number : person.number)).toBe(person.id);
			expect(await userOf(completed ? person.number : number)).not.toBe(person.id);
			if (!died()) break;
		}
		expect(kept).toBeGreaterThan(0);
		expect(changed).toBeGreaterThan(0);
	});

	it("answers an exchange by the new number with 503 while the change is undecided", { timeout: 120_000 }, async () => {
		expectErrors("background work failed", "request failed");
		let undecided = 0;
		for (let trip = 1; ; trip++) {
			const person = await givenPerson(home);
			const { number, code, id } = await givenAuthorized(person);
			const { vars, died } = dyingAt(trip, when);
			await confirm(person, id, code, vars);
			const reserved = await reservations();
			const completed = (await read(person, id)).status === "COMPLETED";
			if (completed) expect(await userOf(number)).toBe(person.id);
			else if (reserved > 0) {
				undecided++;
				await expect(userOf(number)).rejects.toThrow("503");
			}
			await moveClock(HOUR_MS);
			await sweepChanges();
			if (!died()) break;
		}
		expect(undecided).toBeGreaterThan(0);
	});
});
