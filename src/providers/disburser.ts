// The disburser: the embedded one of the sandbox, or an outside one that takes signed instructions over HTTP.

import type { Config } from "../runtime/config";
import type { Disburser, Fetch } from "../runtime/ports";
import { SIGNATURE_HEADER, webhookDigest } from "../webhook-verify/verify";

const TIMEOUT_MS = 10_000;

/** Undefined while it is not configured. */
export function disburserBy({ DISBURSER, DISBURSER_URL, DISBURSER_SECRET }: Config, fetch: Fetch): Disburser | undefined {
	if (DISBURSER === "sandbox") {
		return { kind: "embedded", pay: (reference) => ({ mobileMoneyTransactionId: `SANDBOX-${reference.slice(-12).toUpperCase()}` }) };
	}
	if (!DISBURSER_URL || !DISBURSER_SECRET) return undefined;
	return {
		kind: "remote",
		async instruct({ reference, accountId, amount, recipient }, realNow) {
			const body = JSON.stringify({
				disbursement_id: reference,
				reference,
				account_id: accountId,
				amount,
				recipient: { user_id: recipient.userId, mobile_number: recipient.mobileNumber },
			});
			const timestamp = String(Math.floor(realNow / 1000));
			try {
				const response = await fetch(DISBURSER_URL, {
					method: "POST",
					headers: {
						"Content-Type": "application/json",
						"Idempotency-Key": reference,
						[SIGNATURE_HEADER]: `t=${timestamp},v1=${await webhookDigest(DISBURSER_SECRET, timestamp, body)}`,
					},
					body,
					redirect: "manual",
					signal: AbortSignal.timeout(TIMEOUT_MS),
				});
				await response.body?.cancel();
				return response.ok ? "ACCEPTED" : "UNKNOWN";
			} catch {
				return "UNKNOWN";
			}
		},
	};
}
