// Writes an account off: no further interest or penalties are charged, and the debt stays.

import * as z from "zod";
import { first } from "../../../db/reads";
import { findLoaded, loadedOf, theAccount } from "../../credit-accounts/ledger.store";
import { planWriteOff } from "../../credit-accounts/write-off.plan";
import { executor } from "./executor.plan";
import { deciderOf } from "./lending.plan";
import { findProductOf } from "./lending.store";

export const writeOff = executor({
	entity: "ACCOUNT",
	payload: z.strictObject({}),
	home: (accountId) => accountId,
	find: (orm, accountId) => ({ product: first(findProductOf(orm, theAccount(accountId))), records: findLoaded(theAccount(accountId)) }),
	target(services, { product, records }) {
		const loaded = loadedOf(records);
		if (!loaded) return undefined;
		return {
			organizationId: loaded.account.organizationId,
			decider: deciderOf(product),
			version: loaded.account.status,
			plan: ({ person, reason }) => planWriteOff(services, loaded, { reason, actor: person }),
		};
	},
});
