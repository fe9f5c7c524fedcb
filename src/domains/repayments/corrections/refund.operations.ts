// The refund of an overpayment: what no installment takes leaves the account, for the borrower's current account or to be paid out.

import * as z from "zod";
import { spendBy } from "../../../http/amount-windows";
import { held } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { ApiError, invalidState } from "../../../shared/errors";
import { accountWithin, loadedOf } from "../../credit-accounts/ledger.store";
import { actorOf, lendingWorker } from "../../users/model/callers";
import { RepaymentTransaction, toTransaction } from "../wire";
import { findRefundable, overpaidOn, planRefund, verifiedOverpayment } from "./refund.procedure";

export const refundOverpayment = operation({
	id: "refundOverpayment",
	method: "POST",
	path: "/v1/platform/accounts/{accountId}/overpayment/refund",
	summary: "Give back to the borrower what was overpaid",
	description:
		"It goes to the borrower's active current account, else it is paid out; what is too little to be paid out stays overpaid. A member alone gives back what payments have brought that a provider has verified; the rest is an approval, OVERPAYMENT_REFUND. If the disburser reports that it cannot pay, the refund is reversed and the money is on the account again.",
	access: held(lendingWorker),
	home: ({ path }) => path.accountId,
	request: { path: z.object({ accountId: z.uuid().toLowerCase() }) },
	response: RepaymentTransaction,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, caller }, services) {
		const { db, now } = services;
		const accounts = accountWithin(path.accountId, caller);
		const { places, payments, records } = await db.read(findRefundable(db.orm, accounts, now));
		const loaded = loadedOf(records);
		if (!loaded) throw new ApiError("NOT_FOUND");
		const overpaid = overpaidOn(services, loaded);
		if (overpaid === 0) throw invalidState("Nothing is overpaid");
		// An operator's call is made by two persons already.
		const mine = caller.kind === "member" ? await verifiedOverpayment(services, loaded, payments) : overpaid;
		if (mine === 0) throw invalidState(NOT_VERIFIED);
		const { id, amount, writes } = await planRefund(services, places, loaded, {
			amount: mine,
			actor: actorOf(caller),
		});
		const { writes: spent, overQuota } = spendBy(services, caller, amount);
		const answer = toTransaction({ id, kind: "REFUND", reversesId: null, amount, occurredAt: now, postedAt: now }, loaded.account.currency);
		return services.commit([...spent, ...writes], answer, { overQuota });
	},
});

const NOT_VERIFIED =
	"No provider has verified the payments that this overpayment comes from: ask for an approval, OVERPAYMENT_REFUND, which another person decides";
