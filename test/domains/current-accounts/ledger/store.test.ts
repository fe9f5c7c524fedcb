// The book of a current account: what each entry requires and moves, and that nothing else moves a balance.

import { describe, expect, it } from "vitest";
import { StaleWrite, UniqueViolation } from "../../../../src/db/database";
import { credit, debit, hold, post, release, settle, transferOut } from "../../../../src/domains/current-accounts/ledger/plan";
import { MAX_BALANCE } from "../../../../src/runtime/current-account-terms";
import { bookOf, givenCurrentAccount, postAt, servicesAt } from "../../../support/current-accounts";
import { databaseOf } from "../../../support/databases";
import { newId } from "../../../support/factories";

const LIMIT = 1_000_000;
const order = (sourceId: string, amount: number, dailyLimit = LIMIT) => ({ sourceId, amount, dailyLimit, contra: "TRANSFER" as const });
const postNow = async (id: string, ...changes: Parameters<typeof post>[2][]) => postAt(id, Date.now(), {}, ...changes);

async function expectBook(id: string, balance: number, held: number) {
	const book = await bookOf(id);
	expect({ balance: book.account.balance, held: book.account.held }).toEqual({ balance, held });
	expect({ balance: book.balance, held: book.held }).toEqual({ balance, held });
	expect(book.entries.map(({ position }) => position)).toEqual(book.entries.map((_, index) => index + 1));
	expect(book.account.position).toBe(book.entries.length);
	return book;
}

describe("entries", () => {
	it("move the balance and what is held", async () => {
		const { id } = await givenCurrentAccount({ balance: 1_000 });
		await postNow(id, transferOut(order("out", 100)));
		await postNow(id, debit("LOAN_REPAYMENT", "loan", 50));
		await postNow(id, credit("TRANSFER_IN", "in", 10));
		await postNow(id, hold(order("held", 300)));
		const { account, entries } = await expectBook(id, 860, 300);
		expect(account.outTotal).toBe(400);
		expect(entries.map(({ type, amount, hold, contra }) => [type, amount, hold, contra])).toEqual([
			["MOVEMENT", 1_000, 0, "CUSTODY"],
			["TRANSFER_OUT", -100, 0, "TRANSFER"],
			["LOAN_REPAYMENT", -50, 0, "LOAN"],
			["TRANSFER_IN", 10, 0, "TRANSFER"],
			["HOLD", 0, 300, "TRANSFER"],
		]);
	});

	it("settle a hold once, and a hold that is settled cannot be released", async () => {
		const { id } = await givenCurrentAccount({ balance: 500 });
		await postNow(id, hold(order("t", 200)));
		await postNow(id, settle("t"));
		await expectBook(id, 300, 0);
		await expect(postNow(id, settle("t"))).rejects.toThrow();
		await expect(postNow(id, release("t"))).rejects.toThrow();
		await expectBook(id, 300, 0);
	});

	it("end each hold once, even while more is held for other transfers", async () => {
		const { id } = await givenCurrentAccount({ balance: 500 });
		await postNow(id, hold(order("t", 200)));
		await postNow(id, hold(order("u", 200)));
		await postNow(id, release("t"));
		await expect(postNow(id, release("t"))).rejects.toBeInstanceOf(UniqueViolation);
		await expect(postNow(id, settle("t"))).rejects.toBeInstanceOf(UniqueViolation);
		await expectBook(id, 500, 200);
	});

	it("settle and release nothing without a hold", async () => {
		const { id } = await givenCurrentAccount({ balance: 500 });
		await expect(postNow(id, settle("t"))).rejects.toBeInstanceOf(StaleWrite);
		await expect(postNow(id, release("t"))).rejects.toBeInstanceOf(StaleWrite);
		await expectBook(id, 500, 0);
	});

	it("settle and release no entry that moved its money at once, and no hold of another account", async () => {
		const { id } = await givenCurrentAccount({ balance: 500 });
		const other = await givenCurrentAccount({ user: { id: newId(id) }, balance: 500 });
		await postNow(id, transferOut(order("t", 200)));
		await postNow(other.id, hold(order("u", 200)));
		for (const change of [settle("t"), release("t"), settle("u"), release("u")])
			await expect(postNow(id, change)).rejects.toBeInstanceOf(StaleWrite);
		await expectBook(id, 300, 0);
	});

	it("post one credit for each source", async () => {
		const { id } = await givenCurrentAccount({ balance: 500 });
		await postNow(id, credit("TRANSFER_IN", "t", 100));
		await expect(postNow(id, credit("TRANSFER_IN", "t", 100))).rejects.toBeInstanceOf(UniqueViolation);
		await expectBook(id, 600, 0);
	});

	it("spend no more than is available, to the unit", async () => {
		const { id } = await givenCurrentAccount({ balance: 500 });
		await postNow(id, hold(order("held", 200)));
		for (const change of [
			transferOut(order("t", 301)),
			hold(order("t", 301)),
			debit("LOAN_REPAYMENT", "t", 301),
			debit("MOVEMENT", "t", 301),
		]) {
			await expect(postNow(id, change)).rejects.toBeInstanceOf(StaleWrite);
		}
		await postNow(id, transferOut(order("t", 300)));
		await expectBook(id, 200, 200);
	});

	it("hold no more than an account may hold", async () => {
		const { id } = await givenCurrentAccount({ balance: MAX_BALANCE });
		await expect(postNow(id, credit("MOVEMENT", "m", 1))).rejects.toBeInstanceOf(StaleWrite);
		await postNow(id, debit("MOVEMENT", "n", 1));
		await postNow(id, credit("MOVEMENT", "m", 1));
		await expectBook(id, MAX_BALANCE, 0);
	});

	it("of many concurrent spends take exactly what is there", async () => {
		const { id } = await givenCurrentAccount({ balance: 1_000 });
		const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => postNow(id, transferOut(order(`t${n}`, 100)))));
		expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
		await expectBook(id, 0, 0);
	});

	it("of many concurrent credits are all posted", async () => {
		const { id } = await givenCurrentAccount();
		await Promise.all(Array.from({ length: 20 }, (_, n) => postNow(id, credit("TRANSFER_IN", `t${n}`, 7))));
		await expectBook(id, 140, 0);
	});
});

