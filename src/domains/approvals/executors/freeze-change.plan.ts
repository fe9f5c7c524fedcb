// Freezes a current account, or releases it.

import * as z from "zod";
import { first } from "../../../db/reads";
import { planFreezing } from "../../current-accounts/accounts/freezing.plan";
import { findAccountById, ownerOf } from "../../current-accounts/accounts/store";
import { findUser } from "../../users/model/store";
import { executor } from "./executor.plan";

export const freezeChange = executor({
	entity: "ACCOUNT",
	payload: z.strictObject({ frozen: z.boolean() }),
	home: (accountId) => accountId,
	find: (orm, accountId) => ({ account: first(findAccountById(orm, accountId)), owner: first(findUser(orm, ownerOf(accountId))) }),
	target(services, { account, owner }, _, { frozen }) {
		if (!account) return undefined;
		return {
			organizationId: account.organizationId,
			// Operators may have frozen it, and the lender's people are not those who lift that.
			decider: frozen ? "ORGANIZATION" : "OPERATOR",
			// Frozen once more since then is another freeze.
			version: `${account.status} ${account.updatedAt}`,
			async plan({ approvalId, reason }) {
				// A recovery of the owner's number has frozen it, and ends that by itself.
				if (account.frozenFor !== null) return { accepted: false, reason: "FROZEN_FOR_RECOVERY" };
				const asked = { by: frozen ? "freeze" : "unfreeze", reason: reason ?? `approval ${approvalId}`, owner } as const;
				const plan = await planFreezing(services, account, asked);
				return plan ? { accepted: true, writes: plan.writes } : { accepted: false, reason: `ACCOUNT_${account.status}` };
			},
		};
	},
});
