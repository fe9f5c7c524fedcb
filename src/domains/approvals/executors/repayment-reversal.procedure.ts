// Undoes what was posted, as if it had never happened: payments, or a part of one, whose payer may get the money back; by other types of
// approval everything else that can be undone, and the reversal of a payment.

import * as z from "zod";
import { first } from "../../../db/reads";
import {
	planRestoration,
	planReversal,
	type Reversible,
	remainingOf,
	reversibleOf,
	reversiblePaymentOf,
} from "../../repayments/corrections/plan";
import { findReversible } from "../../repayments/corrections/store";
import { findReturnable, planReturn } from "../../repayments/returns/plan";
import { ordered } from "../../repayments/returns/procedure";
import { type Approved, executor, type Target } from "./executor.plan";
import { deciderOf } from "./lending.plan";
import { findProductOf } from "./lending.store";

type Product = Parameters<typeof deciderOf>[0];

export const targetOf = (product: Product, found: Reversible, plan: Target["plan"]): Target => ({
	organizationId: found.loaded.account.organizationId,
	decider: deciderOf(product),
	version: versionOf(found),
	plan,
});

function versionOf(found: Reversible): string {
	const remaining = remainingOf(found);
	if (remaining === 0) return "REVERSED";
	return remaining === found.original.amount ? "POSTED" : `POSTED ${remaining}`;
}

export const orderedBy = ({ person, reason, approvalId }: Approved) => ({ reason: reason ?? `approval ${approvalId}`, actor: person });

export const repaymentReversal = executor({
	entity: "TRANSACTION",
	payload: z.strictObject({ amount: z.int().min(1).optional(), return_money: z.boolean().optional() }),
	home: (transactionId) => transactionId,
	find: (orm, transactionId) => {
		const { accounts, records } = findReversible(orm, transactionId);
		return { connection: first(findReturnable(orm, transactionId)), product: first(findProductOf(orm, accounts)), records };
	},
	target(services, { connection, product, records }, transactionId, { amount, return_money: returnsMoney }) {
		const found = reversiblePaymentOf(records, transactionId);
		if (!found) return undefined;
		return targetOf(product, found, async (by) => {
			const plan = await planReversal(services, found, { ...orderedBy(by), amount });
			if (!plan.accepted || !returnsMoney) return plan;
			const returned = await planReturn(services, { connection, found, reversal: plan.reversal });
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
		const { accounts, records } = findReversible(orm, transactionId);
		return { product: first(findProductOf(orm, accounts)), records };
	},
	target(services, { product, records }, transactionId) {
		const found = reversibleOf(records, transactionId);
		return found && targetOf(product, found, (by) => planReversal(services, found, orderedBy(by)));
	},
});

export const repaymentRestoration = executor({
	entity: "TRANSACTION",
	payload: z.strictObject({ reversal_id: z.uuid().toLowerCase() }),
	home: (transactionId) => transactionId,
	find: (orm, transactionId) => {
		const { accounts, records } = findReversible(orm, transactionId);
		return { product: first(findProductOf(orm, accounts)), records };
	},
	target(services, { product, records }, transactionId, { reversal_id: reversalId }) {
		const found = reversiblePaymentOf(records, transactionId);
		return found && targetOf(product, found, (by) => planRestoration(services, found, { ...orderedBy(by), reversalId }));
	},
});
