// Writes an account off: no further interest or penalties are charged, and the debt stays.

import * as z from "zod";
import { findLoaded, loadedOf, theAccount } from "../../credit-accounts/ledger.store";
import { planWriteOff } from "../../credit-accounts/write-off.plan";
import { executor } from "./executor.plan";
import { deciderOf } from "./lending.plan";
import { findProductOf } from "./lending.store";

export const writeOff = executor({
	entity: "ACCOUNT",
	payload: z.strictObject({}),
	home: (accountId) => accountId,
	find: (orm, accountId) => [findProductOf(orm, theAccount(accountId)), ...findLoaded(theAccount(accountId))],
	target(services, [[product], ...rows]) {
		const loaded = loadedOf(rows);
		if (!loaded) return undefined;
		return {
			organizationId: loaded.account.organizationId,
			decider: deciderOf(product),
			version: loaded.account.status,
			plan: ({ person, reason }) => planWriteOff(services, loaded, { reason, actor: person }),
		};
	},
});
