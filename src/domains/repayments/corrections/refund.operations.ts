// The refund of an overpayment: what no installment takes leaves the account, for the borrower's current account or to be paid out.

import * as z from "zod";
import { spendBy } from "../../../http/amount-windows";
import { held } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { MAX_BALANCE } from "../../../runtime/current-account-terms";
import { ApiError } from "../../../shared/errors";
import { toNumber } from "../../../shared/money";
import { balanceOf } from "../../credit-accounts/book/balance.policy";
import { replay } from "../../credit-accounts/book/book.policy";
import { accountWithin, bookOf, findRefund, loadedOf } from "../../credit-accounts/ledger.store";
import { orderRefund, refundPaid } from "../../credit-accounts/payout.plan";
import { todayOf } from "../../credit-accounts/postings/plan";
import { ownerOf } from "../../credit-accounts/store";
import { findActiveAccountOf } from "../../current-accounts/accounts/store";
import { credit, post } from "../../current-accounts/ledger/plan";
import type { CurrentAccountRow } from "../../current-accounts/table";
import { instruct } from "../../disbursements/procedure";
import { actorOf, lendingWorker } from "../../reach/callers";
import { RepaymentTransaction, toTransaction } from "../wire";

export const refundOverpayment = operation({
	id: "refundOverpayment",
	method: "POST",
	path: "/v1/platform/accounts/{accountId}/overpayment/refund",
	summary: "Give back to the borrower what was overpaid",
	description:
		"It goes to the borrower's active current account, else it is paid out. If the disburser reports that it cannot pay, the refund is reversed and the money is on the account again.",
	access: held(lendingWorker),
	home: ({ path }) => path.accountId,
	request: { path: z.object({ accountId: z.uuid().toLowerCase() }) },
	response: RepaymentTransaction,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, caller }, services) {
		const { db, now } = services;
		const accounts = accountWithin(path.accountId, caller);
		const [[wallet], [recipient], ...records] = await db.read(
			findActiveAccountOf(db.orm, ownerOf(accounts)),
			...findRefund(db.orm, accounts),
		);
		const loaded = loadedOf(records);
		if (!loaded || !recipient) throw new ApiError("NOT_FOUND");
		const { account } = loaded;
		const { overpaid } = balanceOf(replay(bookOf(loaded), todayOf(account, now)));
		if (overpaid === 0n) throw new ApiError("INVALID_STATE", { description: "Nothing is overpaid" });
		const order = { id: services.newId(), amount: toNumber(overpaid), actor: actorOf(caller) };
		const { id, amount } = order;
		const { writes: spent, overQuota } = spendBy(services, caller, amount);
		const answer = toTransaction({ id, kind: "REFUND", reversesId: null, amount, occurredAt: now, postedAt: now }, account.currency);
		if (wallet && canTake(wallet, amount, account.currency)) {
			const credited = post(services, wallet, credit("LOAN_REFUND", id, amount));
			const to = { type: "CURRENT_ACCOUNT" as const, ...recipient, account: accountOf(wallet) };
			const paid = refundPaid(services, loaded, to, { ...order, mobileMoneyTransactionId: null });
			return services.commit([...spent, ...paid, ...credited], answer, { overQuota });
		}
		const { disburser } = services.providers;
		if (!disburser) throw new ApiError("SERVICE_UNAVAILABLE");
		const to = { type: "OWN_NUMBER" as const, ...recipient };
		if (disburser.kind === "embedded") {
			return services.commit([...spent, ...refundPaid(services, loaded, to, { ...order, ...disburser.pay(id) })], answer, { overQuota });
		}
		const { writes, instruction } = orderRefund(services, loaded, to, order);
		const committed = await services.commit([...spent, ...writes], answer, { overQuota });
		services.afterwards((job) => instruct(job, instruction));
		return committed;
	},
});

const accountOf = ({ accountNumber }: CurrentAccountRow) => ({ type: "CURRENT_ACCOUNT", identifier: accountNumber, name: null });

const canTake = ({ currency, balance }: CurrentAccountRow, amount: number, of: string): boolean =>
	currency === of && balance + amount <= MAX_BALANCE;
