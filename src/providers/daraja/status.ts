// Asks Daraja what became of a transaction. The answer is posted to an address of its own.

import type { Paying } from "../payment-adapter";
import { isTaken } from "./answers";
import { addressFor, type Question } from "./callback-address";
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
