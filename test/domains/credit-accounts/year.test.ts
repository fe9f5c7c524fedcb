// An account whose due work waits for a year ends in the same state as one whose work is done each day.
// @module-tag thorough

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq, inArray } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { workOnAccounts } from "../../../src/domains/credit-accounts/job";
import { accountTransactions, creditAccounts, creditCycles } from "../../../src/domains/credit-accounts/table";
import { atInstant } from "../../../src/runtime/making-services";
import { DAY_MS } from "../../../src/shared/time";
import { moveClock } from "../../support/clock";
import { givenLoan, pay, THREE_INSTALLMENTS } from "../../support/credit";
import { db } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { LOAN_PRODUCT } from "../../support/loans";
import { servicesFor } from "../../support/outbound";

const ACCOUNTS = 6;
const DAYS = 365;

const penalties = (trigger: "AFTER_LOAN_END" | "AFTER_INSTALLMENT_DUE", period_days: number) => ({
	penalty_terms: { ...LOAN_PRODUCT.penalty_terms, trigger, period_days, grace_period_days: period_days % 4 },
});
const PRODUCTS = [
	{ ...THREE_INSTALLMENTS, ...penalties("AFTER_INSTALLMENT_DUE", 14) },
	{ ...THREE_INSTALLMENTS, ...penalties("AFTER_LOAN_END", 30) },
	{ auto_renews: true, ...penalties("AFTER_INSTALLMENT_DUE", 30) },
	{ loan_product_type: "FLAT" as const, fee_basis_points: 150, ...penalties("AFTER_LOAN_END", 14) },
];

/** Does the due work of that day, in every database. */
async function workOnDay(now: number): Promise<void> {
	for (const here of (await servicesFor({ env, ctx: createExecutionContext() })).everywhere()) {
		while (await workOnAccounts(atInstant(here, now)));
	}
}

/** The final state of an account and its transactions, without ids and positions. */
async function storyOf(accountId: string) {
	const [account] = await db.select().from(creditAccounts).where(eq(creditAccounts.id, accountId));
	const facts = await db.select().from(accountTransactions).where(eq(accountTransactions.accountId, accountId));
	const cycles = await db.select().from(creditCycles).where(eq(creditCycles.accountId, accountId));
	if (!account) throw new Error("expected an account");
	const { status, principalOutstanding, overpaidAmount, earliestDue, nextWorkAt, loansRepaidOnTime } = account;
	return {
		account: { status, principalOutstanding, overpaidAmount, earliestDue, nextWorkAt, loansRepaidOnTime },
		facts: facts.map(({ kind, valueDate, amount, number }) => `${valueDate} ${kind} ${number} ${amount}`).sort(),
		cycles: cycles
			.sort((a, b) => a.number - b.number)
			.map(({ number, status: state, principal, startDate, finalDueDate }) => ({ number, state, principal, startDate, finalDueDate })),
	};
}

describe("a year in one jump", () => {
	it("leaves each account as 365 daily runs do", { timeout: 1_200_000 }, async () => {
		const started = Date.now();
		const pairs: { daily: string; jump: string }[] = [];
		for (let index = 0; index < ACCOUNTS; index++) {
			const product = PRODUCTS[index % PRODUCTS.length];
			const amount = 10_000 + 500 * index;
			const made = [];
			for (const name of ["daily", "jump"]) {
				const loan = await givenLoan(amount, product);
				if (index % 3 === 0) await pay(loan, 1_500 + index, `${name} ${index}`, started);
				made.push(loan);
			}
			const [daily, jump] = made.map(({ accountId }) => accountId);
			if (daily && jump) pairs.push({ daily, jump });
		}
		const left = await db
			.select()
			.from(creditAccounts)
			.where(
				inArray(
					creditAccounts.id,
					pairs.map(({ jump }) => jump),
				),
			);
		// No work is done on these accounts for a year.
		for (const { id } of left) await db.update(creditAccounts).set({ nextWorkAt: null }).where(eq(creditAccounts.id, id));
		for (let day = 1; day <= DAYS; day++) await workOnDay(started + day * DAY_MS);
		for (const { id, nextWorkAt } of left) await db.update(creditAccounts).set({ nextWorkAt }).where(eq(creditAccounts.id, id));
		await workOnDay(started + DAYS * DAY_MS);

		for (const { daily, jump } of pairs) expect(await storyOf(jump)).toEqual(await storyOf(daily));
		const charged = (await db.select().from(accountTransactions)).filter(({ kind }) => kind === "PENALTY");
		expect(charged.length).toBeGreaterThan(3 * ACCOUNTS);
		await moveClock(DAYS * DAY_MS);
		await expectStoredEqualsReplay();
	});
});
