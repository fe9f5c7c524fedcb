// Agrees to waive the rest of what is owed once an amount is paid in time.

import * as z from "zod";
import { first } from "../../../db/reads";
import { LocalDate } from "../../../shared/timestamp";
import { planSettlement } from "../../credit-accounts/changes/plan";
import { findLoaded, loadedOf, theAccount } from "../../credit-accounts/ledger.store";
import { executor } from "./executor.plan";
import { deciderOf } from "./lending.plan";
import { findProductOf } from "./lending.store";

export const settlement = executor({
	entity: "ACCOUNT",
	payload: z.strictObject({ amount: z.int().min(1), valid_until: LocalDate }),
	home: (accountId) => accountId,
	find: (orm, accountId) => ({ product: first(findProductOf(orm, theAccount(accountId))), records: findLoaded(theAccount(accountId)) }),
	target(services, { product, records }, _, { amount, valid_until: validUntil }) {
		const loaded = loadedOf(records);
		if (!loaded || loaded.cycles.length === 0) return undefined;
		return {
			organizationId: loaded.account.organizationId,
			decider: deciderOf(product),
			version: loaded.account.status,
			plan: ({ person, reason, approvalId }) =>
				planSettlement(services, loaded, { amount, validUntil, reason: reason ?? `approval ${approvalId}`, actor: person }),
		};
	},
});
