// What Daraja's answers and results mean for money. Its codes are those of Safaricom's portal. A code in no list here says nothing:
// it may have been paid.

import * as z from "zod";
import type { BalanceAsked, ConnectionPause, InstructionOutcome, Reported } from "../../runtime/ports";
import { minorUnitsIn } from "../../shared/currency";
import { HOUR_MS, MINUTE_MS } from "../../shared/time";
import { visibleKey } from "../../shared/visible-key";
import type { ProviderAnswer } from "../provider-answer";

/** NO_TOKEN: it was not asked, for want of a token, which was refused or did not come. */
export type Answer = ProviderAnswer | { readonly kind: "NO_TOKEN"; readonly isRefused: boolean };

export const text = z.union([z.string(), z.number()]).transform(String);

const Taken = z.object({ ResponseCode: text });
const Refusal = z.object({ errorCode: text.optional(), errorMessage: text.optional(), fault: z.object({ faultstring: text }).optional() });

/** Of a token that a newer one has ended; and of a new token, where the app lacks the product. */
const OF_TOKEN_OR_PRODUCT = "401.003.01";

export const refusalIn = (body: unknown) => Refusal.safeParse(body).data ?? {};

/** Codes that say that the token has expired, was ended by a newer one, or was never one. */
const OF_TOKEN: readonly string[] = ["404.001.03", "400.003.01", "401.002.01", "401.001", OF_TOKEN_OR_PRODUCT];

/** The gateway has refused the token, so that nothing has gone beyond it. */
export const isOfToken = (answer: Answer): boolean => answer.kind === "ANSWER" && OF_TOKEN.includes(refusalIn(answer.body).errorCode ?? "");

/** Whether Daraja has accepted a request whose result it reports later. */
export const isTaken = (answer: Answer): boolean => answer.kind === "ANSWER" && Taken.safeParse(answer.body).data?.ResponseCode === "0";

/** Whether the app is not allowed to ask for this. */
function isOfProduct(answer: Answer): boolean {
	if (answer.kind !== "ANSWER" || answer.status !== 401) return false;
	const { errorMessage = "", fault } = refusalIn(answer.body);
	return /apiproduct/i.test(`${errorMessage} ${fault?.faultstring ?? ""}`);
}

/** What the answer says of the app, for every request; undefined if nothing. */
export function troubleIn(answer: Answer): "CREDENTIALS_REFUSED" | "PRODUCT_NOT_ALLOWED" | undefined {
	if (answer.kind === "NO_TOKEN") return answer.isRefused ? "CREDENTIALS_REFUSED" : undefined;
	if (answer.kind === "ANSWER" && refusalIn(answer.body).errorCode === OF_TOKEN_OR_PRODUCT) return "PRODUCT_NOT_ALLOWED";
	if (isOfToken(answer)) return "CREDENTIALS_REFUSED";
	return isOfProduct(answer) ? "PRODUCT_NOT_ALLOWED" : undefined;
}

/** What the answer to a question for the balance means. */
export const balanceAskedBy = (answer: Answer): BalanceAsked => (isTaken(answer) ? "ASKED" : (troubleIn(answer) ?? "UNKNOWN"));

/** What the answer to a payment means. */
export function meaningOf(answer: Answer): InstructionOutcome {
	if (answer.kind !== "ANSWER") return { outcome: answer.kind === "NO_TOKEN" ? "NOT_SENT" : "UNKNOWN" };
	if (isTaken(answer)) return { outcome: "TAKEN" };
	if (isOfToken(answer)) return { outcome: "NOT_SENT" };
	const { errorCode, errorMessage = "" } = refusalIn(answer.body);
	// The code alone is said to be answered during maintenance too.
	if (errorCode === "500.002.1001" && /duplicate\s+originatorconversationid/i.test(errorMessage)) return { outcome: "TAKEN" };
	if (isOfProduct(answer)) {
		return { outcome: "NOT_SENT", pause: { reason: "PRODUCT_NOT_ALLOWED" } };
	}
	if (errorCode === "400.002.02") return { outcome: "REFUSED", reason: "REFUSED_BY_PROVIDER" };
	return { outcome: "UNKNOWN" };
}

const Parameter = z.object({ Key: z.string(), Value: text.optional() });
const Parameters = z.union([Parameter.transform((one) => [one]), z.array(Parameter)]);

const ResultBody = z.object({
	Result: z.object({
		ResultType: text,
		ResultCode: text,
		TransactionID: text.optional(),
		ResultParameters: z.object({ ResultParameter: Parameters.catch([]) }).optional(),
	}),
});

