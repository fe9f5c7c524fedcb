// The refund of an overpayment: what no installment takes leaves the account and is paid out to the borrower.

import * as z from "zod";
import { operator } from "../../http/access";
import { operation } from "../../http/operation";
import { ApiError } from "../../shared/errors";
import { toNumber } from "../../shared/money";
import { balanceOf } from "../credit-accounts/book/balance.policy";
import { replay } from "../credit-accounts/book/book.policy";
import { bookOf, loadedOf } from "../credit-accounts/ledger.store";
import { findRefund, refund } from "../credit-accounts/payouts/store";
import { todayOf } from "../credit-accounts/posting.store";
import { RepaymentTransaction, toTransaction } from "./wire";

export const refundOverpayment = operation({
	id: "refundOverpayment",
	method: "POST",
	path: "/v1/platform/accounts/{accountId}/overpayment/refund",
	summary: "Pay out to the borrower what was overpaid",
	description: "If the disburser reports that it cannot pay, the refund is reversed and the money is on the account again.",
	access: operator,
	home: ({ path }) => path.accountId,
	request: { path: z.object({ accountId: z.uuid().toLowerCase() }) },
	response: RepaymentTransaction,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, caller }, services) {
		const { db, now } = services;
		const [[recipient], ...records] = await db.read(...findRefund(db.orm, path.accountId));
		const { disburser } = services.providers;
		if (!disburser) throw new ApiError("SERVICE_UNAVAILABLE");
		const loaded = loadedOf(records);
		if (!loaded || !recipient) throw new ApiError("NOT_FOUND");
		const { overpaid } = balanceOf(replay(bookOf(loaded), todayOf(loaded.account, now)));
		if (overpaid === 0n) throw new ApiError("INVALID_STATE", { description: "Nothing is overpaid" });
		const order = { id: services.newId(), amount: toNumber(overpaid), actor: caller.operatorId };
		const { writes, instruct } = refund(services, disburser, loaded, recipient, order);
		const { id, amount } = order;
		const answer = toTransaction({ id, kind: "REFUND", reversesId: null, amount, occurredAt: now, postedAt: now }, loaded.account.currency);
		await services.commit(writes, answer);
		instruct();
		return answer;
	},
});
