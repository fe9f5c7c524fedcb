// Asks Daraja what became of a transaction, which it answers at an address of its own, and registers the address where it confirms payments
// to a shortcode.

import type { Registered } from "../../runtime/ports";
import type { Paying } from "../payment-adapter";
import { isTaken } from "./answers";
import { addressFor, type Connected, confirmationsAt, type Question } from "./callback-address";
import { ask, type DarajaAccount } from "./client";

/** By the id that was given when it was asked for, or by the receipt. */
type Transaction = { readonly OriginalConversationID: string } | { readonly TransactionID: string };

/** The answer comes to the address of this kind and id. */
export async function askStatus(
	paying: Paying,
	account: DarajaAccount,
	transaction: Transaction,
	[kind, id]: readonly [Question, string],
): Promise<"ASKED" | "UNKNOWN"> {
	if (account.initiatorName === null || account.securityCredential === null) return "UNKNOWN";
	const address = await addressFor(paying, kind, id);
	const answer = await ask(paying, account, "/mpesa/transactionstatus/v1/query", {
		Initiator: account.initiatorName,
		SecurityCredential: account.securityCredential,
		CommandID: "TransactionStatusQuery",
		...transaction,
		PartyA: account.shortCode,
		IdentifierType: "4",
		ResultURL: address,
		QueueTimeOutURL: address,
		Remarks: "Status",
		Occasion: "Status",
	});
	return isTaken(answer) ? "ASKED" : "UNKNOWN";
}

export const inquireReceipt = (
	paying: Paying,
	account: DarajaAccount,
	{
		id,
		transactionId,
		about = "confirmed",
	}: { readonly id: string; readonly transactionId: string; readonly about?: "confirmed" | "break" },
) => askStatus(paying, account, { TransactionID: transactionId }, [about, id]);

/** Completed: a payment continues where the service cannot be asked. */
export async function registerAddresses(paying: Paying, account: DarajaAccount, connected: Connected): Promise<Registered> {
	const address = await confirmationsAt(paying, connected);
	const answer = await ask(paying, account, "/mpesa/c2b/v2/registerurl", {
		ShortCode: account.shortCode,
		ResponseType: "Completed",
		ConfirmationURL: `${address}/confirmation`,
		ValidationURL: `${address}/validation`,
	});
	if (isTaken(answer)) return "REGISTERED";
	return answer.kind === "ANSWER" && answer.status >= 400 && answer.status < 500 ? "REFUSED" : "UNKNOWN";
}
