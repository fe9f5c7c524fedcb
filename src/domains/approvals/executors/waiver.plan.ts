// Gives up part of what an installment owes on the day of the decision.

import * as z from "zod";
import { first } from "../../../db/reads";
import { findLoaded, loadedOf, theAccount } from "../../credit-accounts/ledger.store";
import { planWaiver } from "../../repayments/corrections/waiver.plan";
import { findInstallment } from "../../repayments/store";
import { executor } from "./executor.plan";
import { deciderOf } from "./lending.plan";
import { findProductOf } from "./lending.store";

export const waiver = executor({
	entity: "ACCOUNT",
	payload: z.strictObject({ installment_id: z.uuid().toLowerCase(), amount: z.int().min(1) }),
	home: (accountId) => accountId,
	find: (orm, accountId, { installment_id }) => ({
		product: first(findProductOf(orm, theAccount(accountId))),
		installment: first(findInstallment(orm, accountId, installment_id)),
		records: findLoaded(theAccount(accountId)),
	}),
	target(services, { product, installment, records }, _, { amount }) {
		const loaded = loadedOf(records);
		if (!loaded || !installment) return undefined;
		return {
			organizationId: loaded.account.organizationId,
			decider: deciderOf(product),
			version: loaded.account.status,
			plan: ({ person, reason, approvalId }) =>
				planWaiver(services, loaded, installment, { amount, reason: reason ?? `approval ${approvalId}`, actor: person }),
		};
	},
});
