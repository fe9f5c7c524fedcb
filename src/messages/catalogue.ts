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

/** What a place in a text is filled with. */
export type Kinds = {
	/** An amount of money in minor units. */
	readonly sum: { readonly amount: number; readonly currency: string };
	/** A moment, in ms. */
	readonly moment: number;
	readonly number: number;
	readonly text: string;
};
type Kind = keyof Kinds;

/** The messages to people, with the places that each of their texts has. */
export const MESSAGES = {
	ACCOUNT_NOT_CLOSED: {},
	ACCOUNT_NOT_OPENED: {},
	ACCOUNT_USABLE_AGAIN: {},
	ADMIN_ADDED: {},
	ADMITTED: {},
	API_KEY_ADDED: { key: "text" },
	CODE: { code: "text", minutes: "number" },
	CONNECTION_CHANGED: { account: "text" },
	CONNECTION_ENDED: { account: "text" },
	CONNECTION_MADE: { account: "text" },
	CONNECTION_REPLACED: { account: "text" },
	CONNECTION_REPLACEMENT_DISCARDED: { account: "text" },
	CONNECTION_REPLACEMENT_REQUESTED: { account: "text" },
	CREDIT_BUREAU_NOTICE: { day: "text", sum: "sum" },
	IDENTITY_LINKED: {},
	INVITATION: { link: "text", organization: "text" },
	LIMIT_CHANGED: {},
	LOAN_IMPORTED: {},
	LOAN_NOT_ACCEPTED: {},
	LOAN_PAID_OUT: { sum: "sum" },
	MONEY_ARRIVED: { sum: "sum" },
	NUMBER_ADDED: {},
	NUMBER_CHANGED: {},
	OWNER_ADDED: {},
	OVERPAYMENT_PAID_BACK: { sum: "sum" },
	PAYMENT_DUE: { day: "text", sum: "sum" },
	PAYMENT_RECEIVED: { left: "sum", sum: "sum" },
	PAYMENT_RECEIVED_IN_FULL: { sum: "sum" },
	RECOVERY_CANCELLED: {},
	RECOVERY_FAILED: {},
	RECOVERY_ORDERED: { moment: "moment" },
	SIGNED_IN: {},
	TRANSFER_LEAVES: { sum: "sum" },
	TRANSFER_TO_NEW_PAYEE: { sum: "sum" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Kind>>>>;

export type MessageKey = keyof typeof MESSAGES;
export const MESSAGE_KEYS = Object.keys(MESSAGES) as [MessageKey, ...MessageKey[]];

/** Those to the people who work for a lender, which come from the service. */
const TO_STAFF = [
	"ADMIN_ADDED",
	"API_KEY_ADDED",
	"CONNECTION_CHANGED",
	"CONNECTION_ENDED",
	"CONNECTION_MADE",
	"CONNECTION_REPLACED",
	"CONNECTION_REPLACEMENT_DISCARDED",
	"CONNECTION_REPLACEMENT_REQUESTED",
	"INVITATION",
	"OWNER_ADDED",
] as const satisfies readonly MessageKey[];
/** Those to a lender's customers, which the lender may word. */
export type CustomerMessage = Exclude<MessageKey, (typeof TO_STAFF)[number]>;
export const CUSTOMER_MESSAGES = MESSAGE_KEYS.filter((key) => !TO_STAFF.some((one) => one === key)) as [
	CustomerMessage,
	...CustomerMessage[],
];

type Places<K extends MessageKey> = (typeof MESSAGES)[K];
export type ValuesOf<K extends MessageKey> = { readonly [N in keyof Places<K>]: Places<K>[N] extends Kind ? Kinds[Places<K>[N]] : never };

/** A message with what its text is filled with, before it is known in which language. */
export type Message = { readonly [K in MessageKey]: { readonly key: K; readonly values: ValuesOf<K> } }[MessageKey];

const MADE_UP: Kinds = { sum: { amount: 1_234_500, currency: "KES" }, moment: Date.UTC(2027, 0, 15, 8), number: 5, text: "012345" };

/** The message with made-up values. */
export const exampleOf = (key: MessageKey): Message =>
	({ key, values: Object.fromEntries(Object.entries(MESSAGES[key]).map(([name, kind]) => [name, MADE_UP[kind]])) }) as Message;

export type Catalogue = {
	/** Whether somebody whose language it is has read the texts. */
	readonly reviewed: boolean;
	/** `{sum}` stands for an amount of money. */
	readonly refusals: Readonly<Record<PersonalRefusal, string>>;
	/** As `pattern.ts` reads them. `{lender}` may stand in each; one without it begins with the lender's name. */
	readonly messages: Readonly<Record<MessageKey, string>>;
	/** What a push says of any message: its text is in the app alone. */
	readonly newMessage: string;
	/** A message of a lender, `{lender}`: before its text. */
	readonly from: string;
	/** How to repay by M-Pesa: `{shortcode}` is the lender's, `{account}` the number to type in. */
	readonly payBill: string;
};
