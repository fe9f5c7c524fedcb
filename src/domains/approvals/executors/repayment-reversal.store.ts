// Reverses a posted payment, as if it had never been made.

import * as z from "zod";
import { findReversible, planReversal, reversibleOf } from "../../repayments/corrections/store";
import { executor } from "./executor.store";
import { deciderOf, findProductOf } from "./lending.store";

export const repaymentReversal = executor({
	entity: "TRANSACTION",
	payload: z.strictObject({}),
	home: (transactionId) => transactionId,
	find: (orm, transactionId) => {
		const { accounts, statements } = findReversible(orm, transactionId);
		return [findProductOf(orm, accounts), ...statements];
	},
	target(services, [[product], ...rows], transactionId) {
		const found = reversibleOf(rows, transactionId);
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
