// Statements over HTTP: what is on the file and what is recorded here are compared both ways.

import { beforeEach, describe, expect, it } from "vitest";
import { resolveStatementBreak } from "../../../src/domains/reconciliation/breaks.operations";
import {
	addProviderStatementLines,
	createProviderStatement,
	discardProviderStatement,
	getProviderStatement,
	listProviderStatements,
} from "../../../src/domains/reconciliation/operations";
import { providerStatements, statementBreaks, statementLines } from "../../../src/domains/reconciliation/table";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { listUnmatchedPayments } from "../../../src/domains/repayments/unmatched/operations";
import { call, expectOk } from "../../support/client";
import { db, givenApiKey, operatorToken } from "../../support/factories";
import {
	atMinute,
	breaksOf,
	compare,
	givenLenderWithStatements,
	type Lender,
	type Movement,
	rowsOf,
	SHORT_CODE,
	sendRows,
	sendStatement,
	today,
	work,
	yesterday,
} from "./statement";

let lender: Lender;
let key: string;
beforeEach(async () => {
	lender = await givenLenderWithStatements();
	key = await givenApiKey(lender.organization.id, ["repayments:write", "repayments:read"]);
});

/** Records a payment to the lender's shortcode, to an account number that nobody has. */
const paid = async (receipt: string, value: number, minute: number, account_number = "LOAN-1") =>
	expectOk(
		await call(recordRepayment, {
			as: key,
			body: {
				mobile_money_transaction_id: receipt,
				account_number,
				amount: { value, currency: "KES" },
				transacted_at: new Date(atMinute(minute)).toISOString(),
				details: { type: "PAY_BILL", paybill_number: SHORT_CODE, account_reference: account_number },
			},
		}),
	).transaction.id;

const movement = (receipt: string, amount: number, minute: number, more: Partial<Movement> = {}): Movement => ({
	receipt,
	amount,
	at: atMinute(minute),
	...more,
});

