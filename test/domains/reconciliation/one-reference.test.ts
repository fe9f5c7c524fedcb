// Several records of one reference, and several lines of it: each line is matched with the record of its amount and time, and what is left
// is a break. Records and file are written side by side, so that which breaks there are is known without the code that looks for them.

import { describe, expect, it } from "vitest";
import { treasuryRecords } from "../../../src/domains/ledger/model/treasury.table";
import { resolveStatementBreak } from "../../../src/domains/reconciliation/breaks.operations";
import { addProviderStatementLines, createProviderStatement } from "../../../src/domains/reconciliation/operations";
import { statementLines } from "../../../src/domains/reconciliation/table";
import { payments } from "../../../src/domains/repayments/table";
import { addDays, type CalendarDate } from "../../../src/shared/time";
import { Random } from "../../simulation/random";
import { call, expectOk } from "../../support/client";
import { db, newId } from "../../support/factories";
import { atMinute, breaksOf, compare, givenLenderWithStatements, type Lender, yesterday } from "./statement";

const NOON = 720;
const first = addDays(yesterday, -3);

type Line = { readonly day: CalendarDate; readonly reference: string; readonly amount: number };

/** The organization borrows money, which comes to its bank. Returns the record's key. */
async function borrow({ organization: { id: organizationId } }: Lender, { day, reference, amount }: Line): Promise<string> {
	const id = newId(organizationId);
	await db.insert(treasuryRecords).values({
		...{ id, organizationId, kind: "BORROWED", amount, currency: "KES", account: "1130", valueDate: day, reference },
		...{ referenceKey: reference, approvalId: newId(organizationId), requestedBy: "one", approvedBy: "two", bookedAt: atMinute(NOON, day) },
	});
	return id;
}

let paid = 0;
/** Somebody pays by bank with this reference. Returns the payment's key. */
async function pay(
	{ organization: { id: organizationId } }: Lender,
	{ day, reference, amount }: Line,
	receipt = `SLIP${paid++}`,
): Promise<string> {
	const [id, at] = [newId(organizationId), atMinute(NOON, day)];
	await db.insert(payments).values({
		...{ id, organizationId, mobileMoneyTransactionId: receipt, fingerprint: receipt, status: "POSTED", amount, currency: "KES" },
		...{
			feeAmount: 0,
			accountId: newId(organizationId),
			accountNumber: "ACC",
			transactedAt: at,
			confirmedAt: at,
			postedAt: at,
			createdAt: at,
		},
		details: { type: "BANK_TRANSFER", bank_code: "01", reference },
	});
	return receipt;
}

/** Imports the bank's statement of four days, or from another day. `column`: whether its text is a receipt or a reference. */
async function imported({ by }: Lender, lines: readonly Line[], column: "receipt" | "reference", from = first): Promise<string> {
	const of = {
		channel: "BANK",
		number: "0011",
		currency: "KES",
		from,
		to: addDays(from, 3),
		name: "bank.csv",
		sha256: from.replaceAll("-", "").repeat(8),
	} as const;
	const mapping = { columns: { time: "Date", amount: "Amount", [column]: "Text" }, date_order: "YMD" as const };
	const { id } = expectOk(await call(createProviderStatement, { ...by, body: { ...of, mapping } }));
	const rows = lines.map(({ day, reference, amount }) => `${day},${reference},${(amount / 100).toFixed(2)}`);
	const csv = ["Date,Text,Amount", ...rows].join("\r\n");
	expectOk(await call(addProviderStatementLines, { ...by, path: { statementId: id }, body: { row: 0, csv } }));
	return id;
}

/** What each line reports, in the order of the file. */
const factsOf = async (statementId: string) =>
	(await db.select().from(statementLines))
		.filter((line) => line.statementId === statementId)
		.sort((one, other) => one.row - other.row)
		.map(({ status, factKey }) => [status, factKey]);

const recorded = ({ by }: Lender, found: { readonly id: string } | undefined) =>
	call(resolveStatementBreak, { ...by, path: { breakId: found?.id ?? "" }, body: { action: "RECORD" } });

