// The statement of a current account. The statement of a credit account is tested with the credit accounts.

import { beforeEach, describe, expect, it } from "vitest";
import { getStatement } from "../../../src/domains/accounts/statement.operations";
import { localDayOf } from "../../../src/domains/current-accounts/ledger/interest.policy";
import { credit, debit, hold, release, settle } from "../../../src/domains/current-accounts/ledger/plan";
import { listCurrentAccountTransactions } from "../../../src/domains/transfers/transaction.operations";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { trips } from "../../support/credit";
import { bookOf, givenCurrentAccount, postAt, termsWith } from "../../support/current-accounts";
import { givenUser, newId } from "../../support/factories";

const RATES = termsWith({ "2020-01-01": 3_650 });

type Query = { from?: string; to?: string; size?: string; after?: string; before?: string };
type Account = Awaited<ReturnType<typeof givenAccount>>;

async function givenAccount(daysAgo: number) {
	const user = await givenUser();
	const openedAt = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
	const { id } = await givenCurrentAccount({ user, openedAt, vars: RATES });
	return { as: user.token, id, at: (day: number) => Date.now() - day * DAY_MS };
}

const read = ({ as, id }: Account, query: Query = {}) => call(getStatement, { as, path: { accountId: id }, query, vars: RATES });
const dayOf = async (id: string, at: number) => localDayOf((await bookOf(id)).account, at);

/** Forty days of movements, held money that is settled and released, and weekly interest. */
async function givenHistory(): Promise<Account> {
	const account = await givenAccount(40);
	const order = (sourceId: string, amount: number) => ({ sourceId, amount, contra: "TRANSFER" as const, dailyLimit: 1_000_000 });
	for (let day = 40; day > 0; day -= 4) {
		const [settled, released] = [newId(account.id), newId(account.id)];
		await postAt(account.id, account.at(day), RATES, credit("MOVEMENT", `in ${day}`, 10_000 + day));
		await postAt(account.id, account.at(day), RATES, hold(order(settled, 1_000)), hold(order(released, 500)));
		await postAt(account.id, account.at(day - 1), RATES, settle(settled), release(released), debit("MOVEMENT", `out ${day}`, 70));
	}
	// On a payday it also posts the week's interest.
	await postAt(account.id, account.at(0), RATES, credit("MOVEMENT", "today", 1));
	return account;
}

describe("the statement of a current account", () => {
	let account: Account;
	beforeEach(async () => {
		account = await givenHistory();
	});

	it("has every change of the balance in order, each with the balance after it, in one round trip", async () => {
		const { account: row, entries } = await bookOf(account.id);
		const from = await dayOf(account.id, account.at(21));
		const to = await dayOf(account.id, account.at(9));
		const answer = await read(account, { from, to, size: "100" });
		expect(trips(answer)).toBe(1);
		const statement = expectOk(answer);
		const moved = entries.filter(({ amount }) => amount !== 0);
		const shown = moved.filter(({ day }) => day >= from && day <= to);
		expect(statement).toMatchObject({ from, to, currency: "KES", links: { next: null, prev: null } });
		expect(statement.entries).toEqual(
			shown.map((entry) => ({
				date: entry.day,
				component: "BALANCE",
				amount: entry.amount,
				rule: entry.type === "SETTLE" ? "TRANSFER_OUT" : entry.type,
				transaction_id: entry.id,
				installment_id: null,
				running_balance: entry.balanceAfter,
			})),
		);
		expect(new Set(statement.entries.map(({ rule }) => rule))).toEqual(new Set(["MOVEMENT", "TRANSFER_OUT", "INTEREST"]));
		const sumBefore = (day: string) => moved.reduce((sum, entry) => (entry.day < day ? sum + entry.amount : sum), 0);
		expect(statement.opening_balance).toBe(sumBefore(from));
		expect(statement.entries.reduce((sum, { amount }) => sum + amount, statement.opening_balance)).toBe(statement.closing_balance);

		const last = expectOk(await read(account, { size: "100" }));
		expect([last.to, last.closing_balance]).toEqual([localDayOf(row, Date.now()), row.balance]);
		const listed = expectOk(await call(listCurrentAccountTransactions, { as: account.as, query: { size: "100" }, vars: RATES })).data;
		expect(last.entries.map(({ transaction_id }) => transaction_id).reverse()).toEqual(
			listed.slice(0, last.entries.length).map(({ id }) => id),
		);
	});

	it("comes page by page in both directions, and a posting in between moves no entry", async () => {
		const whole = expectOk(await read(account, { size: "100" }));
		const pages = [expectOk(await read(account, { size: "7" }))];
		await postAt(account.id, Date.now(), RATES, credit("MOVEMENT", "meanwhile", 5));
		for (let next = pages.at(-1)?.links.next; next; next = pages.at(-1)?.links.next) {
			pages.push(expectOk(await read(account, { size: "7", after: next })));
		}
		const seen = pages.flatMap(({ entries }) => entries);
		expect(seen.slice(0, whole.entries.length)).toEqual(whole.entries);
		expect(seen.slice(whole.entries.length).map(({ amount }) => amount)).toEqual([5]);
		const back = expectOk(await read(account, { size: "7", before: pages.at(-1)?.links.prev ?? "" }));
		expect(back.entries).toEqual(pages.at(-2)?.entries);
		expect(pages.map(({ opening_balance }) => opening_balance)).toEqual(pages.map(() => whole.opening_balance));
	});

	it("of days before the first entry, and of an account without any, is empty", async () => {
		const early = { from: "2020-01-01", to: "2020-01-31" };
		expect(expectOk(await read(account, early))).toMatchObject({ opening_balance: 0, entries: [], closing_balance: 0 });
		expect(expectOk(await read(await givenAccount(1)))).toMatchObject({ opening_balance: 0, entries: [], closing_balance: 0 });
		const later = { from: await dayOf(account.id, Date.now()) };
		const { opening_balance, entries, closing_balance } = expectOk(await read(account, later));
		expect(entries.reduce((sum, { amount }) => sum + amount, opening_balance)).toBe(closing_balance);
	});

	it("is refused for future days, for days in the wrong order, with the cursor of another statement, and to other users", async () => {
		const tomorrow = await dayOf(account.id, Date.now() + DAY_MS);
		expect(await read(account, { to: tomorrow })).toMatchObject({ status: 400 });
		expect(await read(account, { from: "2026-01-02", to: "2026-01-01" })).toMatchObject({ status: 400 });
		const { links } = expectOk(await read(account, { size: "1" }));
		expect(await read(await givenAccount(1), { size: "1", after: links.next ?? "" })).toMatchObject({ status: 400 });
		expect(await read(account, { size: "1", after: links.next ?? "", to: "2026-01-01" })).toMatchObject({ status: 400 });
		expect(await read({ ...account, as: (await givenUser()).token })).toMatchObject({ status: 404 });
	});

	it("uses the time zone in which the account was opened", async () => {
		const vars = { CURRENT_ACCOUNTS: JSON.stringify({ time_zone: "Pacific/Kiritimati" }) };
		const user = await givenUser();
		const { id } = await givenCurrentAccount({ user, vars, balance: 100 });
		const { account: row, entries } = await bookOf(id);
		const statement = expectOk(await call(getStatement, { as: user.token, path: { accountId: id }, query: {} }));
		expect(statement).toMatchObject({ to: localDayOf(row, Date.now()), closing_balance: 100 });
		expect(statement.entries.map(({ date }) => date)).toEqual(entries.map(({ day }) => day));
	});
});