describe("a statement", () => {
	it("whose lines are all recorded here has no breaks, and its day ties out with its charges", async () => {
		await paid("TA1", 100_000, 10);
		await paid("TA2", 50_050, 20);
		const rows = rowsOf(
			[
				movement("TA1", 100_000, 10),
				movement("TA2", 50_050, 20),
				movement("TA2", -3_300, 20, { reason: "Pay Bill Charge" }),
				movement("TA3", 70_000, 30, { status: "Failed" }),
			],
			1_000,
		);
		const { statement, days, breaks } = await compare(lender, await sendStatement(lender, rows));
		expect(breaks).toEqual([]);
		expect(statement).toMatchObject({ status: "COMPARED", rows: 4 });
		expect(days).toEqual([
			{
				...{ day: yesterday, lines: 3, opening: 1_000, in: 150_050, out: 3_300, charges: 3_300, closing: 147_750 },
				...{ difference: 0, breaks: 0, unexplained: 0 },
			},
		]);
	});

	it("says what is missing here and there, what differs and what it has twice, with what each makes of the difference", async () => {
		await paid("TB1", 1_000, 10);
		const missingThere = await paid("TB2", 2_000, 20);
		const differs = await paid("TB3", 3_000, 30);
		const rows = rowsOf([
			movement("TB1", 1_000, 10),
			movement("TB1", 1_000, 11),
			movement("TB3", 3_500, 30),
			movement("TB4", 4_000, 40, { reference: "LOAN-9" }),
			movement("TB5", -600, 50, { reason: "Organization Settlement" }),
		]);
		const { days, breaks } = await compare(lender, await sendStatement(lender, rows));
		expect(
			Object.fromEntries(
				breaks.map(({ receipt, kind, action, amount, recorded, difference, recorded_id }) => [
					receipt,
					{ kind, action, amount, recorded, difference, recorded_id },
				]),
			),
		).toMatchObject({
			TB1: { kind: "TWICE", action: "ASK", amount: 1_000, difference: 1_000 },
			TB2: { kind: "MISSING_THERE", action: "ASK", amount: null, recorded: 2_000, difference: -2_000, recorded_id: missingThere },
			TB3: { kind: "AMOUNT_DIFFERS", action: "MOVE", amount: 3_500, recorded: 3_000, difference: 500, recorded_id: differs },
			TB4: { kind: "MISSING_HERE", action: "RECORD", amount: 4_000, difference: 4_000 },
			TB5: { kind: "MISSING_HERE", action: "EXPLAIN", amount: -600, difference: -600 },
		});
		expect(days).toMatchObject([{ breaks: 5, unexplained: 1_000 - 2_000 + 500 + 4_000 - 600, difference: 0 }]);
		const listed = expectOk(await call(listProviderStatements, { ...lender.by, query: {} })).data;
		expect(listed).toMatchObject([{ status: "COMPARED", difference: 0, untied_days: 0, breaks: 5, unexplained: 2_900 }]);
	});

	it("matches by reference, amount and time what was recorded with another receipt, the nearest first", async () => {
		await paid("MISTYPED-1", 5_000, 100, "LOAN-7");
		await paid("MISTYPED-2", 5_000, 200, "LOAN-7");
		const rows = rowsOf([
			movement("TC1", 5_000, 99, { reference: "loan-7" }),
			movement("TC2", 5_000, 201, { reference: "LOAN-7" }),
			movement("TC3", 5_000, 300, { reference: "LOAN-7" }),
		]);
		const { breaks } = await compare(lender, await sendStatement(lender, rows));
		expect(breaks.map(({ kind, receipt }) => [kind, receipt])).toEqual([["MISSING_HERE", "TC3"]]);
	});

	it("sent twice changes nothing, and keeps neither names nor numbers of payers", async () => {
		const rows = rowsOf(
			Array.from({ length: 25 }, (_, index) => movement(`TD${index}`, 100, index, { reference: index === 3 ? "0712345678" : "LOAN-1" })),
		);
		const id = await sendStatement(lender, rows, {}, 10);
		const before = [await db.select().from(statementLines), await db.select().from(providerStatements)];
		expect(await sendStatement(lender, rows, {}, 10)).toBe(id);
		const [lines, statements] = [await db.select().from(statementLines), await db.select().from(providerStatements)];
		expect(lines).toEqual(before[0]);
		expect(statements).toMatchObject([{ id, status: "OPEN", rows: 25 }]);
		expect(JSON.stringify(lines)).not.toMatch(/JANE|2547|0712345678/);
		expect(lines).toHaveLength(25);
	});

	it("has what payers typed no longer than a line needs it, and a portion that is sent again brings nothing back", async () => {
		await paid("TL1", 5_000, 100, "SHOP OF JANE");
		const rows = rowsOf([
			movement("TL1", 5_000, 100, { reference: "SHOP OF JANE" }),
			...[200, 300, 400].map((minute) => movement(`TL${minute}`, minute, minute, { reference: `JANE ${minute}`, linked: "LINK" })),
		]);
		const id = await sendStatement(lender, rows);
		const { breaks } = await compare(lender, id);
		expect(breaks.map(({ reference }) => reference).sort()).toEqual(["JANE200", "JANE300", "JANE400"]);
		const resolve = async (receipt: string, body: { action: "RECORD" } | { action: "EXPLAIN"; reason: string }) => {
			const breakId = breaks.find((one) => one.receipt === receipt)?.id ?? "";
			return expectOk(await call(resolveStatementBreak, { ...lender.by, path: { breakId }, body }));
		};
		expect(await resolve("TL200", { action: "RECORD" })).toMatchObject({ status: "RECORDED", reference: null });
		expect(await resolve("TL300", { action: "EXPLAIN", reason: "known" })).toMatchObject({ status: "EXPLAINED", reference: null });
		await sendRows(lender, id, rows);
		const lines = async () =>
			(await db.select().from(statementLines)).map(({ receipt, reference, linked }) => [receipt, reference, linked]);
		const open = ["TL400", "JANE400", "LINK"];
		expect(await lines()).toEqual([open, ["TL300", null, null], ["TL200", null, null], ["TL1", null, null]]);
		await paid("TL400", 400, 400);
		await compare(lender, id);
		expect((await lines())[0]).toEqual(["TL400", null, null]);
		expect((await db.select().from(statementBreaks)).map(({ reference }) => reference)).toEqual([null, null, null]);
	});

	it("is opened again by a line that differs, whose break is found again", async () => {
		await paid("TE1", 1_000, 10);
		const id = await sendStatement(lender, rowsOf([movement("TE1", 900, 10)]));
		expect((await compare(lender, id)).breaks).toMatchObject([{ kind: "AMOUNT_DIFFERS" }]);
		await sendRows(lender, id, rowsOf([movement("TE1", 1_000, 10)]));
		expect(expectOk(await call(getProviderStatement, { ...lender.by, path: { statementId: id } })).statement.status).toBe("OPEN");
		expect((await compare(lender, id)).breaks).toEqual([]);
		expect(await breaksOf(lender, id, "RESOLVED")).toHaveLength(1);
	});

	it("lets what is recorded later end a break, once it is compared again or the line comes", async () => {
		await paid("TF2", 2_000, 1_439);
		const id = await sendStatement(lender, rowsOf([movement("TF1", 1_000, 10)]));
		expect((await compare(lender, id)).breaks.map(({ kind }) => kind).sort()).toEqual(["MISSING_HERE", "MISSING_THERE"]);
		await paid("TF1", 1_000, 10);
		// The portal has it on another account's statement.
		const other = await sendStatement(lender, rowsOf([movement("TF2", 2_000, 1_439)]), { account: "WORKING", expects: [] });
		expect((await compare(lender, other)).breaks).toEqual([]);
		expect((await compare(lender, id)).breaks).toEqual([]);
		expect(await breaksOf(lender, id, "RESOLVED")).toHaveLength(2);
	});

	it("says by how much the file lacks lines, within a day and between days", async () => {
		const [first, second] = [movement("TG1", 1_000, 10), movement("TG2", 500, 20)];
		const rows = rowsOf([first, second, movement("TG3", 250, 30)]).filter((row) => !row.startsWith("TG2"));
		const { days } = await compare(lender, await sendStatement(lender, rows));
		expect(days).toMatchObject([{ opening: 0, in: 1_250, closing: 1_750, difference: -500 }]);
		const listed = expectOk(await call(listProviderStatements, { ...lender.by, query: {} })).data;
		expect(listed).toMatchObject([{ difference: -500, untied_days: 1 }]);
	});

	it("is taken for days that are over and on no other statement, until that is discarded", async () => {
		const { by } = lender;
		const body = { channel: "MPESA" as const, number: SHORT_CODE, currency: "KES", name: "a", sha256: "a".repeat(64) };
		expect(await call(createProviderStatement, { ...by, body: { ...body, from: today, to: today } })).toMatchObject({ status: 400 });
		const { id } = expectOk(await call(createProviderStatement, { ...by, body: { ...body, from: yesterday, to: yesterday } }));
		const other = { ...body, sha256: "b".repeat(64), from: yesterday, to: yesterday };
		expect(await call(createProviderStatement, { ...by, body: other })).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		await sendRows(lender, id, rowsOf([movement("TH1", 1_000, 10)]));
		expect((await compare(lender, id)).breaks).toHaveLength(1);
		expectOk(await call(discardProviderStatement, { ...by, path: { statementId: id } }));
		expect(await call(createProviderStatement, { ...by, body: other })).toMatchObject({ status: 409 });
		await work();
		expectOk(await call(createProviderStatement, { ...by, body: other }));
		expect(await db.select().from(statementLines)).toEqual([]);
		expect(await breaksOf(lender, id)).toEqual([]);
		expect(expectOk(await call(listProviderStatements, { ...by, query: {} })).data.map(({ status }) => status)).toEqual([
			"OPEN",
			"DISCARDED",
		]);
	});

	it("of a bank is read by the mapping of the account's first one", async () => {
		const { by } = lender;
		const body = { channel: "BANK" as const, number: "0110200300", currency: "KES", name: "bank.csv" };
		const day = (of: string) => ({ from: of, to: of });
		const first = { ...body, ...day(yesterday), sha256: "c".repeat(64) };
		expect(await call(createProviderStatement, { ...by, body: first })).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "mapping" }] },
		});
		const mapping = {
			columns: { time: "Buchung", amount: "Betrag", reference: "Zweck", balance: "Saldo" },
			...{ separator: "SEMICOLON" as const, decimal: "COMMA" as const },
		};
		const { id } = expectOk(await call(createProviderStatement, { ...by, body: { ...first, mapping } }));
		const [year, month, date] = yesterday.split("-");
		const csv = `Konto;0110200300\nBuchung;Zweck;Betrag;Saldo\n${date}.${month}.${year};"MIETE; MAI";-1.250,50;8.749,50`;
		expectOk(await call(addProviderStatementLines, { ...by, path: { statementId: id }, body: { row: 0, csv } }));
		const { breaks, days } = await compare(lender, id);
		expect(breaks).toMatchObject([{ kind: "MISSING_HERE", action: "EXPLAIN", amount: -125_050, reference: "MIETE;MAI" }]);
		expect(days).toMatchObject([{ opening: 1_000_000, out: 125_050, closing: 874_950, difference: 0 }]);
	});

	it("refuses a portion that leaves a gap, has no names of columns, another day or a broken amount", async () => {
		const { by } = lender;
		const id = await sendStatement(lender, []);
		const send = (row: number, csv: string) => call(addProviderStatementLines, { ...by, path: { statementId: id }, body: { row, csv } });
		expect(await send(5, "x")).toMatchObject({ status: 409 });
		expect(await send(0, 'TA1,"open')).toMatchObject({ status: 400 });
		expect(await send(0, rowsOf([movement("TA1", 100, -30)]).join("\n"))).toMatchObject({ status: 400 });
		expect(
			await send(
				0,
				rowsOf([movement("TA1", 100, 30)])
					.join("\n")
					.replace('"1.00"', "one"),
			),
		).toMatchObject({ status: 400 });
		expect(await db.select().from(statementLines)).toEqual([]);
	});

	it("is nobody else's", async () => {
		const id = await sendStatement(lender, rowsOf([movement("TI1", 100, 1)]));
		const { by } = await givenLenderWithStatements();
		expect(await call(getProviderStatement, { ...by, path: { statementId: id } })).toMatchObject({ status: 404 });
		expect(await call(discardProviderStatement, { ...by, path: { statementId: id } })).toMatchObject({ status: 404 });
	});
});

