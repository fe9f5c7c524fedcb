// The custodian of current accounts: the embedded one of the sandbox, or an outside custodian that takes signed instructions over HTTP.

import type { Config } from "../runtime/config";
import type { Ask, Custodian } from "../runtime/ports";
import { postSigned } from "./signed-post";

/** Undefined while it is not configured. Without a secret, instructions are unsigned and callbacks are refused. */
export function custodianBy({ CUSTODIAN, CUSTODIAN_URL, CUSTODIAN_SECRET }: Config, ask: Ask): Custodian | undefined {
	if (CUSTODIAN === "sandbox") {
		return {
			kind: "embedded",
			name: "SANDBOX",
			open(accountId) {
				const digits = accountId.slice(-12).toUpperCase();
				return { externalAccountId: `SANDBOX-${digits}`, externalAccountNumber: `SBX${digits}` };
			},
		};
	}
	if (!CUSTODIAN_URL) return undefined;
	return {
		kind: "remote",
		name: "CUSTODIAN",
		async instruct({ reference, kind, subjectId, facts }, realNow) {
			const body = JSON.stringify({ ...facts, reference, instruction: kind, subject_id: subjectId });
			return postSigned(ask, { url: CUSTODIAN_URL, secret: CUSTODIAN_SECRET, reference, body, realNow });
		},
	};
}
