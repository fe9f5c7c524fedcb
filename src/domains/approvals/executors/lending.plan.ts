// Who decides about an account: the lender of its product.

import { type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../../db/database";
import { creditAccounts } from "../../credit-accounts/table";
import { loanProducts } from "../../loan-products/table";
import type { Decider } from "../table";

/** The product of the account that the subquery selects. */
export const findProductOf = (orm: Orm, accounts: SQL) =>
	orm
		.select({ organizationId: loanProducts.organizationId })
		.from(loanProducts)
		.where(sql`${loanProducts.id} in (select a.loan_product_id from ${creditAccounts} a where a.id in ${accounts})`);

/** A product without an organization is the platform's. */
export const deciderOf = (product: { organizationId: string | null } | undefined): Decider =>
	product?.organizationId ? "ORGANIZATION" : "OPERATOR";
