// Closes a credit account on which nothing is owed.

import * as z from "zod";
import { first } from "../../../db/reads";
import { readView } from "../../credit-accounts/account-view.plan";
import { findToClose, planClosing } from "../../credit-accounts/closing.plan";
import { theAccount } from "../../credit-accounts/ledger.store";
import { executor } from "./executor.plan";
import { deciderOf } from "./lending.plan";
import { findProductOf } from "./lending.store";

export const accountClosure = executor({
	entity: "ACCOUNT",
	payload: z.strictObject({}),
	home: (accountId) => accountId,
	find: (orm, accountId) => ({
		product: first(findProductOf(orm, theAccount(accountId))),
		...findToClose(orm, accountId),
	}),
	target(services, { product, pending, records }) {
		const view = readView(records, services.now);
		if (!view || view.account.status === "PENDING") return undefined;
		return {
			organizationId: view.account.organizationId,
			decider: deciderOf(product),
			version: view.account.status,
			plan: () => planClosing(services, view, pending),
		};
	},
});