/** A result as it was posted to the address for it. `says`: its parameters by their names. */
export type DarajaResult = {
	readonly code: string;
	/** More of it will follow. */
	readonly isPartial: boolean;
	readonly receipt: string | undefined;
	readonly says: ReadonlyMap<string, string>;
	/** The same with those that come more than once, as the parties of a payment do in the portal's sample. */
	readonly all: readonly (readonly [name: string, value: string])[];
};

/** Undefined for what is no result, such as the notice that a request waited too long. */
export function resultIn(body: unknown): DarajaResult | undefined {
	const { Result: result } = ResultBody.safeParse(body).data ?? {};
	if (!result) return undefined;
	const parameters = result.ResultParameters?.ResultParameter ?? [];
	const all = parameters.flatMap(({ Key, Value }) => (Value === undefined ? [] : [[Key, Value] as const]));
	return {
		code: result.ResultCode.trim(),
		isPartial: result.ResultType !== "0",
		receipt: result.TransactionID?.trim() || undefined,
		says: new Map(all),
		all,
	};
}

/** What became of a payment. ASK: the result does not say it. */
export type PaymentEnd = Reported | { readonly status: "ASK" };

const FAILURES: Readonly<Record<string, string>> = {
	...Object.fromEntries(["2", "3"].map((code) => [code, "AMOUNT_LIMIT"])),
	...Object.fromEntries(["4", "8"].map((code) => [code, "RECIPIENT_LIMIT"])),
	...Object.fromEntries(["2040", "SFC_IC0003"].map((code) => [code, "RECIPIENT_UNKNOWN"])),
	...Object.fromEntries(["1", "11", "21", "2001", "2006", "2028", "8006"].map((code) => [code, "LENDER_ACCOUNT"])),
};

/** Why the connection must rest after this result: a wrong password that is sent on and on is locked. */
export function pauseAfter({ code }: DarajaResult): ConnectionPause | undefined {
	if (FAILURES[code] !== "LENDER_ACCOUNT") return undefined;
	return code === "1" ? { reason: "INSUFFICIENT_FUNDS", forMs: 15 * MINUTE_MS } : { reason: pausedBy(code) };
}

const pausedBy = (code: string) => `RESULT_${code}`;

/** The amount in cents that a text such as `300` or `300.00` says; undefined for any other. */
export const centsIn = (said: string | undefined): number | undefined => minorUnitsIn(said, "KES");

/** What is available in one of the lender's accounts, in minor units. */
export type Balance = { readonly account: string; readonly currency: string; readonly available: number };

const MOST_BALANCES = 20;

/**
 * Of `Utility Account|KES|228037.00|228037.00|0.00|0.00&Charges Paid Account|KES|-1540.00|-1540.00|0.00|0.00`, whose fourth parts are what
 * is available. Undefined for a result without one.
 */
export function balancesIn({ code, says }: DarajaResult): Balance[] | undefined {
	if (code !== "0") return undefined;
	const balances = (says.get("AccountBalance") ?? "").split("&", MOST_BALANCES).flatMap((each) => {
		const [account = "", currency = "", , said = ""] = each.split("|").map((part) => part.trim());
		const sum = minorUnitsIn(said.replace(/^-/, ""), currency);
		if (account === "" || sum === undefined || !/^[A-Z]{3}$/.test(currency)) return [];
		return [{ account: account.slice(0, 64), currency, available: said.startsWith("-") ? -sum : sum }];
	});
	return balances.length > 0 ? balances : undefined;
}

/** Results that say that the initiator's name or password is wrong, or that it is locked. */
const OF_INITIATOR: readonly string[] = ["18", "20", "2001", "8006"];

/** Results that say that the initiator lacks the role for the question. */
const OF_ROLE: readonly string[] = ["21", "2028", "TP40153"];

/** Whether the question was refused to the initiator, so that no other of its kind will be answered either. */
export const isRefusedToInitiator = ({ code }: DarajaResult): boolean => OF_ROLE.includes(code) || OF_INITIATOR.includes(code);

/** Why the connection must rest after a question had this result. */
export const pauseAfterQuestion = ({ code }: DarajaResult): ConnectionPause | undefined =>
	OF_INITIATOR.includes(code) ? { reason: pausedBy(code) } : undefined;

/** Whether a connection that rests for this reason may ask nothing either: each question by the initiator sends the password. */
export const restsFromAsking = (pausedReason: string | null): boolean => OF_INITIATOR.some((code) => pausedBy(code) === pausedReason);