const paymentsOf = async () =>
	(await db.select().from(payments)).map(({ mobileMoneyTransactionId, amount }) => [mobileMoneyTransactionId, amount] as const).sort();

describe.each(["receipt", "reference"] as const)("lines of one %s", (column) => {
	it("are each matched with the record of their amount and day", async () => {
		const lender = await givenLenderWithStatements();
		const [before, last] = [addDays(yesterday, -1), yesterday];
		const reference = "KCB4711";
		const at = (day: CalendarDate, amount: number): Line => ({ day, reference, amount });
		const records = [at(before, 30_000), at(last, 10_000), at(first, 10_000), at(before, 20_000)];
		const keys: string[] = [];
		for (const record of records) keys.push(await borrow(lender, record));
		const lines = [at(first, 10_000), at(before, 20_000), at(before, 30_000), at(last, 10_000)];
		const id = await imported(lender, lines, column);
		expect((await compare(lender, id)).breaks).toEqual([]);
		const [thirty, late, early, twenty] = keys;
		expect(await factsOf(id)).toEqual([early, twenty, thirty, late].map((key) => ["MATCHED", key]));
	});

	it.each([1, 2, 3, 4, 5])("have each planted break and none that is invented: seed %i", async (seed) => {
		const lender = await givenLenderWithStatements();
		const random = new Random(seed);
		const lines: Line[] = [];
		const breaks: (readonly [kind: string, reference: string | null, difference: number])[] = [];
		for (let nth = 0; nth < 12; nth++) {
			const reference = `BATCH${nth}X`;
			const drawn = () => ({ day: addDays(first, random.below(4)), reference, amount: random.between(1, 3) * 10_000 });
			const records = Array.from({ length: random.between(2, 4) }, drawn);
			// A bank's receipt is no payment's id.
			const isPaid = column === "reference" && random.chance(0.5);
			for (const record of records) await (isPaid ? pay : borrow)(lender, record);
			const planted = random.pick(["none", "one more", "another amount"]);
			if (planted === "one more") {
				const more = drawn();
				lines.push(more);
				breaks.push([column === "receipt" ? "TWICE" : "MISSING_HERE", reference, more.amount]);
			}
			const [changed, ...same] = records as [Line, ...Line[]];
			lines.push(...same, planted === "another amount" ? { ...changed, amount: changed.amount + 7 } : changed);
			if (planted !== "another amount") continue;
			if (column === "receipt") breaks.push(["AMOUNT_DIFFERS", reference, 7]);
			else breaks.push(["MISSING_HERE", reference, changed.amount + 7]);
			if (isPaid) breaks.push(["MISSING_THERE", null, -changed.amount]);
		}
		const shuffled = lines.map((line) => ({ line, at: random.next() })).sort((one, other) => one.at - other.at);
		const id = await imported(
			lender,
			shuffled.map(({ line }) => line),
			column,
		);
		const found = (await compare(lender, id)).breaks.map(({ kind, receipt, reference, difference }) =>
			JSON.stringify([kind, kind === "MISSING_THERE" ? null : (receipt ?? reference), difference]),
		);
		expect(found.sort()).toEqual(breaks.map((each) => JSON.stringify(each)).sort());
	});
});

it("a line has a record that fits another line too if the other can have another", async () => {
	const lender = await givenLenderWithStatements();
	const reference = "KCB4711";
	// Two days after the first line and a day before the second one; the other only near the second one.
	const [near, far] = [addDays(first, 2), addDays(first, 5)];
	const keys = [
		await borrow(lender, { day: near, reference, amount: 10_000 }),
		await borrow(lender, { day: far, reference, amount: 10_000 }),
	];
	const lines = [first, yesterday].map((day) => ({ day, reference, amount: 10_000 }));
	const id = await imported(lender, lines, "reference");
	expect((await compare(lender, id)).breaks).toEqual([]);
	expect(await factsOf(id)).toEqual(keys.map((key) => ["MATCHED", key]));
});

