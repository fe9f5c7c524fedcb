// The port to whoever pays loans out. An instruction is known by its reference alone: the same one sent twice pays once,
// so whatever becomes of a call, the next carries the same reference.

import type { Config } from "../runtime/config";
import { SIGNATURE_HEADER, webhookDigest } from "../webhook-verify/verify";

export type Instruction = {
	/** The application's id. */
	reference: string;
	accountId: string;
	amount: { value: number; currency: string };
	recipient: { userId: string; mobileNumber: string | null };
};

export type Disburser =
	/** Pays at once, in the books alone. */
	| { kind: "embedded"; pay(reference: string): { mobileMoneyTransactionId: string } }
	/** Takes an instruction and reports its result later. UNKNOWN: no answer, or none that says it was taken. */
	| { kind: "remote"; instruct(instruction: Instruction, realNow: number): Promise<"ACCEPTED" | "UNKNOWN"> };

const TIMEOUT_MS = 10_000;

/** Undefined while it is not configured. */
export function disburserOf({ DISBURSER, DISBURSER_URL, DISBURSER_SECRET }: Config): Disburser | undefined {
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
