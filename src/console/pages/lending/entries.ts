// What the lines of a statement and the transactions of an account are called.

import type { CurrentAccountTransaction, RepaymentTransaction, Statement } from "../../typed.ts";

/** By rule of the book, and of a current account by type of transaction. */
const RULES: Readonly<Record<string, string>> = {
	DRAWN: "Drawn",
	ACCESS_FEE: "Fee on what was drawn",
	INTEREST_EARNED: "Interest",
	PENALTY_CHARGED: "Penalty",
	OVERDUE: "Overdue from this day on",
	PAID: "Paid",
	WAIVED: "Waived",
	ROLLED_OVER: "Carried into the next cycle",
	RESCHEDULED: "Other due dates",
	UNDONE: "Undone later",
	REVERSED: "Undoes an earlier transaction",
	RESTORED: "Undoes a reversal",
	OVERPAID: "Paid more than was owed",
	OVERPAYMENT_USED: "Taken from what was overpaid",
	REFUNDED: "Refunded",
};

export const ruleOf = (rule: string): string => RULES[rule] ?? (MOVEMENTS as Readonly<Record<string, string>>)[rule] ?? rule;

export const MOVEMENTS: Readonly<Record<CurrentAccountTransaction["type"], string>> = {
	MOVEMENT: "By the custodian",
	TRANSFER_OUT: "Transfer out",
	TRANSFER_IN: "Transfer in",
	INTEREST: "Interest",
	LOAN_REPAYMENT: "Repayment of a loan",
	LOAN_REFUND: "Refund of a loan",
	LOAN_DISBURSEMENT: "Loan paid out",
};

export const PARTS: Readonly<Record<Statement["entries"][number]["component"], string>> = {
	PRINCIPAL: "Principal",
	INTEREST: "Interest",
	ARREARS: "Overdue interest",
	PENALTY: "Penalty",
	OVERPAYMENT: "Overpaid",
	REFUND_UNCOVERED: "Refund to cover",
	BALANCE: "Balance",
};

export const KINDS: Readonly<Record<RepaymentTransaction["kind"], string>> = {
	REPAYMENT: "Payment",
	REVERSAL: "Reversal",
	WAIVER: "Waiver",
	REFUND: "Refund",
	WRITE_OFF: "Write-off",
	RESCHEDULE: "Other due dates",
	SETTLEMENT: "Settlement",
};
