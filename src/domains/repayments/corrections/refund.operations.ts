// The refund of an overpayment: what no installment takes leaves the account, for the borrower's current account or to be paid out.

import * as z from "zod";
import { spendBy } from "../../../http/amount-windows";
import { held } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { ApiError } from "../../../shared/errors";
import { toNumber } from "../../../shared/money";
import { balanceOf } from "../../credit-accounts/book/balance.policy";
import { replay } from "../../credit-accounts/book/book.policy";
import { accountWithin, bookOf, findLoaded, loadedOf } from "../../credit-accounts/ledger.store";
import { tellPaidBack } from "../../credit-accounts/notices.plan";
import { takeOverpaid } from "../../credit-accounts/payout.plan";
import { todayOf } from "../../credit-accounts/postings/plan";
import { ownerOf } from "../../credit-accounts/store";
import { instruct } from "../../disbursements/procedure";
import { planPayout } from "../../payouts/plan";
import { choosePlace } from "../../payouts/procedure";
import { findPlaces } from "../../payouts/store";
import { actorOf, lendingWorker } from "../../reach/callers";
import { RepaymentTransaction, toTransaction } from "../wire";

export const refundOverpayment = operation({
	id: "refundOverpayment",
	method: "POST",
	path: "/v1/platform/accounts/{accountId}/overpayment/refund",
	summary: "Give back to the borrower what was overpaid",
	description:
		"It goes to the borrower's active current account, else it is paid out; what is too little to be paid out stays overpaid. If the disburser reports that it cannot pay, the refund is reversed and the money is on the account again.",
	access: held(lendingWorker),
	home: ({ path }) => path.accountId,
	request: { path: z.object({ accountId: z.uuid().toLowerCase() }) },
	response: RepaymentTransaction,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, caller }, services) {
		const { db, now } = services;
		const accounts = accountWithin(path.accountId, caller);
		const [borrower, wallet, none, connections, ...records] = await db.read(
			...findPlaces(db.orm, ownerOf(accounts), null, now),
			...findLoaded(accounts),
		);
		const loaded = loadedOf(records);
		if (!loaded) throw new ApiError("NOT_FOUND");
		const { account } = loaded;
		const { overpaid } = balanceOf(replay(bookOf(loaded), todayOf(account, now)));
		if (overpaid === 0n) throw new ApiError("INVALID_STATE", { description: "Nothing is overpaid" });
		const { currency, organizationId } = account;
		const asked = { amount: toNumber(overpaid), currency, organizationId, sent: null, allowed: PREFERRED, preferred: PREFERRED };
		const place = await choosePlace(services, [borrower, wallet, none, connections], asked);
		const { amount } = place;
		const order = { id: services.newId(), amount, actor: actorOf(caller) };
		const { id } = order;
		const { writes: spent, overQuota } = spendBy(services, caller, amount);
		const answer = toTransaction({ id, kind: "REFUND", reversesId: null, amount, occurredAt: now, postedAt: now }, account.currency);
		const payment = planPayout(services, { id, kind: "REFUND", accountId: account.id, organizationId, currency }, place);
		const told = payment.paid ? await tellPaidBack(services, account, amount) : [];
		const writes = [...spent, ...takeOverpaid(services, loaded, order), ...payment.writes, ...told];
		const committed = await services.commit(writes, answer, { overQuota });
		if (!payment.paid) services.afterwards((job) => instruct(job, payment.instruction));
		return committed;
	},
});

/** Money that was overpaid stays with the service where it can. */
const PREFERRED = ["CURRENT_ACCOUNT", "OWN_NUMBER"] as const;
