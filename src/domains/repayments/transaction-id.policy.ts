// A provider's id of a payment, which machines copy and people type from a message.

import { visibleKey } from "../../shared/visible-key";

/** The id as payments are compared by it, and as it was sent where that is written otherwise. */
export function transactionIdOf(sent: string): { readonly mobileMoneyTransactionId: string; readonly transactionIdSent: string | null } {
	const mobileMoneyTransactionId = visibleKey(sent);
	return { mobileMoneyTransactionId, transactionIdSent: sent === mobileMoneyTransactionId ? null : sent };
}

/** Of a payment from a current account. */
export const walletTransactionId = (paymentId: string) => transactionIdOf(`WALLET-${paymentId}`);
