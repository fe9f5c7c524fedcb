// The disburser: the embedded one of the sandbox, or an outside one that takes signed instructions over HTTP.

import type { Config } from "../runtime/config";
import type { Disburser, Fetch } from "../runtime/ports";
import { postSigned } from "./signed-post";

/** Undefined while it is not configured. */
export function disburserBy({ DISBURSER, DISBURSER_URL, DISBURSER_SECRET }: Config, fetch: Fetch): Disburser | undefined {
	if (DISBURSER === "sandbox") {
		return {
			kind: "embedded",
			pay: (reference) => ({ mobileMoneyTransactionId: `SANDBOX-${reference.replaceAll("-", "").toUpperCase()}` }),
		};
	}
	if (!DISBURSER_URL || !DISBURSER_SECRET) return undefined;
	return {
		kind: "remote",
		async instruct({ reference, body }, realNow) {
			const outcome = await postSigned(fetch, { url: DISBURSER_URL, secret: DISBURSER_SECRET, reference, body, realNow });
			return outcome === "TAKEN" ? "ACCEPTED" : "UNKNOWN";
		},
	};
}
