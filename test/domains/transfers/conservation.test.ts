// Ten people in two databases send money to each other at random while the custodian credits and reverses money, much of it
// concurrently, some with codes and some blocked: no unit appears or disappears, no account is overdrawn, and every transfer ends.
// @module-tag thorough

import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { currentAccountEntries } from "../../../src/domains/current-accounts/table";
import { blockPayee } from "../../../src/domains/payees/operations";
import { workOnTransfers } from "../../../src/domains/transfers/job";
import { transfers } from "../../../src/domains/transfers/table";
import { HOUR_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { move } from "../../support/current-accounts";
import { payeeFor, payeeOf, transfer } from "../../support/transfers";
import { accountOf, givenPerson, HOMES, openSecond, type Person, SECOND, withServices } from "../../support/two-homes";

const PEOPLE = 10;
const BALANCE = 1_000;

beforeEach(openSecond);

describe("ten accounts in two databases", () => {
	it("conserve money", { timeout: 120_000 }, async () => {
		const people: Person[] = [];
		for (let index = 0; index < PEOPLE; index++) people.push(await givenPerson(HOMES[index % 2 === 0 ? 0 : 1], BALANCE));
		const accounts = new Map<string, string>();
		for (const [from, payer] of people.entries()) {
			// Each person has three others and a till as payees.
			for (const step of [1, 2, 5]) {
				const payee = people[(from + step) % PEOPLE] as Person;
				accounts.set(`${from} ${step}`, (await payeeFor(payer, payee)).accountId);
			}
			accounts.set(`${from} 0`, (await payeeOf(payer, { type: "BUY_GOODS", till_number: "123456" })).accountId);
		}
		// The third person blocks the first.
		const blocked = await payeeFor(people[2] as Person, people[0] as Person);
		const as = people[2]?.token ?? "";
		expectOk(await call(blockPayee, { as, path: { payeeId: blocked.payeeId }, body: { reasons: ["OTHER"] }, vars: SECOND }));

		const order = fc.record({
			from: fc.nat(PEOPLE - 1),
			step: fc.constantFrom(0, 1, 1, 2, 5),
			amount: fc.integer({ min: 1, max: 700 }),
		});
		/** Money that the custodian credits, and perhaps reverses, at once or later. */
		const movement = fc.record({
			of: fc.nat(PEOPLE - 1),
			amount: fc.integer({ min: 1, max: 900 }),
			reversed: fc.constantFrom("no", "at once", "later"),
		});
		let [paidOut, moved] = [0, 0];
		const later: (() => Promise<void>)[] = [];
		const report = async (of: number, amount: number, direction: "CREDIT" | "DEBIT") => {
			const answer = await move(people[of]?.account.id ?? "", amount, { direction }, SECOND);
			expect([200, 409]).toContain(answer.status);
			if (answer.ok) moved += direction === "CREDIT" ? amount : -amount;
		};
		const bring = async ({ of, amount, reversed }: { of: number; amount: number; reversed: string }) => {
			await report(of, amount, "CREDIT");
			const reverse = () => report(of, amount, "DEBIT");
			if (reversed === "at once") await reverse();
			if (reversed === "later") later.push(reverse);
		};
		const round = fc.tuple(fc.array(order, { minLength: 12, maxLength: 12 }), fc.array(movement, { minLength: 5, maxLength: 5 }));
		for (const [orders, movements] of fc.sample(round, { numRuns: 6, seed: 7 })) {
			const brought = Promise.all([...movements.map(bring), ...later.splice(0).map((reverse) => reverse())]);
			const answers = await Promise.all(
				orders.map(({ from, step, amount }) =>
					transfer(people[from] as Person, accounts.get(`${from} ${step}`) ?? "", amount, { vars: { TRANSFER_OTP_ABOVE: "600" } }),
				),
			);
			await brought;
			for (const [index, answer] of answers.entries()) {
				expect([201, 409, 429]).toContain(answer.status);
				const { step, amount } = orders[index] as (typeof orders)[number];
				if (answer.ok && step === 0 && answer.body.status === "COMPLETED") paidOut += amount;
			}
		}
		for (let round = 0; round < 4; round++) {
			await moveClock(HOUR_MS);
			await withServices(async (services) => {
				for (const here of services.everywhere()) while (await workOnTransfers(here));
			});
		}

		const rows = await Promise.all(people.map(accountOf));
		expect(rows.every(({ balance, held }) => balance >= 0 && held === 0)).toBe(true);
		expect(paidOut).toBeGreaterThan(0);
		expect(moved).not.toBe(0);
		expect(rows.reduce((sum, { balance }) => sum + balance, 0)).toBe(PEOPLE * BALANCE + moved - paidOut);

		const { orders, entries } = await withServices(async (services) => {
			const found = await Promise.all(
				services
					.everywhere()
					.map(({ db }) => db.read({ orders: db.orm.select().from(transfers), entries: db.orm.select().from(currentAccountEntries) })),
			);
			return { orders: found.flatMap((each) => each.orders), entries: found.flatMap((each) => each.entries) };
		});
		const statuses = new Set(orders.map(({ status }) => status));
		expect([...statuses].sort()).toEqual(["COMPLETED", "FAILED"]);
		for (const { id, status, destination, amount, accountId } of orders) {
			const own = entries.filter(({ sourceId }) => sourceId === id);
			const change = (mine: boolean) =>
				own.filter((entry) => (entry.accountId === accountId) === mine).reduce((sum, entry) => sum + entry.amount, 0);
			expect(change(true)).toBe(status === "COMPLETED" ? -amount : 0);
			expect(change(false)).toBe(status === "COMPLETED" && destination === "INTERNAL" ? amount : 0);
			expect(own.reduce((sum, entry) => sum + entry.hold, 0)).toBe(0);
		}
	});
});
