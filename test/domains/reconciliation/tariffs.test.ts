// Charges by tariff and statements: what a statement names takes the place of the tariff's charge, and nothing is charged twice.

import { expect, it } from "vitest";
import { CHART } from "../../../src/domains/ledger/model/chart.policy";
import { setOffsDue, tariffCharges } from "../../../src/domains/ledger/model/tariff.table";
import { workOnStatements } from "../../../src/domains/reconciliation/job";
import {
	addProviderStatementLines,
	compareProviderStatement,
	createProviderStatement,
	discardProviderStatement,
} from "../../../src/domains/reconciliation/operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { call, expectOk } from "../../support/client";
import { db, givenApiKey } from "../../support/factories";
import { entriesOf } from "../../support/journal";
import { runDueWork } from "../../support/loans";
import { givenTariff } from "../../support/tariffs";
import { atMinute, compare, givenLenderWithStatements, rowsOf, SHORT_CODE, sendStatement, work, yesterday } from "./statement";

async function givenLender() {
	const lender = await givenLenderWithStatements();
	const { id } = lender.organization;
	const key = await givenApiKey(id, ["repayments:write", "repayments:read"]);
	const paid = async (receipt: string, value: number, minute: number, details: object = {}) =>
		expectOk(
			await call(recordRepayment, {
				as: key,
				body: {
					...{ mobile_money_transaction_id: receipt, account_number: "LOAN-1", amount: { value, currency: "KES" } },
					transacted_at: new Date(atMinute(minute)).toISOString(),
					details: { type: "PAY_BILL", paybill_number: SHORT_CODE, account_reference: "LOAN-1", ...details } as never,
				},
			}),
		);
	const charges = async () => (await entriesOf(id)).filter(({ source }) => source === "CHARGE");
	const charged = async () => (await charges()).reduce((sum, { lines }) => sum + (lines[0]?.[1] ?? 0), 0);
	const cash = async () =>
		(await entriesOf(id))
			.flatMap(({ lines }) => lines)
			.reduce((sum, [number, amount]) => sum + (number === CHART.mpesa.number ? amount : 0), 0);
	return { ...lender, id, paid, charges, charged, cash };
}

const line = (receipt: string, amount: number, minute: number, reason = "Pay Bill Online") => ({
	receipt,
	amount,
	at: atMinute(minute),
	reason,
});
const RECEIPTS = {
	channel: "MPESA",
	direction: "RECEIPT",
	bands: [
		{ upTo: 10_000, fee: 100 },
		{ upTo: null, fee: 300 },
	],
} as const;

it("the charge that a line names takes the place of the tariff's, and is taken back with its statement", async () => {
	const lender = await givenLender();
	const { id, paid, charges, charged, cash } = lender;
	await givenTariff(id, RECEIPTS);
	await paid("TA1", 10_000, 10);
	await paid("TA2", 10_001, 20);
	await paid("TA3", 500, 30);
	expect(await charged()).toBe(500);
	const rows = rowsOf([
		line("TA1", 10_000, 10),
		line("TA1", -120, 10, "Pay Bill Charge"),
		line("TA2", 10_001, 20),
		line("TA2", -300, 20, "Pay Bill Charge"),
		line("TA3", 500, 30),
		{ ...line("TA9", -40, 40, "Pay Bill Charge"), linked: "TA3" },
	]);
	const statement = await sendStatement(lender, rows);
	const { days, breaks } = await compare(lender, statement);
	expect([breaks, days[0]?.difference]).toEqual([[], 0]);
	expect([await charged(), await cash()]).toEqual([460, days[0]?.closing]);
	// Of the charge that the tariff had right there is no further entry.
	expect((await charges()).filter(({ sourceId }) => sourceId === "TA2")).toHaveLength(1);
	const before = await charges();
	await compare(lender, statement);
	expect(await charges()).toEqual(before);
	expectOk(await call(discardProviderStatement, { ...lender.by, path: { statementId: statement } }));
	await work();
	expect(await charged()).toBe(500);
	await compare(lender, await sendStatement(lender, rows));
	expect(await charged()).toBe(460);
});

it("another comparison finds the charge of a payment that was recorded after the statement", async () => {
	const lender = await givenLender();
	const { id, paid, charged } = lender;
	await givenTariff(id, RECEIPTS);
	const named = async () =>
		(await db.select().from(tariffCharges)).filter(({ organizationId }) => organizationId === id).map(({ fee }) => fee);
	const lines = [line("TF1", 10_000, 10), line("TF1", -120, 10, "Pay Bill Charge"), line("TF8", -40, 20, "Account charge")];
	const statement = await sendStatement(lender, rowsOf(lines));
	expect((await compare(lender, statement)).breaks).toMatchObject([{ kind: "MISSING_HERE", receipt: "TF1" }]);
	await paid("TF1", 10_000, 10);
	await paid("TF2", 10_000, 15);
	await work();
	// By the day: the 200 of the tariff are more than the 160 of the statement.
	expect([await charged(), await named()]).toEqual([200, [null, null]]);
	await compare(lender, statement);
	expect([await charged(), await named()]).toEqual([120 + 100, [120, null]]);
});

