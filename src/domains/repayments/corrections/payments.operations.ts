// Operators put payments right: what was booked on a wrong account is moved, and a reversal made by mistake is undone.

import * as z from "zod";
import { held, operator } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { ApiError, badInput, invalidState } from "../../../shared/errors";
import { findLoaded, loadedOf, theAccount } from "../../credit-accounts/ledger.store";
import { findWaiting } from "../store";
import { Repayment, RepaymentTransaction, toRepayment, toTransaction } from "../wire";
import { MOVE_REFUSALS, planMove } from "./move.plan";
import { planRestoration, RESTORATION_REFUSALS, reversiblePaymentOf } from "./plan";
import { findReversible } from "./store";

const reason = z.string().trim().min(1).max(255);
const path = z.object({ id: z.uuid().toLowerCase() });

export const moveRepayment = operation({
	id: "moveRepayment",
	method: "POST",
	path: "/v1/repayments/{id}/move",
	summary: "Move a payment that was booked on a wrong account to another account of the same lender, or correct its amount",
	description:
		"With `amount`, which was paid although another was recorded, the account may be its own. In one commit it is taken off the wrong account, as if it had never been made there, and posted to the other with its receipt and value date. It has another id from then on; by its former one it is still found.",
	access: held(operator),
	home: ({ path }) => path.id,
	request: { path, body: z.strictObject({ account_id: z.uuid().toLowerCase(), amount: z.int().min(1).optional(), reason }) },
	response: Repayment,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { id }, body: { account_id: accountId, amount, reason }, caller }, services) {
		const { db } = services;
		const { waiting, target, records } = await db.read({
			waiting: findWaiting(theAccount(accountId)),
			target: findLoaded(theAccount(accountId)),
			records: findReversible(db.orm, id).records,
		});
		const found = reversiblePaymentOf(records, id);
		if (!found) throw new ApiError("NOT_FOUND");
		const to = loadedOf(target);
		const plan = await planMove(services, found, { accountId, to, waiting, amount, reason, actor: caller.operatorId });
		if (!plan.accepted) {
			if (plan.reason === "NO_SUCH_ACCOUNT") throw badInput("account_id", "is not an account of the same lender", "NOT_ALLOWED");
			if (plan.reason === "CURRENCY_MISMATCH") throw badInput("account_id", "has another currency", "CURRENCY_MISMATCH");
			throw invalidState(MOVE_REFUSALS[plan.reason]);
		}
		const { payment, allocations } = plan.moved;
		return services.commit(plan.writes, toRepayment(payment, allocations), plan.options);
	},
});

export const restoreRepayment = operation({
	id: "restoreRepayment",
	method: "POST",
	path: "/v1/repayments/{id}/restore",
	summary: "Undo a reversal of a payment: what it took back counts again, as if it had never been reversed",
	description:
		"`reversal_id` is `reversed_by` of the payment, or another of its reversals. A payment that was returned to the payer, or to a current account, is not restored: 409.",
	access: held(operator),
	home: ({ path }) => path.id,
	request: { path, body: z.strictObject({ reversal_id: z.uuid().toLowerCase(), reason }) },
	response: RepaymentTransaction,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { id }, body: { reversal_id: reversalId, reason }, caller }, services) {
		const { db, now } = services;
		const found = reversiblePaymentOf(await db.read(findReversible(db.orm, id).records), id);
		if (!found) throw new ApiError("NOT_FOUND");
		const plan = planRestoration(services, found, { reversalId, reason, actor: caller.operatorId });
		if (!plan.accepted) {
			if (plan.reason === "NO_SUCH_REVERSAL") throw badInput("reversal_id", "is not a reversal of the payment", "NOT_ALLOWED");
			throw invalidState(RESTORATION_REFUSALS[plan.reason]);
		}
		const { id: account_id, currency } = found.loaded.account;
		const answer = { ...toTransaction({ ...plan.restoration, postedAt: now }, currency), account_id };
		return services.commit(plan.writes, answer, plan.options);
	},
});
