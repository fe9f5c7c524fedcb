// What an approval will do, in words, before it is decided.

import { day, words } from "../../format.ts";
import type { Approval, ShownApproval } from "../../typed.ts";
import {
	amount,
	type Describe,
	type Effect,
	type Fields,
	limit,
	move,
	ofAmount,
	otherDates,
	ownNumbers,
	settlement,
	treasury,
	waiver,
} from "./effect.ts";
import { HELD } from "./held.ts";

export type Asked = Pick<Approval, "approval_type" | "entity_type" | "entity_id" | "payload"> & {
	readonly subject?: Pick<ShownApproval["subject"], "transaction_amount">;
};

const ABOUT: Readonly<Record<Approval["entity_type"], string>> = {
	USER: "User",
	TRANSACTION: "Transaction",
	ACCOUNT: "Account",
	ORGANIZATION: "Organization",
	OPERATION: "",
	TREASURY_RECORD: "Record",
};

const stageIn = (stage: Fields, index: number): string => {
	const days = typeof stage.up_to_days === "number" ? `up to ${stage.up_to_days} days past due` : "beyond";
	const rate = typeof stage.rate_basis_points === "number" ? stage.rate_basis_points / 100 : "?";
	return `Stage ${index + 1}, ${days}: ${rate} %`;
};

const CHANNELS: Readonly<Record<string, string>> = { MPESA: "M-Pesa", MOMO: "MTN MoMo", BANK: "the bank" };

const bandIn = ({ up_to, fee }: Fields, currency: unknown): string =>
	`${typeof up_to === "number" ? `up to ${amount(up_to, currency)}` : "beyond"}: ${amount(fee, currency)}`;

/** By type of request, what it does. A held call is in `HELD`. */
export const EFFECTS: Readonly<Record<Exclude<Approval["approval_type"], "OPERATION">, Describe>> = {
	BLOCK_CHANGE: ({ blocked }) =>
		blocked === false
			? { title: "Lift the block of a user", effect: "They can sign in again.", dangerous: false }
			: { title: "Block a user", effect: "All sessions of the user end at once, and they cannot sign in.", dangerous: true },
	REPAYMENT_REVERSAL: ({ return_money, amount: part, currency, transaction_amount }) => ({
		title:
			part === undefined
				? `Reverse a payment${ofAmount(transaction_amount, currency)}${return_money === true ? " and return its money" : ""}`
				: `Reverse ${amount(part, currency)} of a payment${ofAmount(transaction_amount, currency)}`,
		effect: `The book is replayed without ${part === undefined ? "the payment" : "that part of the payment"}; what it had settled is owed again.${return_money === true ? " The payer gets the money back." : ""}`,
		dangerous: true,
	}),
	REPAYMENT_RESTORATION: ({ transaction_amount, currency }) => ({
		title: `Undo the reversal of a payment${ofAmount(transaction_amount, currency)}`,
		effect: "The payment counts again, as if it had never been reversed.",
		dangerous: true,
	}),
	REPAYMENT_MOVE: move,
	TRANSACTION_REVERSAL: ({ transaction_amount, currency }) => ({
		title: `Undo a transaction${ofAmount(transaction_amount, currency)}`,
		effect: "The book is replayed as if it had never been posted.",
		dangerous: true,
	}),
	WRITE_OFF: () => ({
		title: "Write an account off",
		effect: "No interest and no penalties are charged any more. The debt stays, and what is paid later is recovered.",
		dangerous: true,
	}),
	SETTLEMENT: (fields) => settlement(fields),
	RESCHEDULE: (fields) => otherDates(fields),
	ACCOUNT_CLOSURE: () => ({
		title: "Close an account",
		effect: "Nothing is owed on it, and nothing can be drawn on it any more.",
		dangerous: true,
	}),
	FREEZE_CHANGE: ({ frozen }) =>
		frozen === false
			? { title: "Release a current account", effect: "Its user can spend from it again.", dangerous: true }
			: { title: "Freeze a current account", effect: "It takes money and spends nothing until it is released.", dangerous: true },
	WAIVER: (fields) => waiver(fields),
	OVERPAYMENT_REFUND: ({ amount: given, currency }) => ({
		title: `Give back ${amount(given, currency)} that was overpaid`,
		effect:
			"It leaves the account for the borrower's current account, or is paid out to them. No provider has verified that all of it was paid.",
		dangerous: true,
	}),
	LIMIT_CHANGE: (fields) => limit(fields),
	ISSUER_REGISTRATION: ({ issuer, kind }) => ({
		title: `Trust the issuer ${typeof issuer === "string" ? issuer : "named"}`,
		effect: `Its ${typeof kind === "string" ? `${kind} ` : ""}tokens are accepted from the next minute on.`,
		dangerous: true,
	}),
	NUMBER_RECOVERY: ({ number_ending }) => ({
		title: `Give a user another number${typeof number_ending === "string" ? `, ending in ${number_ending}` : ""}`,
		effect: "Their current account is frozen and their sessions end. They get the number after a waiting time, with a message each day.",
		dangerous: true,
	}),
	PROVISIONING_RULES: ({ effective_from, stages, cure_days }) => ({
		title: `Provide for loan losses by new rules${typeof effective_from === "string" ? ` from ${day(effective_from)} on` : ""}`,
		effect: `${Array.isArray(stages) ? `${stages.map(stageIn).join("; ")}. ` : ""}${typeof cure_days === "number" ? `A loan goes back a stage after ${cure_days} days with nothing overdue. ` : ""}The expected loss is posted at the end of each month.`,
		dangerous: true,
	}),
	LEDGER_CLOSING: ({ month }) => ({
		title: `Close ${typeof month === "string" ? month : "a month"} in the ledger`,
		effect: "Its balances are final. Later payments and corrections are booked in an open month.",
		dangerous: true,
	}),
	TREASURY_RECORD: (fields) => treasury(fields),
	PROVIDER_TARIFF: ({ channel, direction, currency, effective_from, bands }) => ({
		title: `Book charges of ${typeof channel === "string" ? (CHANNELS[channel] ?? channel) : "a provider"} by a new tariff${typeof effective_from === "string" ? ` from ${day(effective_from)} on` : ""}`,
		effect: `${Array.isArray(bands) ? `${direction === "RECEIPT" ? "Receipts" : "Payouts"} ${bands.map((band: Fields) => bandIn(band, currency)).join("; ")}. ` : ""}Each is charged at once, until a statement names the charge.`,
		dangerous: true,
	}),
	LEDGER_MAPPING: (fields) => ownNumbers(fields),
};

