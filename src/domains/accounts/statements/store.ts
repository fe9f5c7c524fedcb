// Finds issued statements, and what a new one is made with.

import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../../db/columns";
import type { Orm } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import { type Reader, reachOf } from "../../../db/reach";
import { brands } from "../../branding/table";
import { reachedAccount as reachedCredit } from "../../credit-accounts/ledger.store";
import { creditAccounts } from "../../credit-accounts/table";
import { reachedAccount as reachedCurrent } from "../../current-accounts/accounts/store";
import { currentAccounts } from "../../current-accounts/table";
import { organizations } from "../../organizations/table";
import { usualLocale } from "../../organizations/texts/store";
import { users } from "../../users/model/table";
import { issuedStatements } from "./table";

const { content, ...listed } = getTableColumns(issuedStatements);
const replaced = alias(issuedStatements, "replaced");
const correction = alias(issuedStatements, "correction");
const numbered = alias(issuedStatements, "numbered");
const creditAccount = alias(creditAccounts, "holders_credit");
const currentAccount = alias(currentAccounts, "holders_current");

const shown = {
	...listed,
	replacesNumber: qualified(
		sql<
			number | null
		>`(select ${replaced.number} from ${issuedStatements} ${replaced} where ${replaced.id} = ${issuedStatements.replacesId})`,
	).as("replaces_number"),
	replacedById: qualified(
		sql<
			string | null
		>`(select ${correction.id} from ${issuedStatements} ${correction} where ${correction.replacesId} = ${issuedStatements.id})`,
	).as("replaced_by_id"),
	replacedByNumber: qualified(
		sql<
			number | null
		>`(select ${correction.number} from ${issuedStatements} ${correction} where ${correction.replacesId} = ${issuedStatements.id})`,
	).as("replaced_by_number"),
};

/** Those that lists show, without what they say. */
export const selectIssued = (orm: Orm) => orm.select(shown).from(issuedStatements);

/** The statement of the account, if the caller reaches it. */
export const findIssued = (orm: Orm, { accountId, statementId }: { accountId: string; statementId: string }, caller: Reader) =>
	orm
		.select({ ...shown, content })
		.from(issuedStatements)
		.where(and(eq(issuedStatements.id, statementId), sql`+${issuedStatements.accountId} = ${reachedOfEither(accountId, caller)}`));

/** The last one of the account for these days. */
export const findLatest = (orm: Orm, account: SQL, { from, to }: { from: string; to: string }) =>
	selectIssued(orm)
		.where(and(eq(issuedStatements.accountId, account), eq(issuedStatements.firstDay, from), eq(issuedStatements.lastDay, to)))
		.orderBy(desc(issuedStatements.number))
		.limit(1);

/** The account of either kind, if the caller reaches it. */
export const reachedOfEither = (id: string, caller: Reader): SQL =>
	sql`coalesce(${reachedCredit(id, caller)}, ${reachedCurrent(id, caller)})`;

const ofEither = (id: string, caller: Reader, column: "userId" | "organizationId"): SQL => sql`coalesce(
	(select ${creditAccount[column]} from ${creditAccounts} ${creditAccount} where ${creditAccount.id} = ${id} and ${reachOf(caller, creditAccount)}),
	(select ${currentAccount[column]} from ${currentAccounts} ${currentAccount} where ${currentAccount.id} = ${id} and ${reachOf(caller, currentAccount)}))`;

/** What the holder of the account is called, and their languages. */
export const findHolder = (orm: Orm, accountId: string, caller: Reader) =>
	orm
		.select({ holder: users.displayName, locale: users.locale, usualLocale: usualLocale.as("usual_locale") })
		.from(users)
		.where(sql`${users.id} = ${ofEither(accountId, caller, "userId")}`);

/** What the lender of the account is called, and its colour. */
export const findLender = (orm: Orm, accountId: string, caller: Reader) =>
	orm
		.select({ name: sql<string>`coalesce(${brands.name}, ${organizations.name})`.as("lender"), color: brands.primaryColor })
		.from(organizations)
		.leftJoin(brands, eq(brands.organizationId, organizations.id))
		.where(sql`${organizations.id} = ${ofEither(accountId, caller, "organizationId")}`);

const highest = (organizationId: SQL): SQL<number> =>
	sql<number>`coalesce((select max(${numbered.number}) from ${issuedStatements} ${numbered} where ${numbered.organizationId} = ${organizationId}), 0)`;

/** The highest number that the organization of the account has given. */
export const findHighest = (orm: Orm, accountId: string, caller: Reader) =>
	orm.all<{ number: number }>(sql`select ${highest(sql`coalesce(${ofEither(accountId, caller, "organizationId")}, '')`)} as "number"`);

/** The number is the next one; else the commit is stale. */
export const isNext = (organizationId: string, number: number): SQL =>
	orStaleUnless(sql`${highest(sql`${organizationId}`)} = ${number - 1}`);
