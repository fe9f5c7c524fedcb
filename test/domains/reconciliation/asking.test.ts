// The provider is asked about breaks: what is missing on the statement, and what is on it twice.

import { beforeEach, describe, expect, it } from "vitest";
import { deleteDarajaConnection } from "../../../src/domains/connections/daraja.operations";
import { askProviders } from "../../../src/domains/reconciliation/asking.job";
import { askAboutStatementBreak } from "../../../src/domains/reconciliation/asking.operations";
import { resolveStatementBreak } from "../../../src/domains/reconciliation/breaks.operations";
import { answerDarajaBreak } from "../../../src/domains/reconciliation/daraja.operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { CONNECTED, CREDENTIALS, givenConnectedLoan, lose, timePasses } from "../../support/daraja";
import { givenApiKey } from "../../support/factories";
import { runDueWork } from "../../support/loans";
import { reverse } from "../../support/put-right";
import { atMinute, breaksOf, compare, givenLenderWithStatements, type Lender, type Movement, rowsOf, sendStatement } from "./statement";

let loan: Awaited<ReturnType<typeof givenConnectedLoan>>;
let by: Lender["by"];
beforeEach(async () => {
	loan = await givenConnectedLoan();
	const { organization, owner } = loan.lender;
	by = { as: owner.token, headers: { "x-organization-id": organization.slug } };
});

const NUMBER = CREDENTIALS.short_code;
const ask = (breakId = "") => call(askAboutStatementBreak, { ...by, path: { breakId }, vars: CONNECTED });
const sweep = () => runDueWork(askProviders, CONNECTED);
const sendOf = (movements: readonly Movement[]) => sendStatement({ by }, rowsOf(movements), { number: NUMBER });
const breakOf = async (statementId: string, receipt: string) => {
	const found = await Promise.all((["OPEN", "CONFIRMED", "RESOLVED"] as const).map((status) => breaksOf({ by }, statementId, status)));
	return found.flat().find((one) => one.receipt === receipt);
};

/** Records a payment by hand, to the loan's account. */
async function recorded(mobile_money_transaction_id: string, value: number): Promise<string> {
	const as = await givenApiKey(loan.lender.organization.id, ["repayments:write"]);
	const body = {
		...{ mobile_money_transaction_id, account_number: loan.number, amount: { value, currency: "KES" } },
		transacted_at: new Date(atMinute(10)).toISOString(),
		details: { type: "PAY_BILL" as const, paybill_number: NUMBER, account_reference: loan.number },
	};
	return expectOk(await call(recordRepayment, { as, body })).transaction.id;
}

describe("a payment that is missing on the statement", () => {
	it("is confirmed by the provider, once, and is not found again", async () => {
		const receipt = loan.standIn.receive({ shillings: 50, account: loan.number });
		lose(loan.standIn);
		await recorded(receipt, 5_000);
		const id = await sendOf([]);
		const [found] = (await compare({ by }, id)).breaks;
		expect(found).toMatchObject({ kind: "MISSING_THERE", action: "ASK", receipt, answer: null, asked_at: null });
		const answers = await Promise.all([ask(found?.id), ask(found?.id), ask(found?.id)]);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(await breakOf(id, receipt)).toMatchObject({ status: "OPEN", action: "WAIT", asked_at: expect.any(String) });
		expect(loan.standIn.reports).toHaveLength(1);
		expect(await loan.standIn.deliver()).toEqual([200]);
		expect(await breakOf(id, receipt)).toMatchObject({ status: "CONFIRMED", answer: "CONFIRMED" });
		const { days, breaks } = await compare({ by }, id);
		expect([days, breaks]).toEqual([[], []]);
		expect((await ask(found?.id)).status).toBe(409);
	});

	it("that the provider knows with another amount, or has given back, is to be reversed, which ends its break", async () => {
		const [less, back] = [10, 20].map((shillings) => loan.standIn.receive({ shillings, account: loan.number }));
		loan.standIn.reverseForPayer(back ?? "");
		lose(loan.standIn);
		await recorded(less ?? "", 1_500);
		const paid = await recorded(back ?? "", 2_000);
		const id = await sendOf([]);
		for (const { id: breakId } of (await compare({ by }, id)).breaks) expectOk(await ask(breakId));
		expect(await loan.standIn.deliver()).toEqual([200, 200]);
		for (const receipt of [less, back]) {
			expect(await breakOf(id, receipt ?? "")).toMatchObject({ status: "OPEN", action: "REVERSE", answer: "REFUTED" });
		}
		expectOk(await reverse(paid));
		expect((await compare({ by }, id)).breaks.map(({ receipt }) => receipt)).toEqual([less]);
		expect(await breakOf(id, back ?? "")).toMatchObject({ status: "RESOLVED" });
	});

	it("is asked about again until the provider answers, and left to words after three days without an answer", async () => {
		await recorded("MADEUP0001", 5_000);
		const id = await sendOf([]);
		const [found] = (await compare({ by }, id)).breaks;
		expectOk(await ask(found?.id));
		lose(loan.standIn);
		await timePasses(60_000);
		await sweep();
		// It says that it does not know such a receipt, which is no clear answer.
		expect(await loan.standIn.deliver()).toEqual([200]);
		expect(await breakOf(id, "MADEUP0001")).toMatchObject({ action: "WAIT" });
		await timePasses(3 * DAY_MS);
		await sweep();
		expect(await breakOf(id, "MADEUP0001")).toMatchObject({ status: "OPEN", action: "EXPLAIN", answer: "NONE" });
		await sweep();
		expect(loan.standIn.reports).toEqual([]);
		const body = { action: "EXPLAIN" as const, reason: "The provider says that it was never made" };
		expectOk(await call(resolveStatementBreak, { ...by, path: { breakId: found?.id ?? "" }, body }));
	});

	it("is no more asked about once a later statement has its line, or somebody has explained it", async () => {
		const receipts = [10, 20].map((shillings) => loan.standIn.receive({ shillings, account: loan.number }));
		lose(loan.standIn);
		for (const [index, receipt] of receipts.entries()) await recorded(receipt, 1_000 * (index + 1));
		const id = await sendOf([]);
		const { breaks } = await compare({ by }, id);
		for (const { id: breakId } of breaks) expectOk(await ask(breakId));
		lose(loan.standIn);
		const [first = "", second = ""] = receipts;
		const body = { action: "EXPLAIN" as const, reason: "Cash" };
		const breakId = breaks.find(({ receipt }) => receipt === first)?.id ?? "";
		expectOk(await call(resolveStatementBreak, { ...by, path: { breakId }, body }));
		const other = await sendStatement({ by }, rowsOf([{ receipt: second, amount: 2_000, at: atMinute(10) }]), {
			...{ number: NUMBER, account: "WORKING", expects: [] },
		});
		await compare({ by }, other);
		await timePasses(60_000);
		await sweep();
		expect(loan.standIn.reports).toEqual([]);
	});
});