/** No role of a member can decide these: the platform bears the risk. */
const OF_OPERATORS: ReadonlySet<Approval["approval_type"]> = new Set([
	"LIMIT_CHANGE",
	"ISSUER_REGISTRATION",
	"NUMBER_RECOVERY",
	"OPERATION",
]);

export const isOfOperators = ({ approval_type }: Asked): boolean => OF_OPERATORS.has(approval_type);

const asFields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

/** `currency`: that of its amounts, undefined until it is known, null where nobody says it. */
export function effectOf({ approval_type, entity_type, payload, subject }: Asked, currency: string | null | undefined): Effect {
	const known: Fields = { currency, transaction_amount: subject?.transaction_amount };
	const fields: Fields = { ...known, ...asFields(payload) };
	if (approval_type !== "OPERATION") {
		const described = EFFECTS[approval_type]?.(fields, {});
		return { about: ABOUT[entity_type] ?? words(entity_type), ...(described ?? unknown(words(approval_type))) };
	}
	const operation = typeof fields.operation === "string" ? fields.operation : "A call";
	const described = HELD[operation]?.({ ...known, ...asFields(fields.body) }, asFields(fields.path) as Readonly<Record<string, string>>);
	return { about: "Call", ...(described ?? unknown(operation)) };
}

/** Of a later version of the service. */
const unknown = (name: string): ReturnType<Describe> => ({
	title: name,
	effect: "This console does not know what it does. Read what was asked before you decide.",
	dangerous: true,
});

const FAILURES: Readonly<Record<string, string>> = {
	OPERATOR_GONE: "The requester is no operator any more.",
	PAYLOAD_CHANGED: "The request was changed after it was made.",
	TARGET_CHANGED: "The record has changed since the request.",
	INVALID_PARAMS: "The service takes the call no more.",
	ISSUER_TAKEN: "The issuer is registered already.",
	LIMIT_UNCHANGED: "The limit was that already.",
	ALREADY_BLOCKED: "The user was blocked already.",
	NOT_BLOCKED: "The user was not blocked.",
	ALREADY_RECOVERING: "Another recovery of the number goes on.",
	NUMBER_UNCHANGED: "The user has this number already.",
	NUMBER_IN_USE: "Somebody else has the number.",
	MORE_THAN_OVERPAID: "Less than that is overpaid by now.",
	NOT_VERIFIED: "The money of a payment that no connection has verified cannot be returned.",
	REFUNDED: "The overpaid amount of the payment is refunded already.",
	NO_INITIATOR: "The M-Pesa connection has no initiator, which returns money.",
	RETURNED_BEFORE: "Its money is already being returned.",
	RETURN_OF_PART: "The money of a payment is returned whole only.",
	RETURN_OF_CENTS: "No cents can be returned.",
	MORE_THAN_REMAINS: "Less of the payment is left.",
	ALREADY_REVERSED: "It is reversed already.",
	NO_SUCH_REVERSAL: "The payment has no such reversal.",
	ALREADY_RESTORED: "The reversal is undone already.",
	MONEY_RETURNED: "The payer gets the money back, or may have it already.",
	BACK_ON_CURRENT_ACCOUNT: "The money is back on the current account that paid.",
	MOVED: "The payment was moved to another account.",
	NO_RECEIPT: "It was imported without its receipt.",
	REVERSED_IN_PART: "A part of the payment is reversed.",
	FROM_CURRENT_ACCOUNT: "The borrower has paid it from their current account.",
	SAME_ACCOUNT: "The payment is on this account, with this amount.",
	NO_SUCH_ACCOUNT: "The lender has no such account.",
	CURRENCY_MISMATCH: "The account has another currency.",
	ALREADY_CLOSED: "It is closed already.",
	SOMETHING_OWED: "Something is owed by now.",
	OVERPAID: "Refund the overpayment first.",
	PAYOUT_UNDER_WAY: "A payout is on its way.",
	NOTHING_TO_COME: "No installment is still to come.",
	FROZEN_FOR_RECOVERY: "A recovery of the user's number has frozen it.",
	OPEN_DAYS: "The month has open days.",
	NOT_AHEAD: "The day from which they count has begun.",
	TOO_FAR: "The day from which they count is more than a year ahead.",
	NOT_NEWEST: "There are later rules.",
	TOO_FAR_AHEAD: "The day from which they count is more than 366 days ahead.",
	SAME_DAY: "There are others from this day on already.",
	NO_SUCH_PRODUCT: "The organization has no such loan product.",
	RECORDED_ALREADY: "This money is recorded already.",
	ALREADY_CORRECTED: "The record is taken back already.",
	KEPT_ELSEWHERE: "The account is kept in another database.",
};

/** Why an approved change was not carried out. */
export const failureOf = (code: string): string => FAILURES[code] ?? `${words(code)}.`;
