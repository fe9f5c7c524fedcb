// Informs the payer of transfers that a thief would make: the first transfer to a payee's account, and each above the amount that goes to
// new payees without a one-time password.

import type { Write } from "../../db/database";
import type { Services } from "../../runtime/services";
import { noticeTo, notifyUser, type Reachable } from "../messages/notices.plan";
import type { PayeeAccountRow } from "../payees/table";
import type { TransferRow } from "./table";

/** The notice of a transfer that leaves the account now; none of a transfer that waits for its code, or has failed. */
export async function noticesOf(
	services: Services,
	payer: Reachable | undefined,
	{ status, amount, currency }: TransferRow,
	payeeAccount: Pick<PayeeAccountRow, "transactionCount"> | undefined,
): Promise<Write[]> {
	if (!payer || status === "AWAITING_OTP" || status === "FAILED") return [];
	const values = { sum: { amount, currency } };
	if (payeeAccount?.transactionCount === 0) {
		return noticeTo(services, payer, { key: "TRANSFER_TO_NEW_PAYEE", values });
	}
	return amount > services.config.NEW_PAYEE_OTP_ABOVE ? notifyUser(services, payer.id, "PAYMENTS", { key: "TRANSFER_LEAVES", values }) : [];
}
