// Which product a borrower is offered, decided in SQL so that a request can read it in the same round trip as everything else.

import { and, eq, isNull, lt, or, type SQL, Subquery, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm, Statement } from "../../../db/database";
import { fact } from "../../../db/reads";
import { homeMessage } from "../../../runtime/home-messages";
import { users } from "../../users/model/table";
import { creditProfiles, type LoanProductRow, loanProducts, type TermsTextRow, termsTexts } from "./table";

const loanProduct = alias(loanProducts, "loan_product");
const user = alias(users, "user");

/** Products for all organizations are in every database; those of one organization in its home. */
export const productCopy = homeMessage<LoanProductRow>({
	kind: "product",
	apply: ({ db }, row) => [db.orm.insert(loanProducts).values(row).onConflictDoNothing()],
});

/** Name, state, deals and the text of the terms, which are all that changes. A message that comes late changes nothing. */
export const productChange = homeMessage<LoanProductRow>({
	kind: "product change",
	apply: ({ db }, { id, name, retiredAt, suspendedAt, deals, termsText, updatedAt }) => [
		db.orm
			.update(loanProducts)
			.set({ name, retiredAt, suspendedAt, deals, termsText, updatedAt })
			.where(and(eq(loanProducts.id, id), lt(loanProducts.updatedAt, updatedAt))),
	],
});

/** A new text of the product's terms. The product comes with it, in case its own message is late. */
export const termsTextCopy = homeMessage<{ readonly product: LoanProductRow; readonly text: TermsTextRow }>({
	kind: "terms text",
	apply: (there, { product, text }) => [
		...productCopy.apply(there, product),
		...productChange.apply(there, product),
		there.db.orm.insert(termsTexts).values(text).onConflictDoNothing(),
	],
});

/** As a condition of a commit: the product is as it was read. */
export const isUnchanged = ({ id, updatedAt }: LoanProductRow): SQL =>
	sql`exists (select 1 from ${loanProducts} ${loanProduct} where ${loanProduct.id} = ${id} and ${loanProduct.updatedAt} = ${updatedAt})`;

/** As conditions of commits: credit may be offered on the product, and may be drawn on it. */
export const isOffered = (id: string): SQL =>
	sql`exists (select 1 from ${loanProducts} ${loanProduct} where ${loanProduct.id} = ${id} and ${loanProduct.retiredAt} is null and ${loanProduct.suspendedAt} is null)`;
const isDrawable = (id: string): SQL =>
	sql`exists (select 1 from ${loanProducts} ${loanProduct} where ${loanProduct.id} = ${id} and ${loanProduct.suspendedAt} is null)`;

/** The product that a statement finds, on which may still be drawn. */
export const drawable = <S extends ReturnType<typeof findProduct>>(found: S) => fact(found, { unchanged: ({ id }) => isDrawable(id) });

const newest = (organization: SQL) => sql`(
	select ${loanProduct.id} from ${loanProducts} ${loanProduct} where ${loanProduct.organizationId} ${organization} and ${loanProduct.retiredAt} is null and ${loanProduct.suspendedAt} is null
	order by ${loanProduct.createdAt} desc, ${loanProduct.id} desc limit 1)`;

export const homeOrganizationOf = (userId: string) =>
	sql`(select ${user.homeOrganizationId} from ${users} ${user} where ${user.id} = ${userId})`;

/**
 * A scalar subquery: the id of the product to offer. A named product counts only if it belongs to the user's home organization or
 * serves all; without a name, it is the newest of the home organization, or else the newest that serves all.
 */
export const productFor = (userId: string, named: string | undefined): SQL =>
	named === undefined
		? sql`coalesce(${newest(sql`= ${homeOrganizationOf(userId)}`)}, ${newest(sql`is null`)})`
		: sql`(select ${loanProduct.id} from ${loanProducts} ${loanProduct} where ${loanProduct.id} = ${named} and (${loanProduct.organizationId} is null or ${loanProduct.organizationId} = ${homeOrganizationOf(userId)}))`;

export const findProduct = (orm: Orm, id: SQL | string) => orm.select().from(loanProducts).where(eq(loanProducts.id, id));

/** The condition for products that serve an organization: its own, and those for all. None when undefined. */
export const servesOrganization = (organizationId: string | SQL | undefined) =>
	organizationId === undefined ? undefined : or(isNull(loanProducts.organizationId), eq(loanProducts.organizationId, organizationId));

/**
 * What the list of offered products selects from: those that serve the organization, or all. SQLite merges an organization's own and
 * those for all in the order of the list, where the condition above would make it sort.
 */
export function offeredProducts(organizationId: string | SQL | undefined): Subquery {
	const owner = loanProducts.organizationId;
	const owners = organizationId === undefined ? [undefined] : [isNull(owner), eq(owner, organizationId)];
	const selects = owners.map(
		(owned) => sql`select * from ${loanProducts} where ${and(owned, isNull(loanProducts.retiredAt), isNull(loanProducts.suspendedAt))}`,
	);
	return new Subquery(sql.join(selects, sql` union all `), {}, "loan_products");
}

/** Sets or removes the limit that replaces a borrower's computed one. */
export const overrideLimit = (orm: Orm, userId: string, changed: { limitOverride: number | null; updatedAt: number }): Statement =>
	orm
		.insert(creditProfiles)
		.values({ userId, ...changed })
		.onConflictDoUpdate({ target: creditProfiles.userId, set: changed });
