// What waits for a lender's people now, as lines with their remedies.

import { amountIn, count, day, money, plural } from "../../format.ts";
import type { LenderAttention } from "../../typed.ts";

export interface Waits {
	readonly of: "failing" | "waiting" | "ended";
	readonly title: string;
	readonly remedy: string;
	/** Since when the oldest waits. */
	readonly oldest?: string | null;
	readonly to: string;
	readonly verb: string;
}

/** `8`, `1,000+` */
export const counted = ({ count: amount, more }: { readonly count: number; readonly more: boolean }): string =>
	more ? `${count(amount)}+` : count(amount);

/** `27,430.31 KES and 120.00 USD` */
export const sums = (amounts: LenderAttention["overdue"]["amounts"]): string =>
	amounts
		.filter(({ value }) => value > 0)
		.map(({ value, currency }) => `${money(value, currency)} ${currency}`)
		.join(" and ");

/** `100.00 KES more and 5.00 USD less on the statements than is recorded here.` */
const differences = (amounts: LenderAttention["overdue"]["amounts"]): string => {
	const told = amounts
		.filter(({ value }) => value !== 0)
		.map(({ value, currency }) => `${amountIn(currency, Math.abs(value))} ${value > 0 ? "more" : "less"}`);
	return told.length > 0
		? `${told.join(" and ")} on the statements than is recorded here.`
		: "Together the statements move what is recorded here.";
};

const PROVIDERS: Readonly<Record<string, string>> = { daraja: "M-Pesa", momo: "MTN MoMo" };

/** The most urgent first. */
export function waitsOf(found: LenderAttention): readonly Waits[] {
	const { overdue, unmatched_payments, waiting_users, payouts, approvals, paused_connections, low_floats, due_today, statement_breaks } =
		found;
	const lines: (Waits | false)[] = [
		...paused_connections.map(
			({ provider, reason, until }): Waits => ({
				of: "ended",
				title: `${PROVIDERS[provider] ?? provider} is paused`,
				remedy: `Nothing is paid out by it${until ? ` until ${day(until)}` : " until somebody resumes it"}.${reason ? ` Reason: ${reason}.` : ""}`,
				to: "/payouts",
				verb: "Look",
			}),
		),
		...low_floats.map(
			({ provider, available, waiting, paid_last_day, currency }): Waits => ({
				of: "failing",
				title: `${PROVIDERS[provider] ?? provider} holds ${amountIn(currency, available)}`,
				remedy: `${amountIn(currency, waiting)} waits to be paid out, and ${amountIn(currency, paid_last_day)} was paid out within a day: move money there.`,
				to: "/payouts",
				verb: "Look",
			}),
		),
		payouts.count > 0 && {
			of: "failing",
			title: `${counted(payouts)} ${payouts.count === 1 ? "payout hangs" : "payouts hang"}`,
			remedy: "Ordered more than ten minutes ago, without a result.",
			oldest: payouts.oldest,
			to: "/work?kind=DISBURSEMENT",
			verb: "Look",
		},
		overdue.count > 0 && {
			of: "failing",
			title: `${counted(overdue)} ${overdue.count === 1 ? "loan is" : "loans are"} overdue`,
			remedy: [sums(overdue.amounts), overdue.oldest_due_date && `the oldest since ${day(overdue.oldest_due_date)}`]
				.filter(Boolean)
				.join(", "),
			to: "/calls",
			verb: "Call",
		},
		unmatched_payments.count > 0 && {
			of: "waiting",
			title: `${counted(unmatched_payments)} ${unmatched_payments.count === 1 ? "payment has" : "payments have"} no account`,
			remedy: "Say whose they are: until then they pay nothing off.",
			oldest: unmatched_payments.oldest,
			to: "/payments",
			verb: "Match",
		},
		statement_breaks.count > 0 && {
			of: "failing",
			title: `${counted(statement_breaks)} ${statement_breaks.count === 1 ? "break" : "breaks"} with statements`,
			remedy: differences(statement_breaks.amounts),
			oldest: statement_breaks.oldest,
			to: "/statements",
			verb: "Look",
		},
		statement_breaks.untied_days > 0 && {
			of: "failing",
			title: `${plural(statement_breaks.untied_days, "day")} of statements not tied out`,
			remedy: "Their files lack lines: download them again.",
			to: "/statements",
			verb: "Look",
		},
		approvals.count > 0 && {
			of: "waiting",
			title: `${counted(approvals)} ${approvals.count === 1 ? "approval waits" : "approvals wait"} for a decision`,
			remedy: "Each expires after seven days.",
			oldest: approvals.oldest,
			to: "/approvals",
			verb: "Decide",
		},
		waiting_users.count > 0 && {
			of: "waiting",
			title: `${counted(waiting_users)} on the waiting list`,
			remedy: "They can ask for no loan before somebody admits them.",
			oldest: waiting_users.oldest,
			to: "/users?status=WAITING_LIST",
			verb: "Admit",
		},
		due_today.count > 0 && {
			of: "waiting",
			title: `${plural(due_today.count, "loan")} due today`,
			remedy: "Installments that are not paid by midnight are overdue.",
			to: "/accounts?due=today",
			verb: "Look",
		},
	];
	return lines.filter((line) => line !== false);
}
