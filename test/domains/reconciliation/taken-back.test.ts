// A treasury record that is taken back: the lines that reported it are breaks again, until another record has them.
// @module-tag thorough

import { expect, it } from "vitest";
import type * as z from "zod";
import { decideApproval } from "../../../src/domains/approvals/operations";
import { requestTreasuryRecord } from "../../../src/domains/approvals/treasury.operations";
import { CHART } from "../../../src/domains/ledger/model/chart.policy";
import { resolveStatementBreak } from "../../../src/domains/reconciliation/breaks.operations";
import { workOnStatements } from "../../../src/domains/reconciliation/job";
import {
	addProviderStatementLines,
	compareProviderStatement,
	createProviderStatement,
	getProviderStatement,
} from "../../../src/domains/reconciliation/operations";
import { statementLines } from "../../../src/domains/reconciliation/table";
import { call, expectOk } from "../../support/client";
import { db, givenMember } from "../../support/factories";
import { entriesOf } from "../../support/journal";
import { beforeTrip, runDueWork } from "../../support/loans";
import { atMinute, breaksOf, compare, givenLenderWithStatements, rowsOf, sendStatement, work, yesterday } from "./statement";

type Body = z.input<typeof requestTreasuryRecord.request.body>;

async function givenTreasurer() {
	const lender = await givenLenderWithStatements();
	const { id } = lender.organization;
	const other = await givenMember(id, "organization-owner");
	const headers = { "x-organization-id": id };
	const record = async (body: Body) => {
		const asked = expectOk(await call(requestTreasuryRecord, { ...lender.by, body }));
		const decision = { as: other.token, headers, path: { id: asked.id }, body: { decision: "APPROVED" as const } };
		expect(expectOk(await call(decideApproval, decision))).toMatchObject({ status: "APPROVED" });
		return asked.entity_id;
	};
	const charges = async () =>
		(await entriesOf(id))
			.flatMap(({ lines }) => lines)
			.reduce((sum, [number, amount]) => sum + (number === CHART.charges.number ? amount : 0), 0);
	const statusOf = async (statementId: string) =>
		expectOk(await call(getProviderStatement, { ...lender.by, path: { statementId } })).statement.status;
	const openIn = async (statementId: string) =>
		(await breaksOf(lender, statementId)).map(({ kind, receipt, reference, difference }) => [kind, receipt ?? reference, difference]);
	return { ...lender, id, record, charges, statusOf, openIn };
}

const TRANSFER = {
	...({ kind: "TRANSFER", amount: 2_000_000, currency: "KES", account: "1110", to_account: "1130" } as const),
	...{ value_date: yesterday, reference: "TX3" },
} satisfies Body;
const out = (receipt: string, amount: number, minute: number, reason = "Organization withdrawal") => ({
	...{ receipt, amount: -amount, at: atMinute(minute), reason },
});

