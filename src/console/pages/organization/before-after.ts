// What an approval changes, before and after, as far as it is known now.

import { amountIn, day, plural } from "../../format.ts";
import type { BodyOf, CreditAccount, PlatformUser, ShownApproval } from "../../typed.ts";

export interface Known {
	/** The account that it is about, as it is today. */
	readonly account?: Pick<CreditAccount, "currency" | "available_balance" | "balance"> | undefined;
	readonly user?: PlatformUser | undefined;
	/** What other due dates would make of the installments. */
	readonly reschedule?: BodyOf<"GET /v1/accounts/{accountId}/reschedule"> | undefined;
}

type Change = Pick<ShownApproval, "approval_type" | "payload" | "subject">;
type Sent = { readonly operation?: string; readonly body?: Fields };
type Fields = Readonly<Record<string, unknown>>;

/** Held calls that do the same as a type of request. */
const LIKE: Readonly<Record<string, ShownApproval["approval_type"]>> = {
	waive: "WAIVER",
	settleAccount: "SETTLEMENT",
	refundOverpayment: "OVERPAYMENT_REFUND",
	reverseRepayment: "REPAYMENT_REVERSAL",
	reverseTransaction: "TRANSACTION_REVERSAL",
	moveRepayment: "REPAYMENT_MOVE",
	putCreditProfile: "LIMIT_CHANGE",
};

/** `3 installments to pay, from 1 Dec 2026 to 1 Feb 2027` */
function toPay(rows: NonNullable<Known["reschedule"]>["before"]): string {
	const due = rows.filter(({ outstanding }) => outstanding > 0).map(({ due_date }) => day(due_date));
	return `${plural(due.length, "installment")} to pay, from ${due[0] ?? "–"} to ${due.at(-1) ?? "–"}`;
}

export type BeforeAfter = readonly (readonly [name: string, value: string])[];

export function beforeAndAfter({ approval_type, payload, subject }: Change, { account, user, reschedule }: Known): BeforeAfter {
	const sent = (payload ?? {}) as Sent & Fields;
	const type = approval_type === "OPERATION" ? LIKE[sent.operation ?? ""] : approval_type;
	const fields: Fields = approval_type === "OPERATION" ? (sent.body ?? {}) : sent;
	const pair = (before: string, after: string): BeforeAfter => [
		["Before", before],
		["After", after],
	];
	if (reschedule) return pair(toPay(reschedule.before), toPay(reschedule.after));
	if (account) {
		const money = (minor: number) => amountIn(account.currency, minor);
		const owed = account.balance.total_outstanding;
		const amount = typeof fields.amount === "number" ? fields.amount : undefined;
		switch (type) {
			case "WAIVER":
				return amount === undefined ? [] : pair(`${money(owed)} owed`, `${money(Math.max(owed - amount, 0))} owed`);
			case "WRITE_OFF":
				return pair(`${money(owed)} owed, with interest and penalties to come`, `${money(owed)} owed, and nothing is charged on it`);
			case "SETTLEMENT": {
				if (amount === undefined) return [];
				const until = typeof fields.valid_until === "string" ? ` by ${day(fields.valid_until)}` : " in time";
				return pair(`${money(owed)} owed`, `${money(amount)} to pay${until}, then ${money(Math.max(owed - amount, 0))} is waived`);
			}
			case "OVERPAYMENT_REFUND": {
				const over = Math.max(account.available_balance ?? 0, 0);
				return pair(`${money(over)} overpaid`, `${money(Math.max(over - (amount ?? over), 0))} overpaid`);
			}
			case "REPAYMENT_REVERSAL":
			case "TRANSACTION_REVERSAL":
			case "REPAYMENT_MOVE": {
				// A move that corrects the amount undoes the recorded amount whole.
				const undone = (type === "REPAYMENT_MOVE" ? undefined : amount) ?? subject.transaction_amount;
				return undone === null
					? []
					: pair(`${money(owed)} owed`, `${money(undone)} is undone: what it had settled is owed again, with the interest that follows`);
			}
		}
	}
	if (!user) return [];
	switch (type) {
		case "BLOCK_CHANGE":
			return pair(user.blocked ? "Blocked" : "Not blocked", fields.blocked === false ? "Not blocked" : "Blocked");
		case "LIMIT_CHANGE": {
			const { credit_limit: limit } = user;
			if (!limit) return [];
			const told = (minor: number | null) => (minor === null ? "none" : amountIn(limit.currency, minor));
			return pair(told(limit.effective), typeof fields.limit === "number" ? told(fields.limit) : "Computed from loans repaid on time");
		}
		case "NUMBER_RECOVERY":
			return pair(user.mobile_number ?? "No number", `A number ending in ${String(fields.number_ending ?? "…")}`);
		default:
			return [];
	}
}
