// What Daraja says of prompts to pay (M-Pesa Express). Its codes are those of Safaricom's portal. A code that stands in no list here says
// nothing, and only a callback with the receipt says that it was paid.

import * as z from "zod";
import type { Prompted } from "../../runtime/ports";
import { type Answer, centsIn, isOfToken, refusalIn, text } from "./answers";

const Taken = z.object({ ResponseCode: text, CheckoutRequestID: z.string().min(1).max(255) });

/** What 500.001.1001 says that it did not send; by itself the code says nothing. */
const NOT_SENT: readonly (readonly [RegExp, reason: string])[] = [
	[/unable to lock subscriber/i, "PAYER_BUSY"],
	[/wrong credentials|merchant does not exist/i, "LENDER_ACCOUNT"],
];

/** What the answer to a request to send a prompt means. */
export function promptedBy(answer: Answer): Prompted {
	if (answer.kind !== "ANSWER") return answer.kind === "NONE" ? { outcome: "UNKNOWN" } : { outcome: "NOT_SENT", reason: "LENDER_ACCOUNT" };
	if (isOfToken(answer)) return { outcome: "NOT_SENT", reason: "LENDER_ACCOUNT" };
	const taken = Taken.safeParse(answer.body).data;
	if (taken?.ResponseCode === "0") return { outcome: "SENT", checkoutId: taken.CheckoutRequestID };
	const { errorCode, errorMessage = "" } = refusalIn(answer.body);
	if (errorCode === "400.002.02") return { outcome: "NOT_SENT", reason: "REFUSED_BY_PROVIDER" };
	const [, reason] = (errorCode === "500.001.1001" && NOT_SENT.find(([says]) => says.test(errorMessage))) || [];
	return reason === undefined ? { outcome: "UNKNOWN" } : { outcome: "NOT_SENT", reason };
}

const FAILURES: Readonly<Record<string, string>> = {
	"1": "INSUFFICIENT_FUNDS",
	"2": "AMOUNT_LIMIT",
	"3": "AMOUNT_LIMIT",
	"4": "PAYER_LIMIT",
	"8": "LENDER_LIMIT",
	"17": "TOO_SOON",
	"1019": "EXPIRED",
	"1025": "NOT_SHOWN",
	"1032": "CANCELLED",
	"1037": "UNREACHABLE",
	"2001": "WRONG_PIN",
	"2028": "LENDER_ACCOUNT",
	"8006": "PAYER_LOCKED",
	SFC_IC0003: "LENDER_ACCOUNT",
};

/** What a query may say: others are answered also for prompts that are on their way. */
const OF_QUERIES: readonly string[] = ["1", "1019", "1032", "1037", "2001"];

/** Why the payer has not paid, as a query answers it; undefined if it does not say. */
export function unpaidBy(answer: Answer): string | undefined {
	const body = answer.kind === "ANSWER" ? z.object({ ResultCode: text }).safeParse(answer.body).data : undefined;
	const code = body?.ResultCode.trim() ?? "";
	return OF_QUERIES.includes(code) ? FAILURES[code] : undefined;
}

const Item = z.object({ Name: z.string(), Value: text.optional() });

const Callback = z.object({
	Body: z.object({
		stkCallback: z.object({
			ResultCode: text,
			CallbackMetadata: z.object({ Item: z.union([Item.transform((one) => [one]), z.array(Item)]).catch([]) }).optional(),
		}),
	}),
});

/** NOTHING: it does not say. */
export type PromptEnd =
	| { readonly outcome: "PAID"; readonly receipt: string; readonly amount: number; readonly at: string }
	| { readonly outcome: "FAILED"; readonly reason: string }
	| { readonly outcome: "NOTHING" };

/** What the callback of a prompt says. */
export function promptEndIn(body: unknown): PromptEnd {
	const { ResultCode = "", CallbackMetadata: metadata } = Callback.safeParse(body).data?.Body.stkCallback ?? {};
	const code = ResultCode.trim();
	if (code !== "0") {
		const reason = FAILURES[code];
		return reason === undefined ? { outcome: "NOTHING" } : { outcome: "FAILED", reason };
	}
	const says = new Map(metadata?.Item.map(({ Name, Value }) => [Name, Value?.trim()]));
	const [receipt, amount] = [says.get("MpesaReceiptNumber"), centsIn(says.get("Amount"))];
	if (!receipt || receipt.length > 100 || !amount) return { outcome: "NOTHING" };
	return { outcome: "PAID", receipt, amount, at: says.get("TransactionDate") ?? "" };
}