it("charges that a provider gives back on their day count as none", async () => {
	const lender = await givenLender();
	const { id, paid, charged } = lender;
	await givenTariff(id, RECEIPTS);
	await paid("TC1", 10_000, 10);
	await paid("TC2", 10_000, 20);
	const back = { ...line("TC9", 120, 30, "Charge returned"), linked: "TC2" };
	const rows = rowsOf([line("TC1", 10_000, 10), line("TC1", -120, 10, "Pay Bill Charge"), line("TC2", 10_000, 20), back], 500);
	await compare(lender, await sendStatement(lender, rows));
	// Of TC2 the tariff's charge stays: no line names one.
	expect(await charged()).toBe(100);
});

it("charges that name no payment take the place of the day's charges by tariff, up to their sum", async () => {
	const lender = await givenLender();
	const { id, paid, charged } = lender;
	await givenTariff(id, RECEIPTS);
	await paid("TB1", 10_000, 10);
	await paid("TB2", 20_000, 20);
	const statement = await sendStatement(
		lender,
		rowsOf([line("TX1", -90, 15, "Pay Bill Charge"), line("TX2", -70, 25, "Pay Bill Charge")]),
		{
			account: "CHARGES",
			expects: [],
		},
	);
	await compare(lender, statement);
	expect(await charged()).toBe(400);
	// A payment that becomes known later is charged as far as the statement's charges do not cover it.
	await paid("TB3", 5_000, 40);
	await work();
	expect(await charged()).toBe(500);
	const more = await sendStatement(lender, rowsOf([line("TX3", -900, 50, "Account charge")]), { account: "WORKING", expects: [] });
	await compare(lender, more);
	expect(await charged()).toBe(90 + 70 + 900);
	await paid("TB4", 5_000, 55);
	await work();
	expect(await charged()).toBe(90 + 70 + 900);
	expectOk(await call(discardProviderStatement, { ...lender.by, path: { statementId: more } }));
	await work();
	expect(await charged()).toBe(600);
});

it("a charge is named in the commit of its line, and is the tariff's again in the commit that removes the line", async () => {
	const lender = await givenLender();
	const { id, paid, charged } = lender;
	await givenTariff(id, RECEIPTS);
	await paid("TE1", 10_000, 10);
	const lines = [line("TE1", 10_000, 10), line("TE1", -120, 10, "Pay Bill Charge"), line("TE1", -30, 11, "Pay Bill Charge")];
	const statementId = await sendStatement(lender, rowsOf(lines));
	const portion = () => runDueWork(workOnStatements);
	expectOk(await call(compareProviderStatement, { ...lender.by, path: { statementId } }));
	await Promise.all([portion(), portion()]);
	expect(await charged()).toBe(150);
	await work();
	expect(await charged()).toBe(150);
	expectOk(await call(discardProviderStatement, { ...lender.by, path: { statementId } }));
	await portion();
	expect(await charged()).toBe(100);
	await work();
	expect(await charged()).toBe(100);
});

it("charges of payments that become known later are set off by the sweep, with one entry for all of them", async () => {
	const lender = await givenLender();
	const { id, paid, charges, charged } = lender;
	await givenTariff(id, RECEIPTS);
	await compare(lender, await sendStatement(lender, rowsOf([line("TX1", -1_000, 15, "Pay Bill Charge")])));
	const before = (await charges()).length;
	for (const receipt of ["TD1", "TD2", "TD3"]) await paid(receipt, 5_000, 20);
	// An entry for each payment, and none beyond.
	expect([(await charges()).length - before, await charged()]).toEqual([3, 1_300]);
	await Promise.all([work(), work()]);
	expect([(await charges()).length - before, await charged()]).toEqual([4, 1_000]);
	await work();
	expect((await charges()).length - before).toBe(4);
	expect((await db.select().from(setOffsDue)).filter(({ organizationId }) => organizationId === id)).toEqual([]);
});

it("in a file with fees a payment without one was free, and a line without its payment counts for the day", async () => {
	const lender = await givenLender();
	const { id, paid, charged } = lender;
	await givenTariff(id, { ...RECEIPTS, channel: "BANK" });
	const transfer = (reference: string) => ({ type: "BANK_TRANSFER", bank_code: "01", reference });
	await paid("B1", 10_000, 10, transfer("one"));
	await paid("B2", 20_000, 20, transfer("two"));
	expect(await charged()).toBe(400);
	const mapping = { columns: { time: "Date", amount: "Amount", fee: "Fee", receipt: "Id" }, date_order: "YMD" as const };
	const of = { channel: "BANK", number: "0011", currency: "KES", from: yesterday, to: yesterday, name: "bank.csv" } as const;
	const { id: statementId } = expectOk(
		await call(createProviderStatement, { ...lender.by, body: { ...of, sha256: "b".repeat(64), mapping } }),
	);
	const csv = ["Id,Date,Amount,Fee", `B1,${yesterday},100.00,`, `B2,${yesterday},200.00,2.50`, `B3,${yesterday},50.00,0.30`].join("\r\n");
	expectOk(await call(addProviderStatementLines, { ...lender.by, path: { statementId }, body: { row: 0, csv } }));
	const { breaks } = await compare(lender, statementId);
	expect(breaks.map(({ kind, receipt }) => [kind, receipt])).toEqual([["MISSING_HERE", "B3"]]);
	expect(await charged()).toBe(250 + 30);
	await paid("B3", 5_000, 30, transfer("three"));
	await compare(lender, statementId);
	expect(await charged()).toBe(250 + 30);
});
