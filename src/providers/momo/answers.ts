// What MTN MoMo's answers mean for money. A code in no list here says nothing: it may have been paid.

import * as z from "zod";
import type { ConnectionPause, Inquired, InstructionOutcome } from "../../runtime/ports";
import { minorUnitsIn } from "../../shared/currency";
import type { Market } from "../../shared/momo-markets";
import { MINUTE_MS } from "../../shared/time";
import type { ProviderAnswer } from "../provider-answer";

/** NO_TOKEN: it was not asked, for want of a token; `status` is that of the refusal, where there was one. */
export type Answer = ProviderAnswer | { readonly kind: "NO_TOKEN"; readonly status?: number };

const text = z.union([z.string(), z.number()]).transform(String);
const Refusal = z.object({ code: text.optional(), message: text.optional() });
const refusalIn = (body: unknown) => Refusal.safeParse(body).data ?? {};

/** The gateway knows no such token: nothing has gone beyond it. */
export const isOfToken = (answer: Answer): boolean => answer.kind === "ANSWER" && answer.status === 401;

const NO_FUNDS: ConnectionPause = { reason: "INSUFFICIENT_FUNDS", forMs: 15 * MINUTE_MS };
const REFUSED: ConnectionPause = { reason: "CREDENTIALS_REFUSED" };
const NOT_FROM_HERE: ConnectionPause = { reason: "ADDRESS_NOT_ALLOWED", forMs: 15 * MINUTE_MS };

/** About the lender's account, not this payment: none is paid until it is mended. A limit and an empty wallet mend by themselves. */
const OF_ACCOUNT: Readonly<Record<string, ConnectionPause>> = {
	NOT_ENOUGH_FUNDS: NO_FUNDS,
	PAYER_LIMIT_REACHED: { reason: "RESULT_PAYER_LIMIT_REACHED", forMs: 15 * MINUTE_MS },
	...Object.fromEntries(
		[
			"PAYER_NOT_FOUND",
			"SENDER_ACCOUNT_NOT_ACTIVE",
			"NOT_ALLOWED",
			"NOT_ALLOWED_TARGET_ENVIRONMENT",
			"INVALID_CALLBACK_URL_HOST",
			"INVALID_CURRENCY",
		].map((code) => [code, { reason: `RESULT_${code}` }]),
	),
};

/** About the recipient. */
const OF_RECIPIENT: Readonly<Record<string, string>> = {
	PAYEE_NOT_FOUND: "RECIPIENT_UNKNOWN",
	PAYEE_NOT_ALLOWED_TO_RECEIVE: "RECIPIENT_LIMIT",
};

/** What the answer to a payment means. */
export function meaningOf(answer: Answer): InstructionOutcome {
	if (answer.kind === "NONE") return { outcome: "UNKNOWN" };
	if (answer.kind === "NO_TOKEN") return { outcome: "NOT_SENT", ...(answer.status === 401 && { pause: REFUSED }) };
	const { status, body } = answer;
	const { code = "", message = "" } = refusalIn(body);
	switch (status) {
		case 202:
			return { outcome: "TAKEN" };
		// It has our reference already.
		case 409:
			return { outcome: "TAKEN" };
		case 400:
			return { outcome: "REFUSED", reason: "REFUSED_BY_PROVIDER" };
		case 401:
			return { outcome: "NOT_SENT", ...(/subscription key/i.test(message) && { pause: REFUSED }) };
		case 403:
			return { outcome: "NOT_SENT", pause: NOT_FROM_HERE };
		case 500: {
			const pause = OF_ACCOUNT[code];
			if (pause) return { outcome: "NOT_SENT", pause };
			const reason = OF_RECIPIENT[code];
			return reason === undefined ? { outcome: "UNKNOWN" } : { outcome: "REFUSED", reason };
		}
		default:
			return { outcome: "UNKNOWN" };
	}
}

const Transfer = z.object({
	status: z.string(),
	amount: text.optional(),
	currency: z.string().optional(),
	externalId: text.optional(),
	financialTransactionId: text.nullish(),
	// The sandbox says the code alone.
	reason: z.union([z.string(), z.object({ code: z.string().optional() })]).nullish(),
});

/** The payment that is asked about. */
type Ordered = { readonly reference: string; readonly amount: number; readonly marketName: string; readonly market: Market };

/**
 * What a query found. Ids of transactions are those of a market's own wallets, so ours begin with the market. A payment that is not known
 * is none that has failed: it may be on its way there.
 */
export function endFound(answer: Answer, { reference, amount, marketName, market }: Ordered): Inquired {
	if (answer.kind !== "ANSWER" || answer.status !== 200) return "UNKNOWN";
	const said = Transfer.safeParse(answer.body).data;
	if (!said || (said.externalId ?? reference) !== reference) return "UNKNOWN";
	switch (said.status.trim().toUpperCase()) {
		case "SUCCESSFUL": {
			const id = said.financialTransactionId?.trim();
			if (!id || said.currency !== market.currency || minorUnitsIn(said.amount, market.currency) !== amount) return "UNKNOWN";
			return { status: "SUCCEEDED", transaction: `${marketName.toUpperCase()}-${id}`, at: undefined };
		}
		case "FAILED": {
			const code = (typeof said.reason === "string" ? said.reason : said.reason?.code) ?? "";
			const pause = OF_ACCOUNT[code];
			if (pause) return { status: "FAILED", reason: "LENDER_ACCOUNT", at: undefined, pause };
			return { status: "FAILED", reason: OF_RECIPIENT[code] ?? "NOT_COMPLETED", at: undefined };
		}
		default:
			return "UNKNOWN";
	}
}

/** What a callback says became of the payment. It is a hint: only a query ends one. */
export function hintIn(body: unknown): "SUCCEEDED" | "FAILED" | undefined {
	const status = Transfer.safeParse(body).data?.status.trim().toUpperCase();
	return status === "SUCCESSFUL" ? "SUCCEEDED" : status === "FAILED" ? "FAILED" : undefined;
}

/** Another transaction than the known one by which a callback says that the payout was paid; undefined if it says none. */
export function secondIn(body: unknown, known: string | null): string | undefined {
	const id = Transfer.safeParse(body).data?.financialTransactionId?.trim();
	if (known === null || !id || hintIn(body) !== "SUCCEEDED") return undefined;
	const market = known.slice(0, known.indexOf("-") + 1);
	return known === `${market}${id}` ? undefined : `${market}${id}`;
}
