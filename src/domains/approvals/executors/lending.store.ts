// Finds the lender of an account.

import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../../db/database";
import { creditAccounts } from "../../credit-accounts/table";
import { loanProducts } from "../../loan-products/model/table";

const creditAccount = alias(creditAccounts, "credit_account");

/** The product of the account that the subquery selects. */
export const findProductOf = (orm: Orm, accounts: SQL) =>
	orm
		.select({ organizationId: loanProducts.organizationId })
		.from(loanProducts)
		.where(
			sql`${loanProducts.id} in (select ${creditAccount.loanProductId} from ${creditAccounts} ${creditAccount} where ${creditAccount.id} in ${accounts})`,
		);
