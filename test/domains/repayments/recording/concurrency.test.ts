// Two things that happen to one account concurrently. Each pair is forced into the worst order: the second happens as a whole between the
// first one's read and its commit.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditRows } from "../../../../src/db/audit.table";
import { changeTenure } from "../../../../src/domains/accounts/tenure.operations";
import { workOnAccounts } from "../../../../src/domains/credit-accounts/job";
import { listInstallments } from "../../../../src/domains/credit-accounts/operations";
import { accountTransactions, creditAccounts, creditCycles } from "../../../../src/domains/credit-accounts/table";
import { draw } from "../../../../src/domains/loans/draws.operations";
import { reverseRepayment, waive } from "../../../../src/domains/repayments/corrections/operations";
import { postWaitingPayments } from "../../../../src/domains/repayments/recording/job";
import { recordRepayment } from "../../../../src/domains/repayments/recording/operations";
import { payments } from "../../../../src/domains/repayments/table";
import { matchPayment } from "../../../../src/domains/repayments/unmatched/operations";
import { DAY_MS } from "../../../../src/shared/time";
import { call, expectOk } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import { givenLoan, paymentTo, THREE_INSTALLMENTS } from "../../../support/credit";
import { db, operatorToken } from "../../../support/factories";
import { expectOneSum, expectStoredEqualsReplay } from "../../../support/ledgers";
import { beforeCommit, eventsOf, LOAN_PRODUCT, runDueWork } from "../../../support/loans";

const PENALTIES = {
	...THREE_INSTALLMENTS,
	penalty_terms: { ...LOAN_PRODUCT.penalty_terms, trigger: "AFTER_INSTALLMENT_DUE" as const, grace_period_days: 0 },
};

type Loan = Awaited<ReturnType<typeof givenLoan>> & { earlier: string; unmatched: string };
type Vars = Partial<Env>;
type Outcome = { status: number };

/** A loan with a payment that was posted, and a payment that waits to be matched. */
async function givenBusyLoan(product: Parameters<typeof givenLoan>[1]): Promise<Loan> {
	const loan = await givenLoan(30_000, product);
	const earlier = expectOk(await call(recordRepayment, { as: loan.key, body: paymentTo(loan.accountId, 1_000) })).transaction.id;
	const { account_id: _, ...body } = paymentTo(loan.accountId, 700);
	const kept = await call(recordRepayment, { as: loan.key, body: { ...body, account_number: "07-typo" } });
	return { ...loan, earlier, unmatched: expectOk(kept).transaction.id };
}

const paying = (value: number) => async (loan: Loan, vars: Vars) =>
	call(recordRepayment, { as: loan.key, body: paymentTo(loan.accountId, value, crypto.randomUUID()), vars });
const drawing = (amount: number) => (loan: Loan, vars: Vars) => call(draw, { as: loan.borrower.token, path: loan, body: { amount }, vars });
/** What falls due with time: penalties, overdue installments and roll-overs. */
const timePasses = async (_: Loan, vars: Vars): Promise<Outcome> => {
	await runDueWork(workOnAccounts, vars);
	return { status: 200 };
};

const ACTS = {
	"a payment": paying(2_000),
	"another payment": paying(3_000),
	"a reversal": async ({ earlier }: Loan, vars: Vars) =>
		call(reverseRepayment, { as: await operatorToken(), path: { id: earlier }, body: { reason: "somebody else's" }, vars }),
	"a draw": drawing(10_000),
	"another draw": drawing(20_000),
	"the passing of days": timePasses,
	"a change of tenure": (loan: Loan, vars: Vars) =>
		call(changeTenure, { as: loan.borrower.token, path: loan, body: { tenure: { duration: 45, unit: "DAYS" } }, vars }),
	"a match": async ({ unmatched, accountId }: Loan, vars: Vars) =>
		call(matchPayment, { as: await operatorToken(), path: { id: unmatched }, body: { account_id: accountId }, vars }),
	"a waiver": async (loan: Loan, vars: Vars) => {
		const [first] = expectOk(await call(listInstallments, { as: loan.borrower.token, path: loan, query: {} })).data;
		const body = { installment_id: first?.id ?? "", amount: 100, reason: "goodwill" };
		return call(waive, { as: await operatorToken(), path: loan, body, vars });
	},
} satisfies Record<string, (loan: Loan, vars: Vars) => Promise<Outcome>>;
type Act = keyof typeof ACTS;

