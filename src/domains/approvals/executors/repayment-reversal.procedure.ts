// Undoes what was posted, as if it had never happened: payments, whose payer may get the money back, and by another type of approval
// whatever else can be undone.

import * as z from "zod";
import type { Elsewhere } from "../../../runtime/services";
import { planReversal, type Reversible, reversibleOf, reversiblePaymentOf } from "../../repayments/corrections/plan";
import { findReturnable, planReturn } from "../../repayments/returns/plan";
import { ordered } from "../../repayments/returns/procedure";
import { findReversible } from "../../repayments/store";
import { type Approved, executor, type Target } from "./executor.plan";
import { deciderOf } from "./lending.plan";
import { findProductOf } from "./lending.store";

type Product = Parameters<typeof deciderOf>[0];

const targetOf = (product: Product, found: Reversible, plan: Target["plan"]): Target => ({
	organizationId: found.loaded.account.organizationId,
	decider: deciderOf(product),
	version: found.isReversed ? "REVERSED" : "POSTED",
	plan,
});

const reverse = (services: Elsewhere, found: Reversible, { person, reason, approvalId }: Approved) =>
	planReversal(services, found, { reason: reason ?? `approval ${approvalId}`, actor: person });

export const repaymentReversal = executor({
	entity: "TRANSACTION",
	payload: z.strictObject({ return_money: z.boolean().optional() }),
	home: (transactionId) => transactionId,
	find: (orm, transactionId) => {
		const { accounts, statements } = findReversible(orm, transactionId);
		return [...findReturnable(orm, transactionId), findProductOf(orm, accounts), ...statements];
	},
	target(services, [[payment], [connection], [product], ...rows], transactionId, { return_money: returnsMoney }) {
		const found = reversiblePaymentOf(rows, transactionId);
		if (!found) return undefined;
		return targetOf(product, found, async (by) => {
			const plan = await reverse(services, found, by);
			if (!plan.accepted || !returnsMoney) return plan;
			const returned = await planReturn(services, { payment, connection, found, reversalId: plan.reversal.id });
			if (!returned.accepted) return returned;
			return { ...plan, writes: [...plan.writes, ...ordered(services, returned)] };
		});
	},
});

export const transactionReversal = executor({
	entity: "TRANSACTION",
	payload: z.strictObject({}),
	home: (transactionId) => transactionId,
	find: (orm, transactionId) => {
		const { accounts, statements } = findReversible(orm, transactionId);
		return [findProductOf(orm, accounts), ...statements];
	},
	target(services, [[product], ...rows], transactionId) {
		const found = reversibleOf(rows, transactionId);
		return found && targetOf(product, found, (by) => reverse(services, found, by));
	},
});
