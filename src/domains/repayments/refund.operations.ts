// The refund of an overpayment: what no installment takes leaves the account, for the borrower's current account if they have an active
// one, else to be paid out to them.

import * as z from "zod";
import { operator } from "../../http/access";
import { operation } from "../../http/operation";
import { MAX_BALANCE } from "../../runtime/current-account-terms";
import type { Borrower } from "../../runtime/ports";
import type { Services } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { toNumber } from "../../shared/money";
import { balanceOf } from "../credit-accounts/book/balance.policy";
import { replay } from "../credit-accounts/book/book.policy";
import { bookOf, loadedOf } from "../credit-accounts/ledger.store";
import { findRefund, type RefundTarget, refund } from "../credit-accounts/payouts/store";
import { todayOf } from "../credit-accounts/posting.store";
import type { CreditAccountRow } from "../credit-accounts/table";
import type { CurrentAccountRow } from "../current-accounts/table";
import { RepaymentTransaction, toTransaction } from "./wire";

export const refundOverpayment = operation({
	id: "refundOverpayment",
	method: "POST",
	path: "/v1/platform/accounts/{accountId}/overpayment/refund",
	summary: "Give back to the borrower what was overpaid",
	description:
		"It goes to the borrower's active current account in the same currency if there is one, else it is paid out. If the disburser reports that it cannot pay, the refund is reversed and the money is on the account again.",
	access: operator,
	home: ({ path }) => path.accountId,
	request: { path: z.object({ accountId: z.uuid().toLowerCase() }) },
	response: RepaymentTransaction,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, caller }, services) {
		const { db, now } = services;
		const [[recipient], [wallet], ...records] = await db.read(...findRefund(db.orm, path.accountId));
		const loaded = loadedOf(records);
		if (!loaded || !recipient) throw new ApiError("NOT_FOUND");
		const { account } = loaded;
		const overpaid = toNumber(balanceOf(replay(bookOf(loaded), todayOf(account, now))).overpaid);
		if (overpaid === 0) throw new ApiError("INVALID_STATE", { description: "Nothing is overpaid" });
		const order = { id: services.newId(), amount: overpaid, actor: caller.operatorId };
		const { writes, instruct } = refund(services, loaded, targetOf(services, account, { recipient, wallet, amount: overpaid }), order);
		const { id, amount } = order;
		const answer = toTransaction({ id, kind: "REFUND", reversesId: null, amount, occurredAt: now, postedAt: now }, account.currency);
		await services.commit(writes, answer);
		instruct();
		return answer;
	},
});

type Found = { readonly recipient: Borrower; readonly wallet: CurrentAccountRow | undefined; readonly amount: number };

function targetOf(
	{ providers: { disburser } }: Services,
	{ currency }: CreditAccountRow,
	{ recipient, wallet, amount }: Found,
): RefundTarget {
	if (wallet?.status === "ACTIVE" && wallet.currency === currency && wallet.balance + amount <= MAX_BALANCE) {
		return { kind: "CURRENT_ACCOUNT", account: wallet };
	}
	if (!disburser) throw new ApiError("SERVICE_UNAVAILABLE");
	return { kind: "DISBURSER", disburser, recipient };
}
