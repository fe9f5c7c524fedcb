// A process dies at each round trip of a recovery's approval, of its notices and of its completion. Afterwards it is begun once and
// completed once, and each notice is sent once.
// @module-tag thorough

import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/shared/time";
import { expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { dyingAt } from "../../support/crashes";
import { expectErrors } from "../../support/log";
import {
	approve,
	askRecovery,
	CRASHES,
	cancel,
	freshNumber,
	givenRecovery,
	messagesTo,
	numberOf,
	recovery,
	reservations,
	sweepChanges,
	userOf,
} from "../../support/number-changes";
import { accountOf, givenPerson, openSecond } from "../../support/two-homes";

/** A sweep of a process that dies; the next one is another process. */
const dyingSweep = async (vars: Partial<Env>) => {
	await sweepChanges(vars).catch(() => undefined);
};

beforeEach(openSecond);

describe.each(CRASHES)("a crash while the number of a user of home %i is recovered, %s each round trip", (home, when) => {
	it("leaves an approval that is executed whole or not at all", { timeout: 120_000 }, async () => {
		expectErrors("request failed");
		for (let trip = 1; ; trip++) {
			const person = await givenPerson(home);
			const number = freshNumber();
			const { id } = expectOk(await askRecovery(person, number));
			const { vars, died } = dyingAt(trip, when);
			await approve(id, vars);
			const frozen = (await accountOf(person)).status === "FROZEN";
			expect([frozen ? 409 : 200]).toContain((await approve(id)).status);
			expect((await recovery(person, id)).status, `trip ${trip}`).toBe("AUTHORIZED");
			expect((await accountOf(person)).status).toBe("FROZEN");
			expect(await messagesTo(person.number)).toHaveLength(1);
			await expect(userOf(number)).rejects.toThrow("503");
			if (!died()) break;
		}
	});

	it("sends the notice of a day once", { timeout: 120_000 }, async () => {
		for (let trip = 1; ; trip++) {
			const person = await givenPerson(home);
			const { id } = await givenRecovery(person);
			await moveClock(DAY_MS);
			const { vars, died } = dyingAt(trip, when);
			await dyingSweep(vars);
			await sweepChanges();
			expect(await messagesTo(person.number), `trip ${trip}`).toHaveLength(2);
			expectOk(await cancel(person, id));
			if (!died()) break;
		}
	});

	it("is repaired by the next sweeps", { timeout: 120_000 }, async () => {
		for (let trip = 1; ; trip++) {
			const person = await givenPerson(home);
			const { id, number } = await givenRecovery(person);
			await moveClock(3 * DAY_MS);
			const { vars, died } = dyingAt(trip, when);
			await dyingSweep(vars);
			const [status, holder] = [(await recovery(person, id)).status, await numberOf(person)];
			expect(holder).toBe(status === "COMPLETED" ? number : person.number);
			expect((await accountOf(person)).status).toBe(status === "COMPLETED" ? "ACTIVE" : "FROZEN");
			await moveClock(2 * MINUTE_MS);
			await sweepChanges();
			expect((await recovery(person, id)).status, `trip ${trip}`).toBe("COMPLETED");
			expect(await numberOf(person)).toBe(number);
			expect(await userOf(number)).toBe(person.id);
			expect(await userOf(person.number)).not.toBe(person.id);
			await moveClock(HOUR_MS);
			await sweepChanges();
			expect(await reservations()).toBe(0);
			if (!died()) break;
		}
	});

	it("while an operator cancels frees the new number in the end", { timeout: 120_000 }, async () => {
		expectErrors("background work failed", "request failed");
		for (let trip = 1; ; trip++) {
			const person = await givenPerson(home);
			const { id, number } = await givenRecovery(person);
			const { vars, died } = dyingAt(trip, when);
			await cancel(person, id, vars);
			await cancel(person, id);
			expect((await recovery(person, id)).status).toBe("CANCELLED");
			expect(await userOf(number), `trip ${trip}`).not.toBe(person.id);
			if (!died()) break;
		}
	});
});
