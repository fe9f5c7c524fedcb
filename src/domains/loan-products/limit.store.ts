// Finds what a borrower's limit applies to.

import { and, eq, inArray, notInArray } from "drizzle-orm";
import type { Orm } from "../../db/database";
import { creditAccounts } from "../credit-accounts/table";
import { creditProfiles, loanProducts } from "./model/table";

/** The borrower's profile, and the accounts in use with their products. */
export function findLimited(orm: Orm, userId: string) {
	const inUse = and(eq(creditAccounts.userId, userId), notInArray(creditAccounts.status, ["PENDING", "CLOSED"]));
	return {
		profiles: orm.select().from(creditProfiles).where(eq(creditProfiles.userId, userId)),
		accounts: orm.select().from(creditAccounts).where(inUse),
		products: orm
			.select()
			.from(loanProducts)
			.where(inArray(loanProducts.id, orm.select({ id: creditAccounts.loanProductId }).from(creditAccounts).where(inUse))),
	};
}