it("lines of one reference that are missing here are recorded each as a payment, also next to a treasury record that another line reports", async () => {
	const lender = await givenLenderWithStatements();
	const { by } = lender;
	const at = (reference: string, amount: number): Line => ({ day: yesterday, reference, amount });
	await borrow(lender, at("BATCH7", 10_000));
	const id = await imported(lender, [at("BATCH7", 10_000), at("BATCH7", 10_000), at("BATCH7", 30_000), at("OTHER", 5_000)], "reference");
	const { breaks } = await compare(lender, id);
	expect(breaks.map(({ kind, reference, amount }) => [kind, reference, amount])).toEqual([
		["MISSING_HERE", "BATCH7", 10_000],
		["MISSING_HERE", "BATCH7", 30_000],
		["MISSING_HERE", "OTHER", 5_000],
	]);
	const record = (nth: number) => recorded(lender, breaks[nth]);
	expectOk(await record(0));
	expectOk(await record(1));
	expect(await paymentsOf()).toEqual([
		["BATCH7", 10_000],
		[`BATCH7-${breaks[1]?.id.slice(-12).toUpperCase()}`, 30_000],
	]);
	// What is recorded since, and no line reports, is not recorded a second time.
	await borrow(lender, at("OTHER", 5_000));
	expect(await record(2)).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
	expect((await compare(lender, id)).breaks).toEqual([]);
	expect(await breaksOf({ by }, id, "RESOLVED")).toHaveLength(1);
});

it("a reference that recurs in the same row of a later statement is recorded as a payment of its own", async () => {
	const lender = await givenLenderWithStatements();
	const earlier = addDays(first, -31);
	for (const [from, amount] of [
		[earlier, 10_000],
		[first, 30_000],
	] as const) {
		const lines = [amount, amount + 1].map((each) => ({ day: from, reference: "SALARY", amount: each }));
		const { breaks } = await compare(lender, await imported(lender, lines, "reference", from));
		for (const found of breaks) expectOk(await recorded(lender, found));
	}
	expect((await paymentsOf()).map(([, amount]) => amount).sort()).toEqual([10_000, 10_001, 30_000, 30_001]);
});

it("lines of one reference that are recorded at once are two payments", async () => {
	const lender = await givenLenderWithStatements();
	const lines = [10_000, 30_000].map((amount) => ({ day: yesterday, reference: "BATCH8", amount }));
	const { breaks } = await compare(lender, await imported(lender, lines, "reference"));
	const answers = await Promise.all(breaks.map((found) => recorded(lender, found)));
	const ids = answers.map((answer) => expectOk(answer).payment_id);
	const stored = (await db.select().from(payments)).map(({ id, amount }) => [id, amount]);
	expect(stored.sort()).toEqual(ids.map((id, nth) => [id, lines[nth]?.amount]).sort());
});

it("a line is recorded next to records of its reference with another amount or of another month, but not if it may report one of them", async () => {
	const lender = await givenLenderWithStatements();
	const longAgo = addDays(first, -31);
	const of = (reference: string, amount: number, day = yesterday): Line => ({ reference, amount, day });
	await pay(lender, of("RENT", 5_000, longAgo), "RENT");
	await pay(lender, of("FEES", 6_000), "FEES");
	await borrow(lender, of("LOAN", 7_000, longAgo));
	await borrow(lender, of("GIFT", 8_000));
	const lines = [of("RENT", 5_000), of("FEES", 6_001), of("LOAN", 7_000), of("GIFT", 8_001), of("LATE", 9_000)];
	const { breaks } = await compare(lender, await imported(lender, lines, "reference"));
	const open = new Map(breaks.map((found) => [found.reference, found]));
	for (const reference of ["RENT", "FEES", "LOAN", "GIFT"]) expectOk(await recorded(lender, open.get(reference)));
	await pay(lender, of("LATE", 9_000), "LATE");
	expect(await recorded(lender, open.get("LATE"))).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
});

it("a line with a receipt is not recorded next to a treasury record of it, which the next comparison finds on any day", async () => {
	const lender = await givenLenderWithStatements();
	const line = { reference: "FT4711", amount: 7_000, day: yesterday };
	const id = await imported(lender, [line], "receipt");
	const [found] = (await compare(lender, id)).breaks;
	await borrow(lender, { ...line, day: addDays(first, -31) });
	expect(await recorded(lender, found)).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
	expect((await compare(lender, id)).breaks).toEqual([]);
});