/** Before any installment is due, when draws are still allowed. */
const EARLY: [Act, Act][] = [
	["a payment", "a reversal"],
	["a payment", "a draw"],
	["a payment", "a change of tenure"],
	["a payment", "another payment"],
	["a payment", "a waiver"],
	["a draw", "another draw"],
	["a draw", "a reversal"],
	["a match", "a payment"],
	["a match", "a draw"],
	["a change of tenure", "a draw"],
];
/** On a day whose penalties and overdue installments are not recorded yet. */
const LATE: [Act, Act][] = [
	["a payment", "the passing of days"],
	["a reversal", "the passing of days"],
	["a match", "the passing of days"],
	["a waiver", "the passing of days"],
];
const bothOrders = (pairs: [Act, Act][]) =>
	pairs.flatMap(([a, b]): [Act, Act][] => [
		[a, b],
		[b, a],
	]);

async function meet(loan: Loan, first: Act, second: Act): Promise<[Outcome, Outcome | undefined]> {
	let during: Outcome | undefined;
	const outcome = await ACTS[first](
		loan,
		beforeCommit(async () => {
			during = await ACTS[second](loan, {});
		}),
	);
	return [outcome, during];
}

describe("two concurrent changes", () => {
	it.each(bothOrders(EARLY))("%s, meanwhile %s: both happen, and the book is consistent", async (first, second) => {
		const loan = await givenBusyLoan(PENALTIES);
		const [outcome, during] = await meet(loan, first, second);
		expect([outcome.status, during?.status]).toEqual([expect.toBeOneOf([200, 201]), expect.toBeOneOf([200, 201])]);
		await expectStoredEqualsReplay();
		await expectOneSum(loan);
		const kinds = (await db.select().from(accountTransactions)).map(({ kind }) => kind);
		expect(kinds.filter((kind) => kind === "DRAW")).toHaveLength(1 + [first, second].filter((act) => act.endsWith("draw")).length);
	});

	it("reports of one payment record it once, with one row in the audit trail", async () => {
		const loan = await givenBusyLoan(PENALTIES);
		const body = paymentTo(loan.accountId, 900);
		const report = (vars: Vars = {}) => call(recordRepayment, { as: loan.key, body, vars });
		let during: Outcome | undefined;
		const outcome = await report(
			beforeCommit(async () => {
				during = await report();
			}),
		);
		expect([outcome.status, during?.status]).toEqual([200, 201]);
		expect((await db.select().from(payments)).filter(({ amount }) => amount === 900)).toHaveLength(1);
		const rows = (await db.select().from(auditRows)).filter(({ operation }) => operation === "recordRepayment");
		// Two of the loan's own.
		expect(rows).toHaveLength(3);
	});

	it.each(bothOrders(LATE))("%s, meanwhile %s: both happen, and each penalty is charged once", async (first, second) => {
		const loan = await givenBusyLoan(PENALTIES);
		await moveClock(40 * DAY_MS);
		const [outcome] = await meet(loan, first, second);
		expect(outcome.status).toBeLessThan(300);
		await runDueWork(workOnAccounts);
		await expectStoredEqualsReplay();
		await expectOneSum(loan);
		const types = (await eventsOf(loan.organization.id)).map(({ type }) => type);
		expect(types.filter((type) => type === "credit_account.installment_overdue")).toHaveLength(1);
		const penalties = (await db.select().from(accountTransactions)).filter(({ kind }) => kind === "PENALTY");
		expect(types.filter((type) => type === "credit_account.penalty_applied")).toHaveLength(penalties.length);
		expect(penalties.length).toBeGreaterThan(0);
	});

	it.each<[Act, Act]>([
		["a payment", "the passing of days"],
		["the passing of days", "a payment"],
		["a change of tenure", "the passing of days"],
		["the passing of days", "a change of tenure"],
		["a draw", "the passing of days"],
		["the passing of days", "a draw"],
		["a match", "the passing of days"],
		["the passing of days", "a match"],
		["a reversal", "the passing of days"],
		["the passing of days", "a reversal"],
	])("%s, meanwhile %s with a roll-over: the principal rolls over once, and the book is consistent", async (first, second) => {
		const loan = await givenBusyLoan({ auto_renews: true });
		await moveClock(30 * DAY_MS);
		const interest = { as: loan.key, body: paymentTo(loan.accountId, 2_900, "interest", Date.now() + 30 * DAY_MS) };
		expectOk(await call(recordRepayment, interest));
		await moveClock(DAY_MS);
		const [outcome, during] = await meet(loan, first, second);
		expect([outcome.status, during?.status]).toEqual([expect.toBeOneOf([200, 201]), expect.toBeOneOf([200, 201])]);
		await runDueWork(workOnAccounts);
		const cycles = (await db.select().from(creditCycles)).sort((a, b) => a.number - b.number);
		expect(cycles.map(({ number, rolledFromId }) => [number, rolledFromId])).toEqual([
			[1, null],
			[2, cycles[0]?.id],
		]);
		expect([30, 45]).toContain(cycles[1]?.terms.tenure.duration);
		await expectStoredEqualsReplay();
		await expectOneSum(loan);
	});

	it("draws that exceed the limit together: the second is refused", async () => {
		const loan = await givenBusyLoan(PENALTIES);
		let during: Outcome | undefined;
		const outcome = await drawing(50_000)(
			loan,
			beforeCommit(async () => {
				during = await drawing(50_000)(loan, {});
			}),
		);
		expect([outcome.status, during?.status]).toEqual([400, 200]);
		await expectStoredEqualsReplay();
	});
});

