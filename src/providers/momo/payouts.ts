// Pays out by MTN MoMo's Disbursements: from the lender's own wallet to a number of mobile money in the same market.

import { sha256Hex } from "../../shared/bytes";
import { shortAmountText } from "../../shared/currency";
import { marketOf } from "../../shared/momo-markets";
import type { PaymentAdapter } from "../payment-adapter";
import { endFound, meaningOf } from "./answers";
import { addressFor } from "./callback-address";
import { accountOf, ask } from "./client";

const PATH = "/disbursement/v1_0/transfer";

/**
 * By which MTN MoMo recognises a repetition, of a UUID's version 4 as it demands. It is made of our id alone: a key would be another one day,
 * and a repetition from then on a second payment.
 */
export async function referenceFor(id: string): Promise<string> {
	const hex = await sha256Hex(`momo:${id}`);
	const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
	return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}

export const momo: PaymentAdapter = {
	/** MTN judges what a wallet may pay and hold. */
	route({ currency, mobileNumber }, { facts }) {
		const market = marketOf(facts.targetEnvironment);
		return market && currency === market.currency && mobileNumber?.startsWith(market.prefix) ? "PAYS" : undefined;
	},

	async payOut(paying, opened, { reference, amount, currency, mobileNumber }) {
		const account = accountOf(opened);
		const market = marketOf(account.market);
		if (!market || market.currency !== currency || mobileNumber === null) return { outcome: "NOT_SENT" };
		const answer = await ask(paying, account, {
			method: "POST",
			path: PATH,
			headers: { "X-Reference-Id": await referenceFor(reference), "X-Callback-Url": await addressFor(paying, reference) },
			body: {
				amount: shortAmountText(amount, currency),
				currency,
				externalId: reference,
				payee: { partyIdType: "MSISDN", partyId: mobileNumber.slice(1) },
				payerMessage: "Payout",
				payeeNote: "Payout",
			},
		});
		return meaningOf(answer);
	},

	/** It answers at once. */
	async inquire(paying, opened, { reference, amount }) {
		const account = accountOf(opened);
		const market = marketOf(account.market);
		if (!market) return "UNKNOWN";
		const answer = await ask(paying, account, { method: "GET", path: `${PATH}/${await referenceFor(reference)}` });
		return endFound(answer, { reference, amount, marketName: account.market, market });
	},
};
