// Puts a lender's credentials to the proof, and asks Daraja for the balance of the shortcode. The answer is posted to an address of its own.

import type { BalanceAsked, OpenedConnection } from "../../runtime/ports";
import type { Paying } from "../payment-adapter";
import { balanceAskedBy } from "./answers";
import { addressFor } from "./callback-address";
import { accountOf, askAnew, hasToken } from "./client";

export async function askBalance(paying: Paying, opened: OpenedConnection, id: string): Promise<BalanceAsked> {
	const account = accountOf(opened);
	if (account.initiatorName === null || account.securityCredential === null) {
		const given = await hasToken(paying, account);
		return given === undefined ? "UNKNOWN" : given ? "TOKEN_GIVEN" : "CREDENTIALS_REFUSED";
	}
	const address = await addressFor(paying, "balance", id);
	const answer = await askAnew(paying, account, "/mpesa/accountbalance/v1/query", {
		Initiator: account.initiatorName,
		SecurityCredential: account.securityCredential,
		CommandID: "AccountBalance",
		PartyA: account.shortCode,
		IdentifierType: "4",
		Remarks: "Balance",
		QueueTimeOutURL: address,
		ResultURL: address,
	});
	return balanceAskedBy(answer);
}
