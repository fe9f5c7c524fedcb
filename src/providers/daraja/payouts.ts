// Pays out by Daraja's B2C: business to customer, from the lender's own shortcode to a number of mobile money.

import type { PaymentAdapter } from "../payment-adapter";
import { meaningOf } from "./answers";
import { addressFor } from "./callback-address";
import { check } from "./check";
import { accountOf, ask } from "./client";
import { askStatus } from "./status";

/** What Daraja pays in one payment, in cents: KES 10 to 250,000, and no cents. */
const UNIT = 100;
const LEAST = 10_00;
const MOST = 250_000_00;

export const daraja: PaymentAdapter = {
	route({ amount, currency, mobileNumber }) {
		if (currency !== "KES" || mobileNumber === null || !/^\+254\d{9}$/.test(mobileNumber)) return undefined;
		if (amount % UNIT !== 0) return { fault: "WHOLE_UNITS", unit: UNIT };
		return amount < LEAST || amount > MOST ? { fault: "OUT_OF_RANGE", least: LEAST, most: MOST } : "PAYS";
	},

	/** Every repetition is the same but for the initiator's credentials. */
	async payOut(paying, opened, { reference, amount, mobileNumber }) {
		const account = accountOf(opened);
		if (account.initiatorName === null || account.securityCredential === null || mobileNumber === null) return { outcome: "NOT_SENT" };
		const address = await addressFor(paying, "payout", reference);
		const answer = await ask(paying, account, "/mpesa/b2c/v3/paymentrequest", {
			OriginatorConversationID: reference,
			InitiatorName: account.initiatorName,
			SecurityCredential: account.securityCredential,
			CommandID: "BusinessPayment",
			Amount: String(amount / UNIT),
			PartyA: account.shortCode,
			PartyB: mobileNumber.slice(1),
			Remarks: "Payout",
			QueueTimeOutURL: address,
			ResultURL: address,
			// As Daraja spells it.
			Occassion: "Payout",
		});
		return meaningOf(answer);
	},

	inquire: (paying, opened, { reference }) =>
		askStatus(paying, accountOf(opened), { OriginalConversationID: reference }, ["found", reference]),

	check,
};
