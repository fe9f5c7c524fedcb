// What a change does, in words, and those changes that are asked for as requests and as held calls alike.

import { amountIn, day, plural } from "../../format.ts";

export interface Effect {
	/** Begins with a verb, and names what is changed to what. */
	readonly title: string;
	readonly effect: string;
	/** What it is about, without its id: `User`. */
	readonly about: string;
	/** It takes something from somebody, or cannot be taken back. */
	readonly dangerous: boolean;
}

export type Fields = Readonly<Record<string, unknown>>;
export type Describe = (fields: Fields, path: Readonly<Record<string, string>>) => Omit<Effect, "about"> & { readonly about?: string };

/** `currency`: undefined until it is known, null where nobody says it. */
export const amount = (value: unknown, currency: unknown): string => {
	if (typeof value !== "number") return "an amount";
	return currency === undefined ? "…" : amountIn(typeof currency === "string" ? currency : null, value);
};

/** ` of 92.53 KES`, where it is known. */
export const ofAmount = (value: unknown, currency: unknown): string => (typeof value === "number" ? ` of ${amount(value, currency)}` : "");

export function settlement({ amount: least, valid_until, currency }: Fields): ReturnType<Describe> {
	const until = typeof valid_until === "string" ? ` until ${day(valid_until)}` : " in time";
	return {
		title: `Settle an account for ${amount(least, currency)}`,
		effect: `Once ${amount(least, currency)} is paid${until}, the rest of what is owed is waived.`,
		dangerous: true,
	};
}

/** The numbers of accounts in the lender's own ledger. */
export function ownNumbers({ loan_product_id, effective_from, accounts }: Fields): ReturnType<Describe> {
	const numberIn = ({ account, number }: Fields) => (account === number ? `${account}` : `${account} is ${number}`);
	const from = typeof effective_from === "string" ? ` from ${day(effective_from)} on` : "";
	return {
		title: `Book by other numbers in the own ledger${from}${loan_product_id ? ", for one product" : ""}`,
		effect: `${Array.isArray(accounts) && accounts.length > 0 ? accounts.map(numberIn).join(", ") : "The numbers of all products"}. Files of earlier days keep their numbers.`,
		dangerous: true,
	};
}

/** Money of a lender: where it came from or went. */
export const TREASURY: Readonly<Record<string, string>> = {
	BORROWED: "Borrowed funds received",
	REPAID: "Borrowed funds paid back",
	INTEREST: "Interest paid for borrowed funds",
	CONTRIBUTED: "Owners' money received",
	DRAWN: "Owners' money taken out",
	TRANSFER: "Transfer between cash accounts",
};

export function treasury({ kind, amount: moved, currency, account, to_account, value_date, reference, corrects_id }: Fields) {
	const text = (value: unknown, other: string) => (typeof value === "string" ? value : other);
	const what = TREASURY[text(kind, "")]?.toLowerCase() ?? "money of the lender";
	const to = typeof to_account === "string" ? ` to ${to_account}` : "";
	const on = typeof value_date === "string" ? `, ${day(value_date)}` : "";
	return {
		title: `${corrects_id ? "Take back" : "Record"} ${amount(moved, currency)}: ${what}`,
		effect: `Account ${text(account, "of cash")}${to}${on}, reference ${text(reference, "none")}. A record is never changed, only taken back.`,
		dangerous: true,
	};
}

export function waiver({ amount: given, currency }: Fields): ReturnType<Describe> {
	return {
		title: `Waive ${amount(given, currency)}`,
		effect: "The borrower owes that much less of one installment, today.",
		dangerous: true,
	};
}

/** Other due dates of the installments to come. */
export function otherDates({ kind, installments, due_dates: dates }: Fields): ReturnType<Describe> {
	const many = typeof installments === "number" ? plural(installments, "installment") : "installments";
	const given = Array.isArray(dates) ? `: ${dates.map((date) => day(String(date))).join(", ")}` : "";
	return {
		about: "Account",
		title: kind === "HOLIDAY" ? `Put ${many} off` : kind === "EXTEND" ? `Add ${many} to a loan` : `Give a loan other due dates${given}`,
		effect: "Principal that is not yet due is spread over the later installments. Interest runs as long as it is owed.",
		dangerous: true,
	};
}

export function limit({ limit: most, currency }: Fields): ReturnType<Describe> {
	if (typeof most !== "number") {
		return { title: "Restore a user's computed limit", effect: "The limit follows from loans repaid on time again.", dangerous: false };
	}
	return {
		title: `Set a user's limit to ${amount(most, currency)}`,
		effect: "Holds for the next loan and the next draw.",
		dangerous: true,
	};
}

export const move = ({ amount: paid, currency, transaction_amount }: Fields): ReturnType<Describe> =>
	typeof paid === "number"
		? {
				title: `Correct the amount of a payment to ${amount(paid, currency)}`,
				effect: "The recorded amount is owed again, and the corrected amount is posted as of the day on which it was paid.",
				dangerous: true,
			}
		: {
				title: `Move a payment${ofAmount(transaction_amount, currency)} to another account`,
				effect: "Its amount is owed again here, and it is posted to the other account of the lender.",
				dangerous: true,
			};

/** What becomes of a break between a statement and what is recorded here. */
export const statementBreak: Describe = ({ reason }) => ({
	about: "Break",
	title: reason === undefined ? "Record a payment of a statement" : "Explain a break with a statement",
	effect: reason === undefined ? "It waits among the payments without account." : `Nothing is posted. Reason given: ${String(reason)}`,
	dangerous: false,
});
