// Payments to lenders' shortcodes: asks Daraja whether one was made, and tells it where to confirm them.

import type { Registered } from "../../runtime/ports";
import type { Paying } from "../payment-adapter";
import { isTaken } from "./answers";
import { type Connected, confirmationsAt } from "./callback-address";
import { ask, type DarajaAccount } from "./client";
import { askStatus } from "./status";

export const inquireReceipt = (
	paying: Paying,
	account: DarajaAccount,
	{ id, transactionId }: { readonly id: string; readonly transactionId: string },
) => askStatus(paying, account, { TransactionID: transactionId }, ["confirmed", id]);

/** Completed: a payment goes on where the service cannot be asked. */
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
