// Undoes what was posted, as if it had never happened: payments, and by another type of approval whatever else can be undone.

import * as z from "zod";
import { planReversal, reversibleOf, reversiblePaymentOf } from "../../repayments/corrections/plan";
import { findReversible } from "../../repayments/store";
import { executor } from "./executor.plan";
import { deciderOf } from "./lending.plan";
import { findProductOf } from "./lending.store";

const reversalOf = (foundOf: typeof reversibleOf) =>
	executor({
		entity: "TRANSACTION",
		payload: z.strictObject({}),
		home: (transactionId) => transactionId,
		find: (orm, transactionId) => {
			const { accounts, statements } = findReversible(orm, transactionId);
			return [findProductOf(orm, accounts), ...statements];
		},
		target(services, [[product], ...rows], transactionId) {
			const found = foundOf(rows, transactionId);
			if (!found) return undefined;
			return {
				organizationId: found.loaded.account.organizationId,
				decider: deciderOf(product),
				version: found.isReversed ? "REVERSED" : "POSTED",
				plan: ({ person, reason, approvalId }) =>
					planReversal(services, found, { reason: reason ?? `approval ${approvalId}`, actor: person }),
			};
		},
	});

export const repaymentReversal = reversalOf(reversiblePaymentOf);
export const transactionReversal = reversalOf(reversibleOf);
