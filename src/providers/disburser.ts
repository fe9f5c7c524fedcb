// The disburser: the embedded one of the sandbox, or an outside one that takes signed instructions over HTTP.

import type { Config } from "../runtime/config";
import type { Disburser, Fetch, Instruction } from "../runtime/ports";
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
		async instruct(instruction, realNow) {
			const { reference, amount } = instruction;
			const body = JSON.stringify({ disbursement_id: reference, reference, amount, ...payeeOf(instruction) });
			const outcome = await postSigned(fetch, { url: DISBURSER_URL, secret: DISBURSER_SECRET, reference, body, realNow });
			return outcome === "TAKEN" ? "ACCEPTED" : "UNKNOWN";
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
