// Concurrent transfers never spend the same money twice.

import { beforeEach, describe, expect, it } from "vitest";
import { payeeFor, transfer } from "../../support/transfers";
import { accountOf, givenPerson, HOMES, openSecond } from "../../support/two-homes";

const limited = { CURRENT_ACCOUNTS: JSON.stringify({ limits: { maximum_transfer_amount: 5_000, daily_transfer_limit: 5_000 } }) };

beforeEach(openSecond);

describe.each([
	["one database", HOMES[0]],
	["two databases", HOMES[1]],
] as const)("concurrent transfers, with the payees in %s", (_, home) => {
	it("never exceed the balance together", { tags: ["thorough"] }, async () => {
		const payer = await givenPerson(HOMES[0], 1_000);
		const payees = await Promise.all([0, 1, 2, 3, 4, 5].map(() => givenPerson(home)));
		const accounts = [];
		for (const payee of payees) accounts.push((await payeeFor(payer, payee)).accountId);
		const answers = await Promise.all(accounts.map((accountId) => transfer(payer, accountId, 300)));
		expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
		expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
		expect(await accountOf(payer)).toMatchObject({ balance: 100, held: 0 });
		const received = await Promise.all(payees.map(async (payee) => (await accountOf(payee)).balance));
		expect(received.reduce((sum, each) => sum + each, 0)).toBe(900);
	});

	it("never exceed the day's limit together", async () => {
		const payer = await givenPerson(HOMES[0], 100_000);
		const payee = await givenPerson(home);
		const { accountId } = await payeeFor(payer, payee);
		const answers = await Promise.all([0, 1, 2, 3].map(() => transfer(payer, accountId, 2_000, { vars: limited })));
		expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
		expect(await accountOf(payer)).toMatchObject({ balance: 96_000, outTotal: 4_000 });
		expect((await accountOf(payee)).balance).toBe(4_000);
	});

	it("all arrive, even in a circle", async () => {
		const people = [await givenPerson(HOMES[0], 1_000), await givenPerson(home, 1_000)] as const;
		const [there, back] = [await payeeFor(people[0], people[1]), await payeeFor(people[1], people[0])];
		const answers = await Promise.all([
			transfer(people[0], there.accountId, 700),
			transfer(people[1], back.accountId, 700),
			transfer(people[0], there.accountId, 300),
		]);
		expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
		expect([(await accountOf(people[0])).balance, (await accountOf(people[1])).balance]).toEqual([700, 1_300]);
	});
});
