// What the stand-in for Daraja reports of payouts and of queries, in the words of the portal.

import type { Failure } from "./daraja.replies.ts";
import type { Reporting } from "./daraja.reports.ts";

/** How a payment goes. Each member departs from a payment that is taken and paid, with one result after the answer. */
export type Behaviour = Omit<Reporting, "late"> & {
	readonly answer?: Failure;
	/** The code of its result; without one it is paid, if the lender has the money. */
	readonly code?: string | number;
	/** It is paid, and a result with this code is reported before the result that says so. */
	readonly failsFirst?: string | number;
	/** Codes as texts, and one parameter alone in place of a list. */
	readonly odd?: boolean;
	/** The result says another amount than the paid one. */
	readonly saysAmount?: number;
	/** The result says the receipt of another payment. */
	readonly saysReceipt?: string;
};

export type Payment = {
	readonly reference: string;
	readonly shillings: number;
	readonly number: string;
	readonly status: "Completed" | "Failed" | "Reversed";
	readonly shortCode: string;
	readonly receipt: string;
	readonly at: number;
};

export const taken = (reference: string) =>
	Response.json({
		ConversationID: `AG_${reference.slice(-12)}`,
		OriginatorConversationID: reference,
		ResponseCode: "0",
		ResponseDescription: "Accept the service request successfully.",
	});

/** `DD.MM.YYYY HH:mm:ss` and `YYYYMMDDHHmmss` in East Africa. */
export const partsOf = (at: number) => new Date(at + 3 * 3_600_000).toISOString().slice(0, 19).split(/\D/);

export function resultOf(
	{ reference, shillings, receipt, number, at }: Payment,
	{ code = 0, odd, saysAmount, saysReceipt }: Behaviour,
	held: readonly object[] = [],
) {
	const [year, month, day, ...time] = partsOf(at);
	const amount = { Key: "TransactionAmount", Value: saysAmount ?? shillings };
	const rest = [
		{ Key: "TransactionReceipt", Value: saysReceipt ?? receipt },
		{ Key: "ReceiverPartyPublicName", Value: `${number} - SOMEBODY` },
		{ Key: "TransactionCompletedDateTime", Value: `${day}.${month}.${year} ${time.join(":")}` },
		...held,
	];
	return {
		Result: {
			ResultType: odd ? "0" : 0,
			ResultCode: odd ? String(code) : code,
			ResultDesc: "A result",
			OriginatorConversationID: reference,
			ConversationID: `AG_${reference.slice(-12)}`,
			TransactionID: saysReceipt ?? receipt,
			...(String(code) === "0" && { ResultParameters: { ResultParameter: odd ? amount : [amount, ...rest] } }),
			ReferenceData: { ReferenceItem: { Key: "QueueTimeoutURL", Value: "https://internal.example/submit" } },
		},
	};
}

type Found = Omit<Payment, "number" | "shortCode"> & { readonly charges?: number };

export const foundOf = ({ reference, shillings, receipt, status, at, charges }: Found, parties: readonly object[] = []) => ({
	Result: {
		ResultType: 0,
		ResultCode: 0,
		ResultDesc: "The service request is processed successfully.",
		TransactionID: "S000000000",
		ResultParameters: {
			ResultParameter: [
				...parties,
				{ Key: "OriginatorConversationID", Value: reference },
				{ Key: "TransactionReason" },
				{ Key: "TransactionStatus", Value: status === "Failed" ? "Declined" : status },
				{ Key: "DebitAccountType", Value: "Utility Account" },
				...(charges === undefined ? [] : [{ Key: "DebitPartyCharges", Value: `Fee For B2C Payment|KES|${charges.toFixed(2)}` }]),
				{ Key: "FinalisedTime", Value: partsOf(at).join("") },
				{ Key: "Amount", Value: String(shillings) },
				{ Key: "ReceiptNo", Value: receipt },
			],
		},
	},
});

/** What the real one says of a transaction that it does not know is not documented. */
export const NOT_FOUND = { Result: { ResultType: 0, ResultCode: "2033", ResultDesc: "Not found" } };

/** By the last three digits of the number, so that a demo can choose what goes wrong. */
const BY_DIGITS: Readonly<Record<string, Behaviour>> = {
	"001": { code: 1 },
	"002": { answer: "LOST" },
	"003": { results: 0 },
	"004": { timeOut: true },
	"005": { code: 2040 },
	"006": { answer: "INVALID" },
	"007": { results: 5 },
};
export const byLastDigits = (number: string): Behaviour => BY_DIGITS[number.slice(-3)] ?? {};
