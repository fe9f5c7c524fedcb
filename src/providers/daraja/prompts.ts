// Prompts to pay on the payer's phone: Daraja's M-Pesa Express, also called STK push. It knows no reference of ours, so that a prompt is
// sent once.

import type { Prompt, Prompted } from "../../runtime/ports";
import { toBase64, utf8 } from "../../shared/bytes";
import type { Paying } from "../payment-adapter";
import { eastAfrican } from "./answers";
import { addressFor } from "./callback-address";
import { ask, type DarajaAccount } from "./client";
import { promptedBy, unpaidBy } from "./prompt-answers";

const UNIT = 100;

/** What proves the shortcode, good for this moment; undefined for a connection without a passkey. */
function proofOf({ shortCode, passkey }: DarajaAccount, realNow: number) {
	if (passkey === null) return undefined;
	const timestamp = eastAfrican(realNow).replaceAll(/\D/g, "");
	return {
		BusinessShortCode: shortCode,
		Password: toBase64(utf8(`${shortCode}${passkey}${timestamp}`)),
		Timestamp: timestamp,
	};
}

export async function sendPrompt(
	paying: Paying,
	account: DarajaAccount,
	{ id, amount, reference, mobileNumber }: Prompt,
): Promise<Prompted> {
	const proof = proofOf(account, paying.realNow);
	if (!proof) return { outcome: "NOT_SENT", reason: "LENDER_ACCOUNT" };
	const number = mobileNumber.slice(1);
	const body = {
		...proof,
		TransactionType: "CustomerPayBillOnline",
		Amount: String(amount / UNIT),
		PartyA: number,
		PartyB: account.shortCode,
		PhoneNumber: number,
		CallBackURL: await addressFor(paying, "prompt", id),
		AccountReference: reference,
		TransactionDesc: "Repayment",
	};
	const send = () => ask(paying, account, "/mpesa/stkpush/v1/processrequest", body);
	const answer = await send();
	// For want of a token nothing was sent, so that once more does no harm.
	return promptedBy(answer.kind === "NO_TOKEN" ? await send() : answer);
}

/** Why the payer has not paid; undefined if Daraja does not say. */
export async function whyUnpaid(paying: Paying, account: DarajaAccount, checkoutId: string): Promise<string | undefined> {
	const proof = proofOf(account, paying.realNow);
	return proof && unpaidBy(await ask(paying, account, "/mpesa/stkpushquery/v1/query", { ...proof, CheckoutRequestID: checkoutId }));
}
