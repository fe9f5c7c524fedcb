// Pays as the user, in the sandbox: the payment is recorded as a provider's confirmation is.

import * as z from "zod";
import { first } from "../../../db/reads";
import { user } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { timeOf } from "../../../providers/daraja/callbacks";
import { shortAmountText } from "../../../shared/currency";
import { ApiError } from "../../../shared/errors";
import { Receipt } from "../../../shared/visible-key";
import { findConnection } from "../../connections/model/store";
import { reachedAccount } from "../../credit-accounts/ledger.store";
import { findAccount, lenderOf } from "../../credit-accounts/store";
import { findUser } from "../../users/model/store";
import { recordPayment } from "./daraja.procedure";

/** Of lenders without a connection. */
const SHORT_CODE = "600000";

export const payInSandbox = operation({
	id: "payInSandbox",
	method: "POST",
	path: "/v1/sandbox/payments",
	summary: "Pay to a credit account from the user's phone",
	description:
		"Recorded as a confirmation of M-Pesa is: on the account that the payer has typed, else on that of their number, else as unmatched. Amounts are in KES.",
	access: user,
	home: ({ body }) => body.account_id,
	only: ["local", "sandbox"],
	request: {
		body: z.object({
			account_id: z.uuid().toLowerCase(),
			amount: z.int().min(1).max(1_000_000_000_000),
			reference: z
				.string()
				.trim()
				.min(1)
				.max(64)
				.optional()
				.meta({ description: "The text that the payer types as account number, such as a wrong one" }),
			mobile_money_transaction_id: Receipt.optional().meta({
				description: "Sent again with the same one, it is one payment; made up if left out",
			}),
		}),
	},
	response: z.object({ mobile_money_transaction_id: z.string() }),
	status: 202,
	errors: ["NOT_FOUND", "DUPLICATE_CONFLICT"],
	async handle({ body: { account_id, amount, reference, mobile_money_transaction_id: sent }, caller }, services) {
		const { db, now } = services;
		const accounts = reachedAccount(account_id, caller);
		const { account, payer, connection } = await db.read({
			account: first(findAccount(db.orm, accounts)),
			payer: first(findUser(db.orm, caller.userId)),
			connection: first(findConnection(db.orm, { organizationId: lenderOf(accounts), provider: "daraja" })),
		});
		if (!account?.organizationId) throw new ApiError("NOT_FOUND");
		const receipt = sent ?? `SB${crypto.randomUUID().replaceAll("-", "").slice(0, 10).toUpperCase()}`;
		const body = {
			TransID: receipt,
			TransTime: timeOf(now),
			TransAmount: shortAmountText(amount, "KES"),
			BusinessShortCode: connection?.shortCode ?? SHORT_CODE,
			BillRefNumber: reference ?? account.accountNumber,
			...(payer?.mobileNumber && { MSISDN: payer.mobileNumber.slice(1) }),
		};
		const paid = { organizationId: account.organizationId, body, amount: { value: amount, isExact: true }, verified: { at: now } };
		return recordPayment(services, paid, { mobile_money_transaction_id: receipt });
	},
});
