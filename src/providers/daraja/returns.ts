// Gives payments back to their payers: Daraja's reversals. It knows no reference of ours, but by the receipt whether it was done before.

import type { GivingBack, InstructionOutcome } from "../../runtime/ports";
import type { Paying } from "../payment-adapter";
import { addressFor } from "./callback-address";
import { ask, type DarajaAccount } from "./client";
import { meaningOfReturn } from "./return-answers";

const UNIT = 100;

/** Every repetition is the same but for the initiator's credentials. */
export async function giveBack(
	paying: Paying,
	account: DarajaAccount,
	{ id, shortCode, receipt, amount }: Omit<GivingBack, "organizationId">,
): Promise<InstructionOutcome> {
	// Another shortcode cannot give back what this one got.
	if (account.initiatorName === null || account.securityCredential === null || account.shortCode !== shortCode)
		return { outcome: "NOT_SENT" };
	const address = await addressFor(paying, "return", id);
	const answer = await ask(paying, account, "/mpesa/reversal/v1/request", {
		Initiator: account.initiatorName,
		SecurityCredential: account.securityCredential,
		CommandID: "TransactionReversal",
		TransactionID: receipt,
		Amount: String(amount / UNIT),
		ReceiverParty: shortCode,
		// As Daraja spells it.
		RecieverIdentifierType: "11",
		ResultURL: address,
		QueueTimeOutURL: address,
		Remarks: "Return",
		Occasion: "Return",
	});
	return meaningOfReturn(answer);
}
