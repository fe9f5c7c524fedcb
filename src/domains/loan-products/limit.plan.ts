// Sets the limit of a borrower, which overrides the computed one on all of their accounts.

import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Write } from "../../db/database";
import { orStaleUnless } from "../../db/guards";
import { raise } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { creditAccountLimitChanged } from "../credit-accounts/events";
import { accountMembers } from "../credit-accounts/postings/events.plan";
import type { CreditAccountRow } from "../credit-accounts/table";
import { noticeTo } from "../messages/notices.plan";
import type { UserRow } from "../users/model/table";
import { limitOf, limitRulesOf } from "./model/limits.policy";
import { overrideLimit } from "./model/store";
import { creditProfiles, type LoanProductRow } from "./model/table";

const creditProfile = alias(creditProfiles, "credit_profile");

type Profile = typeof creditProfiles.$inferSelect;
type Limited = {
	readonly profiles: readonly Profile[];
	readonly accounts: readonly CreditAccountRow[];
	readonly products: readonly LoanProductRow[];
};

/** `limit`: null restores the computed limit. The writes belong in a commit in the user's home. */
export async function planLimitChange(
	services: Services,
	owner: UserRow,
	{ profiles: [profile], accounts, products }: Limited,
	limit: number | null,
): Promise<readonly Write[]> {
	const { db, now } = services;
	const { id: userId } = owner;
	const seen = profile?.limitOverride ?? null;
	return [
		orStaleUnless(
			sql`(select ${creditProfile.limitOverride} from ${creditProfiles} ${creditProfile} where ${creditProfile.userId} = ${userId}) is ${seen}`,
		),
		overrideLimit(db.orm, userId, { limitOverride: limit, updatedAt: now }),
		...(await noticeTo(services, owner, { key: "LIMIT_CHANGED", values: {} })),
		...accounts.flatMap((account) => {
			const product = products.find(({ id }) => id === account.loanProductId);
			if (!product) return [];
			const under = (limitOverride: number | null) => limitOf(limitRulesOf(product), { ...account, limitOverride });
			const [oldLimit, newLimit] = [under(seen), under(limit)];
			if (oldLimit === newLimit) return [];
			const id = services.newId();
			const data = { ...accountMembers(account), old_limit: oldLimit, new_limit: newLimit, currency: account.currency };
			return [raise(services, creditAccountLimitChanged, { id, organizationId: account.organizationId, entityId: id, data })];
		}),
	];
}
