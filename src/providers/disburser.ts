// The disburser: the embedded one of the sandbox, or an outside one that takes signed instructions over HTTP.

import type { Config } from "../runtime/config";
import type { Disburser, Fetch, Instruction } from "../runtime/ports";
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
		async instruct(instruction, realNow) {
			const { reference, amount } = instruction;
			const body = JSON.stringify({ disbursement_id: reference, reference, amount, ...payeeOf(instruction) });
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

/** What is paid out, and to whom. */
function payeeOf(instruction: Instruction) {
	if ("invoiceId" in instruction) {
		const { organizationId, merchantId } = instruction.recipient;
		return { invoice_id: instruction.invoiceId, recipient: { organization_id: organizationId, merchant_id: merchantId } };
	}
	const { userId, mobileNumber } = instruction.recipient;
	return { account_id: instruction.accountId, recipient: { user_id: userId, mobile_number: mobileNumber } };
}