describe("sixty payments that wait", () => {
	it("are posted in portions, by the next payment and by the sweep", async () => {
		const loan = await givenBusyLoan(PENALTIES);
		const [row] = await db.select().from(payments);
		if (!row) throw new Error("expected a payment");
		const waiting = Array.from({ length: 60 }, (_, index) => ({
			...row,
			id: `${row.id.slice(0, -4)}${(4_096 + index).toString(16)}`,
			mobileMoneyTransactionId: `W${index}`,
			status: "CONFIRMED" as const,
			accountId: loan.accountId,
			unmatchedReason: null,
			postedAt: null,
			amount: 100,
		}));
		for (const payment of waiting) await db.insert(payments).values(payment);
		expect((await paying(500)(loan, {})).status).toBe(201);
		const posted = async () => (await db.select().from(payments)).filter(({ status }) => status === "POSTED").length;
		expect(await posted()).toBe(52);
		await moveClock(2 * 60_000);
		await runDueWork(postWaitingPayments);
		expect(await posted()).toBe(62);
		await expectStoredEqualsReplay();
	});
});

it("work that a failure puts off while a payment is decided is due when the payment says", async () => {
	const loan = await givenLoan(30_000, THREE_INSTALLMENTS);
	const isTheLoan = eq(creditAccounts.id, loan.accountId);
	const dueAt = async () => (await db.select({ at: creditAccounts.nextWorkAt }).from(creditAccounts).where(isTheLoan))[0]?.at;
	const before = await dueAt();
	expect(before).toBeGreaterThan(0);
	const putOff = { nextWorkAt: (before ?? 0) + DAY_MS };
	const vars = beforeCommit(() => db.update(creditAccounts).set(putOff).where(isTheLoan));
	expectOk(await call(recordRepayment, { as: loan.key, body: paymentTo(loan.accountId, 2_000), vars }));
	expect(await dueAt()).toBe(before);
});
