// Finds what is looked for, at most five of a kind, each by an index of its own.

import { and, eq, type SQL, type SQLWrapper, Subquery, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isOneOf } from "../../db/columns";
import type { Orm } from "../../db/database";
import { indexedBy } from "../../db/indexed-by";
import { creditAccounts } from "../credit-accounts/table";
import { currentAccounts } from "../current-accounts/table";
import { HAS_FREED_ITS_NUMBER, HOLDS_ITS_NUMBER, invoices } from "../invoices/table";
import { organizations } from "../organizations/table";
import { OPERATORS } from "../repayments/store";
import { COUNTS, payments } from "../repayments/table";
import { users } from "../users/model/table";

export const MOST = 5;

const organization = alias(organizations, "organization");

/** Organizations of one database that an operator's search looks at. */
const MOST_ORGANIZATIONS = 1_000;

/** An organization's own rows, by an index that begins with it; for operators those of each. */
const amongOrganizations = (column: SQLWrapper, own: string | undefined): SQL =>
	own === undefined
		? sql`${column} in (select ${organization.id} from ${organizations} ${organization} limit ${MOST_ORGANIZATIONS})`
		: sql`${column} = ${own}`;

const { id, tag, displayName, mobileNumber, email, homeOrganizationId } = users;
const shown = { id, tag, displayName, mobileNumber, homeOrganizationId };
const isHome = (own: string | undefined): SQL | undefined => (own === undefined ? undefined : sql`+${homeOrganizationId} = ${own}`);

/** The users whom the directory names, if their own rows say the same. `ids`: a subquery or a list of ids. */
export const findNamed = (
	orm: Orm,
	ids: SQL,
	{ numbers, tags }: { numbers: readonly string[]; tags: readonly string[] },
	own: string | undefined,
) =>
	orm
		.select(shown)
		.from(users)
		.where(and(sql`${id} in (${ids})`, sql`(${isOneOf(mobileNumber, numbers)} or ${isOneOf(tag, tags)})`, isHome(own)))
		.limit(MOST);

export const findByEmail = (orm: Orm, address: string, own: string | undefined) =>
	orm
		.select(shown)
		.from(indexedBy(users, "users_by_email"))
		.where(and(sql`lower(${email}) = ${address} and ${email} is not null`, isHome(own)))
		.limit(MOST);

/** Every name that begins so is before this text. */
const after = (prefix: string): string => `${prefix}\u{10ffff}`;

/** Those whose name, or whose last name, begins so. */
export function findByName(orm: Orm, by: "foldedName" | "foldedLastName", prefix: string, own: string | undefined) {
	const column = users[by];
	const index = { foldedName: "users_by_name", foldedLastName: "users_by_last_name" }[by];
	return orm
		.select(shown)
		.from(indexedBy(users, own === undefined ? index : `${index}_of`))
		.where(and(own === undefined ? undefined : eq(homeOrganizationId, own), sql`${column} >= ${prefix} and ${column} < ${after(prefix)}`))
		.orderBy(column)
		.limit(MOST);
}

const ofAccount = (table: typeof creditAccounts | typeof currentAccounts, number: string, own: string | undefined) =>
	and(eq(table.accountNumber, number), own === undefined ? undefined : sql`+${table.organizationId} = ${own}`);

export const findCreditAccount = (orm: Orm, number: string, own: string | undefined) =>
	orm
		.select({
			id: creditAccounts.id,
			number: creditAccounts.accountNumber,
			userId: creditAccounts.userId,
			organizationId: creditAccounts.organizationId,
		})
		.from(creditAccounts)
		.where(and(ofAccount(creditAccounts, number, own), sql`${creditAccounts.status} <> 'PENDING'`));

export const findCurrentAccount = (orm: Orm, number: string, own: string | undefined) =>
	orm
		.select({
			id: currentAccounts.id,
			number: currentAccounts.accountNumber,
			userId: currentAccounts.userId,
			organizationId: currentAccounts.organizationId,
		})
		.from(currentAccounts)
		.where(ofAccount(currentAccounts, number, own));

export const findPayments = (orm: Orm, receipt: string, own: string | undefined) =>
	orm
		.select({
			id: payments.id,
			receipt: payments.mobileMoneyTransactionId,
			status: payments.status,
			accountId: payments.accountId,
			amount: payments.amount,
			currency: payments.currency,
			organizationId: sql<string | null>`nullif(${payments.organizationId}, ${OPERATORS})`.as("organization_id"),
		})
		.from(payments)
		.where(and(amongOrganizations(payments.organizationId, own), eq(payments.mobileMoneyTransactionId, receipt), COUNTS))
		.limit(MOST);

/** Those that hold their number and those that have freed it have an index each. */
const eitherInvoices = new Subquery(
	sql`select * from ${invoices} where ${HOLDS_ITS_NUMBER} union all select * from ${invoices} where ${HAS_FREED_ITS_NUMBER}`,
	{},
	"invoices",
);

export const findInvoices = (orm: Orm, number: string, own: string | undefined) =>
	orm
		.select({
			id: invoices.id,
			number: invoices.invoiceNumber,
			status: invoices.status,
			amount: invoices.amount,
			currency: invoices.currency,
			organizationId: invoices.organizationId,
		})
		.from(eitherInvoices)
		.where(and(amongOrganizations(invoices.organizationId, own), eq(invoices.numberKey, number)))
		.limit(MOST);