it("both sides of a transfer are breaks again, and are over once the right one is recorded", async () => {
	const lender = await givenTreasurer();
	const { by, record, statusOf, openIn } = lender;
	const wrong = await record(TRANSFER);
	const mpesa = await sendStatement(lender, rowsOf([out("TX3", 2_000_000, 30)], 5_000_000));
	const mapping = { columns: { time: "Date", amount: "Amount", reference: "Text" }, date_order: "YMD" as const };
	const of = { channel: "BANK", number: "0011", currency: "KES", from: yesterday, to: yesterday, name: "bank.csv" } as const;
	const { id: bank } = expectOk(await call(createProviderStatement, { ...by, body: { ...of, sha256: "c".repeat(64), mapping } }));
	const csv = ["Date,Text,Amount", `${yesterday},tx3,20000.00`].join("\r\n");
	expectOk(await call(addProviderStatementLines, { ...by, path: { statementId: bank }, body: { row: 0, csv } }));
	expect([(await compare(lender, mpesa)).breaks, (await compare(lender, bank)).breaks]).toEqual([[], []]);
	await record({ ...TRANSFER, corrects_id: wrong });
	expect([await statusOf(mpesa), await statusOf(bank)]).toEqual(["MATCHING", "MATCHING"]);
	await work();
	expect([await statusOf(mpesa), await statusOf(bank)]).toEqual(["COMPARED", "COMPARED"]);
	expect([await openIn(mpesa), await openIn(bank)]).toEqual([
		[["MISSING_HERE", "TX3", -2_000_000]],
		// A matched line has no text any more: the record's takes its place.
		[["MISSING_HERE", "TX3", 2_000_000]],
	]);
	const right = await record({ ...TRANSFER, reference: "tx 3" });
	expect([(await compare(lender, mpesa)).breaks, (await compare(lender, bank)).breaks]).toEqual([[], []]);
	expect([(await breaksOf(lender, mpesa, "RESOLVED")).length, (await breaksOf(lender, bank, "RESOLVED")).length]).toEqual([1, 1]);
	expect((await db.select().from(statementLines)).map(({ status, factKey }) => [status, factKey]).sort()).toEqual([
		["MATCHED", right],
		["MATCHED", `${right} to`],
	]);
});

it("a line of another amount is missing here, a charge is booked, and what somebody has explained stays", async () => {
	const lender = await givenTreasurer();
	const { by, record, openIn, charges } = lender;
	const of = { ...TRANSFER, kind: "DRAWN", to_account: undefined } as const;
	const differs = { ...of, reference: "TX4", amount: 300 };
	const charge = { ...of, reference: "TX5", amount: 400 };
	const explained = { ...of, reference: "TX6", amount: 500 };
	const ids = [await record(differs), await record(charge), await record(explained)];
	const lines = [out("TX4", 350, 10), out("TX5", 400, 20, "Organization withdrawal charge"), out("TX6", 600, 30)];
	const id = await sendStatement(lender, rowsOf(lines, 10_000));
	const { breaks } = await compare(lender, id);
	expect(breaks.map(({ kind, receipt }) => [kind, receipt]).sort()).toEqual([
		["AMOUNT_DIFFERS", "TX4"],
		["AMOUNT_DIFFERS", "TX6"],
	]);
	expect(await charges()).toBe(0);
	const breakId = breaks.find(({ receipt }) => receipt === "TX6")?.id ?? "";
	expectOk(await call(resolveStatementBreak, { ...by, path: { breakId }, body: { action: "EXPLAIN", reason: "Seen at the portal" } }));
	for (const [nth, record_] of [differs, charge, explained].entries()) await record({ ...record_, corrects_id: ids[nth] as string });
	await work();
	expect(await openIn(id)).toEqual([["MISSING_HERE", "TX4", -350]]);
	expect(await charges()).toBe(400);
	expect(await breaksOf(lender, id, "EXPLAINED")).toMatchObject([{ receipt: "TX6", kind: "AMOUNT_DIFFERS" }]);
});

it("a comparison that has read the record before begins again", async () => {
	const lender = await givenTreasurer();
	const { by, record, statusOf, openIn } = lender;
	const wrong = await record(TRANSFER);
	const id = await sendStatement(lender, rowsOf([out("TX3", 2_000_000, 30)], 5_000_000));
	expectOk(await call(compareProviderStatement, { ...by, path: { statementId: id } }));
	let isTakenBack = false;
	const takeBack = async () => {
		if (!isTakenBack) await record({ ...TRANSFER, corrects_id: wrong });
		isTakenBack = true;
	};
	// Its statement, its lines, and the facts are read before its commit.
	await runDueWork(async (services) => void (await workOnStatements(services)), beforeTrip([4, 5], takeBack));
	expect([isTakenBack, await statusOf(id)]).toEqual([true, "MATCHING"]);
	await work();
	expect(await openIn(id)).toEqual([["MISSING_HERE", "TX3", -2_000_000]]);
});
