// Gives back an overpayment from payments that no provider has verified, once a second person agrees.

import * as z from "zod";
import { first } from "../../../db/reads";
import { loadedOf, theAccount } from "../../credit-accounts/ledger.store";
import { findRefundable, overpaidOn, planRefund } from "../../repayments/corrections/refund.procedure";
import { executor } from "./executor.plan";
import { deciderOf } from "./lending.plan";
import { findProductOf } from "./lending.store";

export const overpaymentRefund = executor({
	entity: "ACCOUNT",
	payload: z.strictObject({ amount: z.int().min(1) }),
	home: (accountId) => accountId,
	find: (orm, accountId, _, now) => ({
		product: first(findProductOf(orm, theAccount(accountId))),
		...findRefundable(orm, theAccount(accountId), now),
	}),
	target(services, { product, places, records }, _, { amount }) {
		const loaded = loadedOf(records);
		if (!loaded) return undefined;
		const overpaid = overpaidOn(services, loaded);
		return {
			organizationId: loaded.account.organizationId,
			decider: deciderOf(product),
			version: `OVERPAID_${overpaid}`,
			async plan({ person }) {
				if (amount > overpaid) return { accepted: false, reason: "MORE_THAN_OVERPAID" };
				const order = { amount, actor: person };
				const { writes } = await planRefund(services, places, loaded, order);
				return { accepted: true, writes };
			},
		};
	},
});
