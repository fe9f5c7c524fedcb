// What a language must have. A language without one of these texts does not compile.

import type { ErrorCode, Reason, SubCode } from "../shared/errors";

/** The refusals after which a person can do something, by reason or, where there is no closer one, by code. */
export const PERSONAL_REFUSALS = [
	"ACCOUNT_HAS_NON_ZERO_BALANCE",
	"AMOUNT_NOT_A_STEP",
	"AMOUNT_TOO_HIGH",
	"AMOUNT_TOO_LOW",
	"APPLICATION_EXPIRED",
	"CAUTION",
	"CONCURRENT_CHANGE",
	"CUSTOM_TOKEN_ENDED",
	"DAILY_LIMIT",
	"INSUFFICIENT_FUNDS",
	"INTERNAL_SERVER_ERROR",
	"MOBILE_NUMBER_IN_USE",
	"NO_CONNECTION",
	"NO_NUMBER",
	"NOTHING_DUE",
	"OFFER_CHANGED",
	"OTP_EXPIRED",
	"OTP_TRIES_USED",
	"OTP_USED",
	"OTP_WAIT",
	"OTP_WRONG",
	"PAYEE_BLOCKED",
	"PAYEE_CHANGED",
	"PROMPT_OPEN",
	"SERVICE_UNAVAILABLE",
	"SESSION_ENDED",
	"SIM_EXCHANGED",
	"TOO_MANY_REQUESTS",
	"UPGRADE_REQUIRED",
	"USER_BLOCKED",
	"WAITING_LIST",
] as const satisfies readonly (Reason | ErrorCode | SubCode)[];

export type PersonalRefusal = (typeof PERSONAL_REFUSALS)[number];

/** A text that counts something, with a form for each class of numbers that the language has. */
export type Counting = { readonly [rule in Intl.LDMLPluralRule]?: string } & { readonly other: string };

export type Catalogue = {
	/** Whether somebody whose language it is has read the texts. */
	readonly reviewed: boolean;
	/** `{sum}` stands for an amount of money. */
	readonly refusals: Readonly<Record<PersonalRefusal, string>>;
	/** A one-time password: `{code}`, valid for `{minutes}`. */
	readonly code: Counting;
	/** The same from a lender, `{lender}`. */
	readonly codeOfLender: Counting;
	/** How to repay by M-Pesa: `{shortcode}` is the lender's, `{account}` the number to type in. */
	readonly payBill: string;
};
