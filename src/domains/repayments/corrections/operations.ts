// Operators correct an account: they undo what was posted, or waive what an installment owes. Both are transactions of their own.

import * as z from "zod";
import { first } from "../../../db/reads";
import { held, operator } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { ApiError, badInput, invalidState } from "../../../shared/errors";
import { findLoaded, loadedOf, theAccount } from "../../credit-accounts/ledger.store";
import { findReturnable, planReturn, RETURN_REFUSALS } from "../returns/plan";
import { ordered } from "../returns/procedure";
import { findInstallment } from "../store";
import { RepaymentTransaction, toTransaction } from "../wire";
import { planReversal, REVERSAL_REFUSALS, remainingOf, reversibleOf, reversiblePaymentOf } from "./plan";
import { findReversible } from "./store";
import { planWaiver } from "./waiver.plan";

const reason = z.string().trim().min(1).max(255);

export const reverseRepayment = operation({
	id: "reverseRepayment",
	method: "POST",
	path: "/v1/repayments/{id}/reverse",
	summary: "Reverse a posted payment, or a part of it, as if that had never been paid",
	description:
		"Without `amount` all that is left of it. `POST /v1/repayments/{id}/restore` undoes a reversal, and `…/move` books a payment on another account. With `return_money` its payer gets the money back, by the connection that verified the payment: whether they have it is `money_return` of the payment. If the money cannot be returned, nothing is reversed: 409.",
	access: held(operator),
	home: ({ path }) => path.id,
	request: {
		path: z.object({ id: z.uuid().toLowerCase() }),
		body: z.strictObject({ reason, amount: z.int().min(1).optional(), return_money: z.boolean().default(false) }),
	},
	response: RepaymentTransaction,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, body, caller }, services) {
		const { db, now } = services;
		const { connection, records } = await db.read({
			connection: first(findReturnable(db.orm, path.id)),
			records: findReversible(db.orm, path.id).records,
		});
		const found = reversiblePaymentOf(records, path.id);
		if (!found) throw new ApiError("NOT_FOUND");
		const plan = await planReversal(services, found, { reason: body.reason, actor: caller.operatorId, amount: body.amount });
		if (!plan.accepted && plan.reason === "MORE_THAN_REMAINS") {
			throw badInput("amount", `is more than the ${remainingOf(found)} that are left of the payment`, "OUT_OF_RANGE");
		}
		if (!plan.accepted) throw new ApiError("INVALID_STATE", { description: REVERSAL_REFUSALS[plan.reason] });
		const { id: account_id, currency } = found.loaded.account;
		const answer = { ...toTransaction({ ...plan.reversal, postedAt: now }, currency), account_id };
		if (!body.return_money) return services.commit(plan.writes, answer, plan.options);
		const returned = await planReturn(services, { connection, found, reversal: plan.reversal });
		if (!returned.accepted) throw invalidState(RETURN_REFUSALS[returned.reason]);
		return services.commit([...plan.writes, ...ordered(services, returned)], answer, plan.options);
	},
});

export const reverseTransaction = operation({
	id: "reverseTransaction",
	method: "POST",
	path: "/v1/platform/accounts/{accountId}/transactions/{transactionId}/reverse",
	summary: "Undo what was posted to a credit account, as if it had never happened",
	description:
		"Payments, waivers, write-offs, reschedules and settlements, and draws of an imported history. To undo a payout, record that its money came back.",
	access: held(operator),
	home: ({ path }) => path.accountId,
	request: {
		path: z.object({ accountId: z.uuid().toLowerCase(), transactionId: z.uuid().toLowerCase() }),
		body: z.strictObject({ reason }),
	},
	response: RepaymentTransaction,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { accountId, transactionId }, body, caller }, services) {
		const { db, now } = services;
		const found = reversibleOf(await db.read(findReversible(db.orm, transactionId).records), transactionId);
		if (found?.loaded.account.id !== accountId) throw new ApiError("NOT_FOUND");
		const plan = await planReversal(services, found, { reason: body.reason, actor: caller.operatorId });
		if (!plan.accepted) throw new ApiError("INVALID_STATE", { description: REVERSAL_REFUSALS[plan.reason] });
		const answer = toTransaction({ ...plan.reversal, postedAt: now }, found.loaded.account.currency);
		return services.commit(plan.writes, answer, plan.options);
	},
});

export const waive = operation({
	id: "waive",
	method: "POST",
	path: "/v1/platform/accounts/{accountId}/waivers",
	summary: "Give up part of what an installment owes today",
	access: held(operator),
	home: ({ path }) => path.accountId,
	request: {
		path: z.object({ accountId: z.uuid().toLowerCase() }),
		body: z.strictObject({ installment_id: z.uuid().toLowerCase(), amount: z.int().min(1), reason }),
	},
	response: RepaymentTransaction,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, body, caller }, services) {
		const { db, now } = services;
		const { installment, records } = await db.read({
			installment: first(findInstallment(db.orm, path.accountId, body.installment_id)),
			records: findLoaded(theAccount(path.accountId)),
		});
		const loaded = loadedOf(records);
		if (!loaded || !installment)
			throw new ApiError("NOT_FOUND", { description: "The account has no such installment, or there is no such account" });
		const { amount, reason } = body;
		const plan = planWaiver(services, loaded, installment, { amount, reason, actor: caller.operatorId });
		if (!plan.accepted) throw badInput("amount", `is more than the ${plan.owed} that the installment owes`, "OUT_OF_RANGE");
		return services.commit(plan.writes, toTransaction({ ...plan.waiver, reversesId: null, postedAt: now }, loaded.account.currency));
	},
});
