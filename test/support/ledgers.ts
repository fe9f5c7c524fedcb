// Invariants of every credit account: its stored values equal a replay of all its facts, and all reads of it agree.

import { expect } from "vitest";
import { getAccount } from "../../src/domains/accounts/operations";
import { overpaidOf } from "../../src/domains/credit-accounts/book/allocation-rows.policy";
import { balanceOf } from "../../src/domains/credit-accounts/book/balance.policy";
import { replay } from "../../src/domains/credit-accounts/book/book.policy";
import { factsInOrder } from "../../src/domains/credit-accounts/book/facts.policy";
import type { Ledger } from "../../src/domains/credit-accounts/book/ledger.policy";
import { standingOf } from "../../src/domains/credit-accounts/book/standing.policy";
import { bookOf } from "../../src/domains/credit-accounts/ledger.store";
import { explainBalance, getPayoff, listInstallments } from "../../src/domains/credit-accounts/operations";
import { accountTransactions, allocations, creditAccounts, creditCycles, installments } from "../../src/domains/credit-accounts/table";
import { localDate } from "../../src/shared/time";
import { call, expectOk } from "./client";
import { expectCredit } from "./credit";
import { db } from "./factories";

type Sums = Map<string, number[]>;

function add(sums: Sums, key: string, amounts: readonly number[]): void {
	const known = sums.get(key) ?? amounts.map(() => 0);
	sums.set(
		key,
		known.map((amount, index) => amount + (amounts[index] ?? 0)),
	);
}

/** The sums by transaction and installment, in order, without those that are zero. */
const entriesOf = (sums: Sums) => [...sums].filter(([, amounts]) => amounts.some((amount) => amount !== 0)).sort();

function allocatedBy({ allocations: parts }: Ledger): Sums {
	const sums: Sums = new Map();
	for (const { transactionId, cycleId, installment, principal, interest, arrears, penalty } of parts) {
		add(sums, `${transactionId} ${cycleId} ${installment}`, [principal, interest, arrears + penalty, penalty].map(Number));
	}
	return sums;
}

/** Expects that the cached values and the posted rows of an account, by default of every account, equal a replay of its facts. */
export async function expectStoredEqualsReplay(only?: string): Promise<void> {
	const accounts = (await db.select().from(creditAccounts)).filter(({ id }) => only === undefined || id === only);
	const transactions = await db.select().from(accountTransactions);
	const cycles = await db.select().from(creditCycles);
	const rows = await db.select().from(installments);
	const allocated = await db.select().from(allocations);
	for (const account of accounts) {
		const own = <Row extends { accountId: string }>(all: readonly Row[]) => all.filter(({ accountId }) => accountId === account.id);
		const book = bookOf({ account, transactions: own(transactions), cycles: own(cycles), installments: own(rows) });
		const ledger = replay(book, account.workedThrough ?? localDate(account.updatedAt, account.terms.timeZone));
		const balance = balanceOf(ledger);
		expect(account).toMatchObject({
			principalOutstanding: Number(balance.breakdown.principal + balance.breakdown.refundUncovered),
			overpaidAmount: Number(balance.overpaid),
			earliestDue: standingOf(ledger).dueDate,
			lastPosition: own(transactions).length,
		});
		// Rows of their own hold what reversals have taken back, and what has undone them.
		const byId = new Map(book.facts.map((fact) => [fact.id, fact]));
		const aboutOf = (id: string): string => {
			const { kind, reversesId } = byId.get(id) ?? {};
			return kind === "REVERSAL" && reversesId && byId.has(reversesId) ? aboutOf(reversesId) : id;
		};
		const stored: Sums = new Map();
		for (const row of own(allocated)) {
			const { principalAmount, interestAmount, arrearsAmount, penaltyAmount } = row;
			const amounts = [principalAmount, interestAmount, arrearsAmount, penaltyAmount];
			add(stored, `${aboutOf(row.transactionId)} ${row.cycleId} ${row.position}`, amounts);
		}
		expect(entriesOf(stored)).toEqual(entriesOf(allocatedBy(ledger)));
		for (const fact of factsInOrder(book.facts).filter(({ kind }) => kind === "REPAYMENT")) {
			const taken = [...stored].filter(([key]) => key.startsWith(fact.id)).reduce((sum, [, [a = 0, b = 0, c = 0]]) => sum + a + b + c, 0);
			expect(taken + Number(overpaidOf(fact, ledger))).toBe(fact.amount);
		}
		const penalties = own(transactions).filter(({ kind }) => kind === "PENALTY" || kind === "PENALTY_CORRECTION");
		expect(penalties.reduce((sum, { amount }) => sum + amount, 0)).toBe(
			Number(ledger.penalties.reduce((sum, { amount }) => sum + amount, 0n)),
		);
		const open = ledger.cycles.filter(({ outstanding }) => outstanding.principal + outstanding.interest + outstanding.penalty > 0n);
		expect(new Set(own(cycles).flatMap(({ id, status }) => (status === "OPEN" ? [id] : [])))).toEqual(
			new Set(open.map(({ cycle }) => cycle.id)),
		);
	}
}

/** Expects that every read of the account shows the same amount owed, and returns it. */
export async function expectOneSum({ borrower, accountId }: { borrower: { token: string }; accountId: string }): Promise<number> {
	const as = borrower.token;
	const path = { accountId };
	const { balance } = expectCredit(await call(getAccount, { as, path }));
	const { breakdown, total_outstanding } = balance;
	const components = Object.values(breakdown);
	const payoff = expectOk(await call(getPayoff, { as, path, query: {} }));
	const explained = expectOk(await call(explainBalance, { as, path, query: {} }));
	const rows = expectOk(await call(listInstallments, { as, path, query: { size: "100" } })).data;
	const amounts = rows.flatMap(({ principal, interest, arrears, penalty, paid, outstanding }) => [
		principal,
		interest,
		arrears,
		penalty,
		paid,
		outstanding,
	]);
	expect([...components, ...amounts].filter((amount) => amount < 0)).toEqual([]);
	expect(rows.reduce((sum, { outstanding }) => sum + outstanding, breakdown.refund_uncovered)).toBe(explained.scheduled_total);
	const sums = [
		components.reduce((sum, amount) => sum + amount, 0),
		payoff.payoff_amount,
		explained.total_outstanding,
		explained.lines.reduce((sum, { amount }) => sum + amount, 0),
	];
	expect(sums).toEqual(Array(4).fill(total_outstanding));
	return total_outstanding;
}
