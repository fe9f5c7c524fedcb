// Puts a lender's credentials to the proof: asks Daraja for the balance of the shortcode, and about a transaction, which payments are
// verified by. The answers are posted to addresses of their own.

import type { BalanceAsked, ConnectionChecked, OpenedConnection } from "../../runtime/ports";
import type { Paying } from "../payment-adapter";
import { balanceAskedBy } from "./answers";
import { addressFor } from "./callback-address";
import { accountOf, askAnew, type DarajaAccount, hasToken } from "./client";
import { askStatus } from "./status";

export async function check(paying: Paying, opened: OpenedConnection, id: string): Promise<ConnectionChecked> {
	const account = accountOf(opened);
	const balance = await askBalance(paying, account, id);
	if (balance === "TOKEN_GIVEN" || balance === "CREDENTIALS_REFUSED" || account.initiatorName === null) return { balance, status: null };
	// Nobody knows a transaction of this id: an initiator with the role learns that, and an initiator without it that it may not ask.
	return { balance, status: await askStatus(paying, account, { OriginalConversationID: id }, ["status", id]) };
}

async function askBalance(paying: Paying, account: DarajaAccount, id: string): Promise<BalanceAsked> {
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
