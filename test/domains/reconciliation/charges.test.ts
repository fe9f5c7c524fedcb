// Charges of a statement are booked once, and with payments and treasury records the journal's cash is the statement's balance.

import { expect, it } from "vitest";
import { decideApproval } from "../../../src/domains/approvals/operations";
import { requestTreasuryRecord } from "../../../src/domains/approvals/treasury.operations";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { CHART } from "../../../src/domains/ledger/model/chart.policy";
import {
	addProviderStatementLines,
	createProviderStatement,
	discardProviderStatement,
} from "../../../src/domains/reconciliation/operations";
import { statementLines } from "../../../src/domains/reconciliation/table";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { db, givenApiKey, givenMember, newId } from "../../support/factories";
import { entriesOf } from "../../support/journal";
import {
	atMinute,
	compare,
	givenLenderWithStatements,
	HEADER,
	rowsOf,
	SHORT_CODE,
	sendRows,
	sendStatement,
	work,
	yesterday,
} from "./statement";

async function givenLender() {
	const lender = await givenLenderWithStatements();
	const { id } = lender.organization;
	const key = await givenApiKey(id, ["repayments:write", "repayments:read"]);
	const other = await givenMember(id, "organization-owner");
	const headers = { "x-organization-id": id };
	const paid = async (receipt: string, value: number, minute: number) =>
		expectOk(
			await call(recordRepayment, {
				as: key,
				body: {
					mobile_money_transaction_id: receipt,
					account_number: "LOAN-1",
					amount: { value, currency: "KES" },
					transacted_at: new Date(atMinute(minute)).toISOString(),
					details: { type: "PAY_BILL", paybill_number: SHORT_CODE, account_reference: "LOAN-1" },
				},
			}),
		);
	const recorded = async (kind: "CONTRIBUTED" | "TRANSFER", amount: number, reference: string) => {
		const of = { kind, amount, currency: "KES", value_date: yesterday, reference } as const;
		const body = kind === "TRANSFER" ? ({ ...of, account: "1110", to_account: "1130" } as const) : ({ ...of, account: "1110" } as const);
		const asked = expectOk(await call(requestTreasuryRecord, { ...lender.by, body }));
		expectOk(await call(decideApproval, { as: other.token, headers, path: { id: asked.id }, body: { decision: "APPROVED" } }));
		return asked.entity_id;
	};
	const charges = async () => (await entriesOf(id)).filter(({ source }) => source === "CHARGE");
	const balance = async (account: { readonly number: string }) =>
		(await entriesOf(id))
			.flatMap(({ lines }) => lines)
			.reduce((sum, [number, amount]) => sum + (number === account.number ? amount : 0), 0);
	return { ...lender, id, paid, recorded, charges, balance };
}

const line = (receipt: string, amount: number, minute: number, reason = "Pay Bill Online") => ({
	receipt,
	amount,
	at: atMinute(minute),
	reason,
});

it("charges of a day are one entry, and the same file, another comparison and a corrected line book what differs", async () => {
	const lender = await givenLender();
	const { charges, balance } = lender;
	const movements = [
		line("TA1", -3_300, 10, "Business Payment Charge"),
		line("TA2", -1_100, 20, "Business Payment Charge"),
		line("TA3", 100, 30, "Charge returned"),
	];
	const rows = rowsOf(movements, 10_000);
	const id = await sendStatement(lender, rows);
	expect(await charges()).toEqual([]);
	await compare(lender, id);
	const [entry, ...others] = await charges();
	expect(others).toEqual([]);
	expect(entry).toMatchObject({ day: localDate(Date.now()), valueDate: yesterday, currency: "KES", correctsId: null });
	expect(entry?.lines).toEqual([
		["5230", 4_300],
		["1110", -4_300],
	]);
	await compare(lender, id);
	expect(await sendStatement(lender, rows)).toBe(id);
	await compare(lender, id);
	expect(await charges()).toHaveLength(1);
	await sendRows(lender, id, rowsOf([...movements.slice(0, 2), line("TA3", 200, 30, "Charge returned")], 10_000));
	await compare(lender, id);
	expect((await charges()).map(({ lines }) => lines[0]?.[1])).toEqual([4_300, -100]);
	// Taken back with its statement, and booked again with the next.
	expectOk(await call(discardProviderStatement, { ...lender.by, path: { statementId: id } }));
	await work();
	expect(await balance(CHART.charges)).toBe(0);
	const again = await sendStatement(lender, rows);
	expect(again).not.toBe(id);
	await compare(lender, again);
	expect([await balance(CHART.charges), await balance(CHART.mpesa)]).toEqual([4_300, -4_300]);
	expect((await charges()).filter(({ correctsId }) => correctsId === null)).toHaveLength(1);
});