describe("the status of an account", () => {
	it.each([
		["PENDING", false, false],
		["ACTIVE", true, true],
		["FROZEN", true, false],
		["CLOSING", true, false],
		["CLOSED", false, false],
	] as const)("%s: takes credits %s, lets the owner spend %s", async (status, receives, spends) => {
		const { id } = await givenCurrentAccount();
		if (receives) await postNow(id, credit("MOVEMENT", "first", 500));
		await databaseOf(id).prepare("update current_accounts set status = ? where id = ?").bind(status, id).run();
		const taken = async (change: Parameters<typeof post>[2]) =>
			(await Promise.allSettled([postNow(id, change)]))[0]?.status === "fulfilled";
		expect(await taken(credit("TRANSFER_IN", "in", 10))).toBe(receives);
		expect(await taken(debit("MOVEMENT", "custodian", 10))).toBe(receives);
		expect(await taken(transferOut(order("out", 10)))).toBe(spends);
		expect(await taken(hold(order("hold", 10)))).toBe(spends);
		expect(await taken(debit("LOAN_REPAYMENT", "loan", 10))).toBe(spends);
	});

	it("settles and releases what was held before the account was frozen", async () => {
		const { id } = await givenCurrentAccount({ balance: 500 });
		await postNow(id, hold(order("a", 100)));
		await postNow(id, hold(order("b", 100)));
		await databaseOf(id).prepare("update current_accounts set status = 'FROZEN' where id = ?").bind(id).run();
		await postNow(id, settle("a"));
		await postNow(id, release("b"));
		await expectBook(id, 400, 0);
	});
});

describe("the daily limit", () => {
	const morning = "2026-03-02T06:00:00Z";
	const evening = "2026-03-02T20:59:59Z";
	const nextDay = "2026-03-02T21:00:00Z";
	const given = () => givenCurrentAccount({ openedAt: morning, balance: 10_000 });

	it("counts what was ordered on one day of the account's calendar", async () => {
		const { id } = await given();
		await postAt(id, morning, {}, transferOut(order("a", 600, 1_000)));
		await expect(postAt(id, evening, {}, hold(order("b", 401, 1_000)))).rejects.toBeInstanceOf(StaleWrite);
		await postAt(id, evening, {}, hold(order("b", 400, 1_000)));
		await expect(postAt(id, evening, {}, transferOut(order("c", 1, 1_000)))).rejects.toBeInstanceOf(StaleWrite);
		await postAt(id, nextDay, {}, transferOut(order("c", 1_000, 1_000)));
	});

	it("is given back what is released on the same day, but not what is released later", async () => {
		const { id } = await given();
		await postAt(id, morning, {}, hold(order("a", 1_000, 1_000)));
		await postAt(id, evening, {}, release("a"));
		await postAt(id, evening, {}, hold(order("b", 1_000, 1_000)));
		await postAt(id, nextDay, {}, transferOut(order("c", 1_000, 1_000)));
		await postAt(id, nextDay, {}, release("b"));
		await expect(postAt(id, nextDay, {}, transferOut(order("d", 1, 1_000)))).rejects.toBeInstanceOf(StaleWrite);
	});

	it("does not count a settlement, a loan's repayment or the custodian's movements", async () => {
		const { id } = await given();
		await postAt(id, morning, {}, hold(order("a", 400, 1_000)));
		await postAt(id, morning, {}, settle("a"));
		await postAt(id, morning, {}, debit("LOAN_REPAYMENT", "b", 900));
		await postAt(id, morning, {}, debit("MOVEMENT", "c", 900));
		await postAt(id, morning, {}, transferOut(order("d", 600, 1_000)));
	});

	it("accepts no entry from a clock that is a day behind", async () => {
		const { id } = await given();
		await postAt(id, nextDay, {}, credit("MOVEMENT", "a", 1));
		await expect(postAt(id, evening, {}, credit("MOVEMENT", "b", 1))).rejects.toBeInstanceOf(StaleWrite);
	});
});