describe("a break", () => {
	it("of money that came in is recorded once, as a payment that waits for its account", async () => {
		const id = await sendStatement(lender, rowsOf([movement("TJ1", 4_000, 40, { reference: "LOAN-9" })]));
		const [found] = (await compare(lender, id)).breaks;
		const record = () => call(resolveStatementBreak, { ...lender.by, path: { breakId: found?.id ?? "" }, body: { action: "RECORD" } });
		const answers = await Promise.all([record(), record(), record()]);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
		const { payment_id } = (await breaksOf(lender, id, "RECORDED"))[0] ?? {};
		expect(expectOk(await call(listUnmatchedPayments, { as: await operatorToken(), query: {} })).data).toMatchObject([
			{
				id: payment_id,
				mobile_money_transaction_id: "TJ1",
				account_number: "LOAN-9",
				amount: { value: 4_000, currency: "KES" },
				reason: "FROM_STATEMENT",
			},
		]);
		expect((await compare(lender, id)).breaks).toEqual([]);
	});

	it("is explained in words, and is not found again", async () => {
		const id = await sendStatement(lender, rowsOf([movement("TK1", -4_000, 40, { reason: "Organization Settlement" })]));
		const [found] = (await compare(lender, id)).breaks;
		const resolve = (body: { action: "RECORD" } | { action: "EXPLAIN"; reason: string }) =>
			call(resolveStatementBreak, { ...lender.by, path: { breakId: found?.id ?? "" }, body });
		expect(await resolve({ action: "RECORD" })).toMatchObject({ status: 409 });
		expectOk(await resolve({ action: "EXPLAIN", reason: "Moved to the bank" }));
		expect(await resolve({ action: "EXPLAIN", reason: "Again" })).toMatchObject({ status: 409 });
		expect((await compare(lender, id)).breaks).toEqual([]);
		expect(await breaksOf(lender, id, "EXPLAINED")).toMatchObject([{ reason: "Moved to the bank", decided_by: lender.owner.id }]);
	});
});
