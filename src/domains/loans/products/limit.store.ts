// Sets the limit of a borrower, which overrides the computed one on all of their accounts.

import { and, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { Orm, Write } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import { raise } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import { creditAccountLimitChanged } from "../../credit-accounts/events";
import { accountMembers } from "../../credit-accounts/postings/events.store";
import { type CreditAccountRow, creditAccounts } from "../../credit-accounts/table";
import { limitOf, limitRulesOf } from "../../loan-products/limits.policy";
import { creditProfiles, type LoanProductRow, loanProducts } from "../../loan-products/table";

type Profile = typeof creditProfiles.$inferSelect;
type Limited = {
	readonly profiles: readonly Profile[];
	readonly accounts: readonly CreditAccountRow[];
	readonly products: readonly LoanProductRow[];
};

/** The borrower's profile, and the accounts in use with their products. */
export function findLimited(orm: Orm, userId: string) {
	const inUse = and(eq(creditAccounts.userId, userId), notInArray(creditAccounts.status, ["PENDING", "CLOSED"]));
	return [
		orm.select().from(creditProfiles).where(eq(creditProfiles.userId, userId)),
		orm.select().from(creditAccounts).where(inUse),
		orm
			.select()
			.from(loanProducts)
			.where(inArray(loanProducts.id, orm.select({ id: creditAccounts.loanProductId }).from(creditAccounts).where(inUse))),
	] as const;
}

/** `limit`: null restores the computed limit. The writes belong in a commit in the user's home. */
export function planLimitChange(
	services: Services,
	userId: string,
	{ profiles: [profile], accounts, products }: Limited,
	limit: number | null,
): readonly Write[] {
	const { db, now } = services;
	const seen = profile?.limitOverride ?? null;
	const changed = { limitOverride: limit, updatedAt: now };
	return [
		orStaleUnless(sql`(select p.limit_override from ${creditProfiles} p where p.user_id = ${userId}) is ${seen}`),
		db.orm
			.insert(creditProfiles)
			.values({ userId, ...changed })
			.onConflictDoUpdate({ target: creditProfiles.userId, set: changed }),
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
