// What must add up in every answer about a credit account that any test sees: its balance, installments, statement, payoff, and the
// lines that explain it.

import type { z } from "zod";
import type { Statement } from "../../src/domains/accounts/wire";
import type { CreditAccount, Explanation, Installment, Payoff } from "../../src/domains/credit-accounts/wire";

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

function equal(what: string, actual: number, expected: number): void {
	if (actual !== expected) throw new Error(`${what}: ${actual} is not ${expected}`);
}

function holds(what: string, condition: boolean): void {
	if (!condition) throw new Error(what);
}

/** By a member that only this resource has. */
const IDENTITIES: Readonly<Record<string, (value: never) => void>> = {
	available_limit({ balance, paid_at, final_payment_due_date }: z.output<typeof CreditAccount>) {
		if (balance === undefined) return;
		const { total_charged, total_paid, total_waived, total_outstanding, principal_used, breakdown } = balance;
		equal("total_charged - total_paid - total_waived", total_charged - total_paid - total_waived, total_outstanding);
		equal("the sum of the breakdown", sum(Object.values(breakdown)), total_outstanding);
		equal("principal_used", principal_used, breakdown.principal_outstanding);
		holds(
			"no part of a balance is negative",
			[...Object.values(breakdown), total_charged, total_paid, total_waived].every((part) => part >= 0),
		);
		holds("paid_at is null while something is owed", total_outstanding === 0 || paid_at === null);
		const owesLoan = total_outstanding - breakdown.refund_uncovered > 0;
		holds("a final due date while a loan is owed", !owesLoan || final_payment_due_date !== null);
	},
	due_date({ principal, interest, penalty, paid, waived, outstanding, arrears, status }: z.output<typeof Installment>) {
		if (waived === undefined || outstanding === undefined) return;
		equal("principal + interest + penalty - paid - waived", principal + interest + penalty - paid - waived, outstanding);
		holds(
			"no part of an installment is negative",
			[principal, interest, arrears, penalty, paid, waived, outstanding].every((part) => part >= 0),
		);
		holds("an installment is settled when nothing of it is owed", (outstanding === 0) === (status === "SETTLED" || status === "WAIVED"));
	},
	scheduled_total({ lines, total_outstanding, scheduled_total }: z.output<typeof Explanation>) {
		equal("the sum of the lines", sum(lines.map(({ amount }) => amount)), total_outstanding);
		holds(
			"what is paid or waived names its transaction",
			lines.every(({ amount, transaction_id }) => amount >= 0 || transaction_id !== null),
		);
		holds("interest to come is not negative", scheduled_total >= total_outstanding);
	},
	payoff_amount(payoff: z.output<typeof Payoff>) {
		const { principal, interest, arrears, penalty, refund_uncovered } = payoff;
		equal("the parts of a payoff", principal + interest + arrears + penalty + refund_uncovered, payoff.payoff_amount);
	},
	opening_balance({
		opening_balance,
		entries,
		closing_balance,
		links = { prev: null, next: null },
	}: Omit<z.output<typeof Statement>, "links"> & {
		// A statement that was issued is whole.
		links?: { prev: string | null; next: string | null };
	}) {
		const [first, ...others] = entries;
		let balance = first?.running_balance ?? 0;
		for (const { amount, running_balance } of others) {
			balance += amount;
			equal("the running balance", running_balance, balance);
		}
		const last = others.at(-1) ?? first;
		// An empty page may lie behind any cursor.
		if (!first || !last) return;
		if (links.prev === null) equal("the opening balance", opening_balance, first.running_balance - first.amount);
		if (links.next === null) equal("the closing balance", closing_balance, last.running_balance);
	},
};

/** Throws where something in the answer does not add up. */
export function checkIdentities(value: unknown): void {
	if (typeof value !== "object" || value === null) return;
	if (!Array.isArray(value)) for (const [member, check] of Object.entries(IDENTITIES)) if (member in value) check(value as never);
	for (const part of Object.values(value)) checkIdentities(part);
}
