// What Daraja says of payments that it is ordered to give back. A code that stands in no list here says nothing.

import type { InstructionOutcome } from "../../runtime/ports";
import { type Answer, centsIn, type DarajaResult, meaningOf } from "./answers";

/** What the answer to the request means. Payouts may work without the product that it lacks, so that it pauses nothing. */
export function meaningOfReturn(answer: Answer): InstructionOutcome {
	const outcome = meaningOf(answer);
	return outcome.outcome === "NOT_SENT" && outcome.pause ? { outcome: "REFUSED", reason: outcome.pause.reason } : outcome;
}

const ALREADY_RETURNED = "R000001";

const FAILURES: Readonly<Record<string, string>> = {
	"1": "INSUFFICIENT_FUNDS",
	R000002: "PAYMENT_UNKNOWN",
	...Object.fromEntries(["11", "18", "20", "21", "2001", "2006", "2028", "8006"].map((code) => [code, "LENDER_ACCOUNT"])),
};

/**
 * `transaction` null: it was given back before, in an unnamed one. OTHERWISE: something was done that was not asked for. NOTHING: it does
 * not say.
 */
export type ReturnEnd =
	| { readonly outcome: "RETURNED"; readonly transaction: string | null }
	| { readonly outcome: "FAILED"; readonly reason: string }
	| { readonly outcome: "OTHERWISE"; readonly says: string }
	| { readonly outcome: "NOTHING" };

/** What became of the return of a payment of so many cents. */
export function returnEndIn(
	{ code, isPartial, receipt: transaction, says }: DarajaResult,
	{ receipt, amount }: { readonly receipt: string; readonly amount: number },
): ReturnEnd {
	if (isPartial) return { outcome: "NOTHING" };
	if (code === ALREADY_RETURNED) return { outcome: "RETURNED", transaction: null };
	const [said, of = receipt] = [says.get("Amount"), says.get("OriginalTransactionID")?.trim()];
	if (code === "0") {
		if (said === undefined || transaction === undefined) return { outcome: "NOTHING" };
		if (centsIn(said) !== amount || of !== receipt) return { outcome: "OTHERWISE", says: `${said} of ${of}`.slice(0, 128) };
		return { outcome: "RETURNED", transaction };
	}
	const reason = FAILURES[code];
	// The portal's sample of a success has the code of a failure: with an amount it says both.
	return reason === undefined || said !== undefined ? { outcome: "NOTHING" } : { outcome: "FAILED", reason };
}