/** The result of a payment of so many cents. */
export function endBy({ code, isPartial, receipt, says }: DarajaResult, amount: number): PaymentEnd {
	if (isPartial) return { status: "ASK" };
	if (code === "0") {
		if (receipt === undefined || centsIn(says.get("TransactionAmount")) !== amount) return { status: "ASK" };
		return { status: "SUCCEEDED", transaction: receipt, at: instantIn(says.get("TransactionCompletedDateTime")) };
	}
	const reason = FAILURES[code];
	return reason === undefined ? { status: "ASK" } : { status: "FAILED", reason, at: undefined };
}

/** What was found out about a payment of so many cents. A query that failed says nothing about it. */
export function endFound({ code, isPartial, says }: DarajaResult, amount: number): PaymentEnd {
	if (isPartial || code !== "0") return { status: "ASK" };
	const receipt = says.get("ReceiptNo")?.trim();
	switch (says.get("TransactionStatus")?.trim().toLowerCase()) {
		case "completed":
			return receipt && centsIn(says.get("Amount")) === amount
				? { status: "SUCCEEDED", transaction: receipt, at: instantIn(says.get("FinalisedTime")) }
				: { status: "ASK" };
		case "cancelled":
		case "declined":
		case "expired":
			return { status: "FAILED", reason: "NOT_COMPLETED", at: undefined };
		default:
			return { status: "ASK" };
	}
}

/** When the payment was made that the question is about. */
export const madeAt = ({ says }: DarajaResult): number | undefined => instantIn(says.get("FinalisedTime"));

/** Whether a payment was made to us. */
export type Judged = "MADE" | "REFUTED" | "UNKNOWN";
type Claimed = { readonly receipt: string; readonly amount: number; readonly shortCode: string };

/** A payout of our own has a receipt too: what our shortcode has paid is no payment to it. */
export function judgeReceipt(result: DarajaResult, claimed: Claimed): Judged {
	const { payers, payees, isOurs } = partiesIn(result, claimed);
	if (payers.some(isOurs) || payees.some((named) => !isOurs(named))) return judged(result, claimed, "OTHERS");
	// An answer that does not say who was paid proves nothing.
	return judged(result, claimed, payees.length > 0 ? "OURS" : "UNSAID");
}

/** Whether our shortcode has made a payment. In the portal's sample both parties of one are named as payers. */
export function judgePayout(result: DarajaResult, claimed: Claimed): Judged {
	const { payers, isOurs } = partiesIn(result, claimed);
	if (payers.length === 0) return judged(result, claimed, "UNSAID");
	return judged(result, claimed, payers.some(isOurs) ? "OURS" : "OTHERS");
}

function partiesIn({ all }: DarajaResult, { shortCode }: Claimed) {
	const named = (role: string) => all.filter(([name]) => name === role).map(([, value]) => value);
	const isOurs = (party: string) => party.trim().split(/\s/)[0] === shortCode;
	return { payers: named("DebitPartyName"), payees: named("CreditPartyName"), isOurs };
}

function judged(result: DarajaResult, { receipt, amount }: Claimed, side: "OURS" | "OTHERS" | "UNSAID"): Judged {
	const end = endFound(result, amount);
	const status = result.says.get("TransactionStatus")?.trim().toLowerCase();
	// A payment that M-Pesa has given back is no payment any more.
	if (end.status === "FAILED" || (result.code === "0" && !result.isPartial && status === "reversed")) return "REFUTED";
	if (result.isPartial || result.code !== "0" || status !== "completed") return "UNKNOWN";
	if (side === "OTHERS" || end.status !== "SUCCEEDED" || visibleKey(end.transaction) !== receipt) return "REFUTED";
	return side === "OURS" ? "MADE" : "UNKNOWN";
}

const EAST_AFRICA_MS = 3 * HOUR_MS;

/** The time in East Africa, as `2024-07-06 22:48:52`. */
export const eastAfrican = (at: number): string => new Date(at + EAST_AFRICA_MS).toISOString().slice(0, 19).replace("T", " ");

/** The instant of `06.07.2024 22:48:52` or `20240706224852`, which are East African; undefined for any other text. */
export function instantIn(said: string | undefined): number | undefined {
	const spoken = /^(\d\d)\.(\d\d)\.(\d{4}) (\d\d):(\d\d):(\d\d)$/.exec(said?.trim() ?? "");
	const [, day, month, year, ...time] = spoken ?? [];
	const digits = spoken ? [year, month, day, ...time].join("") : (said?.trim() ?? "");
	const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits);
	if (!parts) return undefined;
	const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = parts.slice(1).map(Number);
	const local = Date.UTC(y, mo - 1, d, h, mi, s);
	return new Date(local).toISOString().slice(0, 19).replaceAll(/\D/g, "") === digits ? local - EAST_AFRICA_MS : undefined;
}