describe("the database itself", () => {
	const run = (id: string, statement: string) => databaseOf(id).prepare(statement).bind(id).run();

	it.each([
		["position = position + 1", "by an entry only"],
		["balance = balance + 1", "by an entry only"],
		["held = held + 1", "by an entry only"],
		["day = '2030-01-01'", "by an entry only"],
		["out_total = 0", "by an entry only"],
		["weighted = weighted + 1", "by an entry only"],
		["status = 'CLOSED'", "current_accounts_closed_empty"],
	])("refuses an update of an account: %s", async (change, reason) => {
		const { id } = await givenCurrentAccount({ balance: 500 });
		await expect(run(id, `update current_accounts set ${change} where id = ?`)).rejects.toThrow(reason);
	});

	it("refuses changes and removal of entries, and removal of accounts", async () => {
		const { id } = await givenCurrentAccount({ balance: 500 });
		await expect(run(id, "update current_account_entries set amount = 1 where account_id = ?")).rejects.toThrow("append only");
		await expect(run(id, "delete from current_account_entries where account_id = ?")).rejects.toThrow("append only");
		await expect(run(id, "delete from current_accounts where id = ?")).rejects.toThrow("accounts are kept");
	});

	const insert = (values: string) =>
		`insert into current_account_entries (account_id, position, id, type, phase, amount, hold, counted, balance_after, held_after, day, rate_index, source_id, contra, created_at)
			select id, ${values}, 0, 'made-up', 'CUSTODY', 0 from current_accounts where id = ?`;

	it.each([
		["skips a position", "3, 'e', 'MOVEMENT', 'END', 1, 0, 0, 501, 0, '2099-01-01'", "follow the last one"],
		["has another balance", "2, 'e', 'MOVEMENT', 'END', 1, 0, 0, 502, 0, '2099-01-01'", "follow the last one"],
		["has another hold", "2, 'e', 'MOVEMENT', 'END', 1, 0, 0, 501, 1, '2099-01-01'", "follow the last one"],
		["lies before the last day", "2, 'e', 'MOVEMENT', 'END', 1, 0, 0, 501, 0, '2000-01-01'", "follow the last one"],
		["overdraws", "2, 'e', 'MOVEMENT', 'END', -501, 0, 0, -1, 0, '2099-01-01'", "current_accounts_funds"],
		["holds more than there is", "2, 'e', 'HOLD', 'HOLD', 0, 501, 0, 500, 501, '2099-01-01'", "current_accounts_funds"],
		["is a hold that moves money", "2, 'e', 'HOLD', 'HOLD', 1, 1, 0, 501, 1, '2099-01-01'", "current_account_entries_shape"],
		["is a settlement of another amount", "2, 'e', 'SETTLE', 'END', -2, 0, 0, 498, 0, '2099-01-01'", "current_account_entries_shape"],
		["is interest taken away", "2, 'e', 'INTEREST', 'END', -1, 0, 0, 499, 0, '2099-01-01'", "current_account_entries_shape"],
		["is a hold that claims to be an end", "2, 'e', 'HOLD', 'END', 0, 1, 0, 500, 1, '2099-01-01'", "current_account_entries_phase"],
	])("refuses an entry that %s", async (_, values, reason) => {
		const { id } = await givenCurrentAccount({ balance: 500 });
		await expect(run(id, insert(values))).rejects.toThrow(reason);
		await expectBook(id, 500, 0);
	});

	it("opens one account for each user until it is closed", async () => {
		const account = await givenCurrentAccount();
		await expect(givenCurrentAccount({ user: { id: account.userId } })).rejects.toThrow();
		await databaseOf(account.id).prepare("update current_accounts set status = 'CLOSED' where id = ?").bind(account.id).run();
		await givenCurrentAccount({ user: { id: account.userId } });
	});
});

describe("two accounts in one commit", () => {
	it("post both entries or none", async () => {
		const payer = await givenCurrentAccount({ balance: 500 });
		const payee = await givenCurrentAccount({ user: { id: newId(payer.id) } });
		const services = await servicesAt(payer.id);
		const transfer = (amount: number) => [
			...post(services, payer, transferOut(order(`t${amount}`, amount))),
			...post(services, payee, credit("TRANSFER_IN", `t${amount}`, amount)),
		];
		await services.commit(transfer(200));
		await expect(services.commit(transfer(301))).rejects.toBeInstanceOf(StaleWrite);
		await expectBook(payer.id, 300, 0);
		await expectBook(payee.id, 200, 0);
	});
});