it("a payout that is missing on the statement is confirmed by the provider", async () => {
	const [paid] = loan.standIn.paid;
	await timePasses(DAY_MS);
	const day = new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 10);
	const id = await sendStatement({ by }, [], { number: NUMBER, from: day, to: day });
	const [found] = (await compare({ by }, id)).breaks;
	expect(found).toMatchObject({ kind: "MISSING_THERE", recorded_as: "PAYOUT", recorded: -100_000, action: "ASK" });
	expectOk(await ask(found?.id));
	await loan.standIn.deliver();
	expect(await breakOf(id, paid?.receipt ?? "")).toMatchObject({ status: "CONFIRMED" });
});

it("a line that is on the statement twice came in once, if the provider confirms its receipt", async () => {
	const receipt = loan.standIn.receive({ shillings: 50, account: loan.number });
	lose(loan.standIn);
	await recorded(receipt, 5_000);
	const line = { receipt, amount: 5_000, at: atMinute(10) };
	const id = await sendOf([line, { ...line, at: atMinute(11) }]);
	const [found] = (await compare({ by }, id)).breaks;
	expect(found).toMatchObject({ kind: "TWICE", action: "ASK" });
	expectOk(await ask(found?.id));
	await loan.standIn.deliver();
	expect(await breakOf(id, receipt)).toMatchObject({ status: "CONFIRMED" });
	expect(await compare({ by }, id)).toMatchObject({ breaks: [], days: [{ breaks: 0, unexplained: 0 }] });
});

describe("an answer", () => {
	it("is taken at its own address alone, and not about a break of another lender or kind", async () => {
		const receipt = loan.standIn.receive({ shillings: 50, account: loan.number });
		lose(loan.standIn);
		await recorded(receipt, 5_000);
		const id = await sendOf([{ receipt: "TX9", amount: 700, at: atMinute(5) }]);
		const { breaks } = await compare({ by }, id);
		const [missing, unrecorded] = ["MISSING_THERE", "MISSING_HERE"].map((kind) => breaks.find((one) => one.kind === kind));
		expect(await ask(unrecorded?.id)).toMatchObject({ status: 409 });
		expectOk(await ask(missing?.id));
		const { url = "", body = {} } = loan.standIn.reports[0] ?? {};
		const code = url.slice(-32);
		const tell = (breakId = "", to = code) => send(answerDarajaBreak as never, { path: { id: breakId, code: to }, body, vars: CONNECTED });
		expect(await tell(missing?.id, "0".repeat(32))).toMatchObject({ status: 404 });
		expect(await tell(unrecorded?.id)).toMatchObject({ status: 404 });
		expect(await breakOf(id, receipt)).toMatchObject({ action: "WAIT" });
		expect(await tell(missing?.id)).toMatchObject({ status: 200 });
		expect(await tell(missing?.id)).toMatchObject({ status: 200 });
		const other = await givenLenderWithStatements();
		expect(await call(askAboutStatementBreak, { ...other.by, path: { breakId: missing?.id ?? "" } })).toMatchObject({ status: 404 });
	});

	it("is that nobody can be asked, where no connection to the statement's number is there", async () => {
		await recorded("SG632NMUAB", 5_000);
		const statementId = await sendStatement({ by }, [], { number: NUMBER, account: "WORKING" });
		const [found] = (await compare({ by }, statementId)).breaks;
		expectOk(await call(deleteDarajaConnection, { as: by.as, path: { organizationId: loan.lender.organization.id } }));
		expect(expectOk(await ask(found?.id))).toMatchObject({ status: "OPEN", action: "EXPLAIN", answer: "NONE" });
		expect(loan.standIn.reports.filter(({ url }) => url.includes("/breaks/"))).toEqual([]);
	});
});
