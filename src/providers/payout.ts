// Pays transfers out: the embedded provider of the sandbox, or the outside disburser of loans.

import type { Config } from "../runtime/config";
import type { Ask, Payout } from "../runtime/ports";
import { postSigned } from "./signed-post";

/** Undefined while it is not configured. */
export function payoutBy({ DISBURSER, DISBURSER_URL, DISBURSER_SECRET }: Config, ask: Ask): Payout | undefined {
	if (DISBURSER === "sandbox") {
		return { kind: "embedded", pay: (reference) => ({ providerReference: `SANDBOX-${reference.replaceAll("-", "").toUpperCase()}` }) };
	}
	if (!DISBURSER_URL || !DISBURSER_SECRET) return undefined;
	return {
		kind: "remote",
		async instruct({ reference, accountId, amount, recipient, note }, realNow) {
			const body = JSON.stringify({ transfer_id: reference, reference, account_id: accountId, amount, recipient, note });
			const outcome = await postSigned(ask, { url: DISBURSER_URL, secret: DISBURSER_SECRET, reference, body, realNow });
			return outcome === "TAKEN" ? "ACCEPTED" : "UNKNOWN";
		},
	};
}