it("with payments, treasury records and charges, the cash of the journal is what the statement ends with", async () => {
	const lender = await givenLender();
	const { paid, recorded, balance, id } = lender;
	await paid("TB1", 100_000, 10);
	await recorded("CONTRIBUTED", 5_000_000, "TB2");
	const moved = await recorded("TRANSFER", 2_000_000, "tb3 ");
	const statement = await sendStatement(
		lender,
		rowsOf([
			line("TB1", 100_000, 10),
			line("TB2", 5_000_000, 20, "Organization funds received"),
			line("TB3", -2_000_000, 30, "Organization withdrawal"),
			line("TB3", -10_000, 30, "Organization withdrawal charge"),
		]),
	);
	const { days, breaks } = await compare(lender, statement);
	expect(breaks).toEqual([]);
	expect(days).toMatchObject([{ day: yesterday, difference: 0, closing: 3_090_000 }]);
	expect(await balance(CHART.mpesa)).toBe(3_090_000);
	expect(await balance(CHART.bank)).toBe(2_000_000);
	for (const { lines } of await entriesOf(id)) expect(lines.reduce((sum, [, amount]) => sum + amount, 0)).toBe(0);
	// The other side of the transfer is on the bank's statement, which has its text and no time; there a second line is a break.
	const mapping = { columns: { time: "Date", amount: "Amount", reference: "Text" }, date_order: "YMD" as const };
	const of = { channel: "BANK", number: "0011", currency: "KES", from: yesterday, to: yesterday, name: "bank.csv" } as const;
	const body = { ...of, sha256: "b".repeat(64), mapping };
	const { id: statementId } = expectOk(await call(createProviderStatement, { ...lender.by, body }));
	const csv = ["Date,Text,Amount", `${yesterday},tb3,20000.00`, `${yesterday},TB3,20000.00`, `${yesterday},TB2,50000.00`].join("\r\n");
	expectOk(await call(addProviderStatementLines, { ...lender.by, path: { statementId }, body: { row: 0, csv } }));
	const bank = await compare(lender, statementId);
	expect(bank.breaks.map(({ kind, reference, amount }) => [kind, reference, amount])).toEqual([
		["MISSING_HERE", "TB3", 2_000_000],
		["MISSING_HERE", "TB2", 5_000_000],
	]);
	const rowsOfBank = (await db.select().from(statementLines)).filter((row) => row.statementId === statementId);
	expect(rowsOfBank[0]).toMatchObject({ status: "MATCHED", factKind: "TREASURY", factKey: `${moved} to` });
});

it("the words of a payer make no charge of their payment, and a charge that is a treasury record is booked once", async () => {
	const lender = await givenLender();
	const { paid, recorded, charges, balance } = lender;
	await paid("TP1", 5_000, 10);
	await recorded("CONTRIBUTED", 7_000, "TP2");
	const movements = [line("TP1", 5_000, 10), line("TP2", 7_000, 20, "Charge returned")];
	const rows = rowsOf(movements).map((row) => row.replaceAll("JANE DOE", "loan charges"));
	const { breaks } = await compare(lender, await sendStatement(lender, rows));
	expect([breaks, await charges(), await balance(CHART.mpesa)]).toEqual([[], [], 12_000]);
});

it("a payout's second receipt with its whole amount is a break, and not booked as the charge that the provider calls it", async () => {
	const lender = await givenLender();
	const at = atMinute(10);
	await db.insert(disbursements).values({
		...{ id: newId(lender.id), kind: "LOAN", accountId: newId(lender.id), organizationId: lender.id, amount: 5_000, currency: "KES" },
		...{ provider: "daraja", instruction: "{}", status: "SUCCEEDED", attempts: 1, nextAttemptAt: at, occurredAt: at, createdAt: at },
		...{ mobileMoneyTransactionId: "TS1", secondReceipts: [{ transaction: "TS2", at }], secondReceiptAt: at },
	});
	const rows = rowsOf([line("TS1", -5_000, 10, "Business Payment"), line("TS2", -5_000, 11, "Business Payment Charge")], 10_000);
	const { breaks, days } = await compare(lender, await sendStatement(lender, rows));
	expect(breaks).toMatchObject([{ kind: "TWICE", receipt: "TS2", difference: -5_000 }]);
	expect([days[0]?.charges, await lender.charges()]).toEqual([0, []]);
});

it("a line with an amount beyond all sums is refused", async () => {
	const { by } = await givenLender();
	const about = { channel: "MPESA", number: SHORT_CODE, account: "utility", currency: "KES", from: yesterday, to: yesterday } as const;
	const { id, account } = expectOk(await call(createProviderStatement, { ...by, body: { ...about, name: "x", sha256: "d".repeat(64) } }));
	expect(account).toBe("UTILITY");
	const csv = [HEADER, ...rowsOf([line("TQ1", 100_000_000_100, 10)])].join("\n");
	expect(await call(addProviderStatementLines, { ...by, path: { statementId: id }, body: { row: 0, csv } })).toMatchObject({
		status: 400,
		body: { invalid_params: [{ reason: expect.stringContaining("too large") }] },
	});
});
