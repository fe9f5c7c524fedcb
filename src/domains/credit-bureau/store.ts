// The statements on settings, files, rows, notices and disputes.

import { and, asc, eq, getTableColumns, gte, isNull, lte, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bareList, isOneOf, qualified } from "../../db/columns";
import type { Effect, Orm, Statement, Step, Write } from "../../db/database";
import { guarded, orStaleUnless } from "../../db/guards";
import { prebuilt } from "../../db/prebuilt";
import type { CalendarDate } from "../../shared/time";
import { creditAccounts } from "../credit-accounts/table";
import { loanPositions, portfolios, provisioningRules } from "../portfolio/model/table";
import { ERASED_TAG } from "../users/model/store";
import { users } from "../users/model/table";
import {
	type BureauRow,
	creditBureauDisputes,
	creditBureauFiles,
	creditBureauIdentities,
	creditBureauListings,
	creditBureauRows,
	creditBureauSettings,
	type DisputeRow,
	type IdentityRow,
	type ListingRow,
	type SettingsRow,
} from "./table";

const position = alias(loanPositions, "position");
const creditAccount = alias(creditAccounts, "credit_account");
const listing = alias(creditBureauListings, "listing");

export const findSettings = (orm: Orm, organizationId: string) =>
	orm.select().from(creditBureauSettings).where(eq(creditBureauSettings.organizationId, organizationId));

/** The organization whose file is due for longest, and the last day that all its portfolios have closed: null if there are none. */
export const findDue = (orm: Orm, now: number) =>
	orm
		.select({
			settings: creditBureauSettings,
			closed: qualified(
				sql<CalendarDate | null>`(select min(${portfolios.closedThrough}) from ${portfolios} where ${portfolios.organizationId} = ${creditBureauSettings.organizationId})`,
			).as("closed"),
		})
		.from(creditBureauSettings)
		.where(lte(creditBureauSettings.nextWorkAt, now))
		.orderBy(asc(creditBureauSettings.nextWorkAt))
		.limit(1);

const isStill = ({ organizationId, month, walk }: SettingsRow): SQL | undefined =>
	and(
		eq(creditBureauSettings.organizationId, organizationId),
		eq(creditBureauSettings.month, month),
		sql`${creditBureauSettings.walk} ->> '$.cursor' is ${walk?.cursor ?? null} and (${creditBureauSettings.walk} is null) = ${walk === null ? 1 : 0}`,
	);

/** Stale if another sweep has gone on with the file. */
export const moveSettings = (
	orm: Orm,
	settings: SettingsRow,
	changes: Partial<Pick<SettingsRow, "month" | "walk" | "nextWorkAt">>,
): Effect =>
	guarded(
		orm
			.update(creditBureauSettings)
			.set(changes)
			.where(and(isStill(settings), eq(creditBureauSettings.enabled, true))),
	);

/** Stale if the settings or the file have changed since they were read. */
export const putSettings = (orm: Orm, seen: SettingsRow | undefined, row: SettingsRow): Effect =>
	guarded(
		orm
			.insert(creditBureauSettings)
			.values(row)
			.onConflictDoUpdate({
				target: creditBureauSettings.organizationId,
				set: {
					enabled: row.enabled,
					currency: row.currency,
					threshold: row.threshold,
					noticeDays: row.noticeDays,
					month: row.month,
					nextWorkAt: row.nextWorkAt,
					updatedAt: row.updatedAt,
				},
				setWhere: seen ? and(isStill(seen), eq(creditBureauSettings.updatedAt, seen.updatedAt)) : sql`false`,
			}),
	);

/** Accounts on which something was owed in the month or is written off, and those with an open notice or mark. Of the scan of a portfolio. */
export const isInFile = (
	first: CalendarDate,
	last: CalendarDate,
): SQL => sql`${position.since} <= ${last} and (${position.isOpen} or ${position.closedOn} >= ${first}
	or exists (select 1 from ${creditAccounts} ${creditAccount} where ${creditAccount.id} = ${position.accountId} and ${creditAccount.status} = 'WRITTEN_OFF')
	or exists (select 1 from ${creditBureauListings} ${listing} where ${listing.accountId} = ${position.accountId} and ${listing.status} <> 'ENDED'))`;

/** What a portion takes in addition to the books: borrowers, notices, disputes, and what was reported of the accounts since a month. */
export const findPortion = (orm: Orm, accountIds: readonly string[], userIds: readonly string[], since: string) => ({
	borrowers: orm
		.select({
			id: users.id,
			name: sql<string | null>`coalesce(${creditBureauIdentities.name}, ${users.displayName})`.as("called"),
			mobileNumber: users.mobileNumber,
			documentType: creditBureauIdentities.documentType,
			documentNumber: creditBureauIdentities.documentNumber,
			documentCountry: creditBureauIdentities.documentCountry,
		})
		.from(users)
		// An erased user's identity may be there until the erasure comes to it.
		.leftJoin(creditBureauIdentities, and(eq(creditBureauIdentities.userId, users.id), ne(users.tag, ERASED_TAG)))
		.where(isOneOf(users.id, userIds)),
	listings: orm
		.select()
		.from(creditBureauListings)
		.where(and(isOneOf(creditBureauListings.accountId, accountIds), sql`${creditBureauListings.status} <> 'ENDED'`)),
	disputes: orm
		.select({ accountId: creditBureauDisputes.accountId })
		.from(creditBureauDisputes)
		.where(and(isOneOf(creditBureauDisputes.accountId, accountIds), isNull(creditBureauDisputes.resolvedAt))),
	reported: orm
		.select()
		.from(creditBureauRows)
		.where(and(isOneOf(creditBureauRows.accountId, accountIds), gte(creditBureauRows.about, since), eq(creditBureauRows.part, "FILE"))),
});

/** All versions of the rules of stages that an organization ever had, of which there are few. */
export const findAllRules = (orm: Orm, organizationId: string) =>
	orm.select().from(provisioningRules).where(eq(provisioningRules.organizationId, organizationId)).limit(500);

const { placeholder } = sql;
const ROW_COLUMNS = Object.entries(getTableColumns(creditBureauRows));

const writeRows = prebuilt((orm) =>
	orm.run(sql`
		insert into ${creditBureauRows} (${bareList(...ROW_COLUMNS.map(([, column]) => column))})
		select ${sql.join(
			ROW_COLUMNS.map(([name]) => sql.raw(`v.value ->> '${name}'`)),
			sql`, `,
		)} from json_each(${placeholder("rows")}) v`),
);

/** Stale if somebody whom a row names is erased meanwhile. */
export const insertRows = (rows: readonly BureauRow[]): Step[] => {
	if (rows.length === 0) return [];
	const named = rows.filter(({ name, mobileNumber }) => name !== null || mobileNumber !== null).map(({ userId }) => userId);
	return [unlessErased(...new Set(named)), writeRows({ rows: JSON.stringify(rows) })];
};

const isErased = (userIds: readonly string[]): SQL =>
	sql`exists (select 1 from ${users} where ${and(isOneOf(users.id, userIds), sql`+${users.tag} = ${ERASED_TAG}`)})`;

const unlessErased = (...userIds: readonly string[]): SQL => orStaleUnless(sql`not ${isErased(userIds)}`);

export const insertFile = (orm: Orm, row: typeof creditBureauFiles.$inferInsert): Statement => orm.insert(creditBureauFiles).values(row);

export const insertListings = (orm: Orm, rows: readonly ListingRow[]): Statement[] =>
	rows.map((row) => orm.insert(creditBureauListings).values(row));

/** The open ones of these accounts become so in the file of the month. */
export const moveListings = (orm: Orm, accountIds: readonly string[], month: string, to: "LISTED" | "ENDED"): Statement[] =>
	accountIds.length === 0
		? []
		: [
				orm
					.update(creditBureauListings)
					.set(to === "LISTED" ? { status: to, listedMonth: month } : { status: to, endedMonth: month })
					.where(
						and(
							isOneOf(creditBureauListings.accountId, accountIds),
							// As the index of the open ones says it.
							sql`${creditBureauListings.status} <> 'ENDED'`,
							to === "LISTED" ? sql`+${creditBureauListings.status} = 'NOTIFIED'` : undefined,
						),
					),
			];

export const findFile = (orm: Orm, organizationId: string, month: string) =>
	orm
		.select()
		.from(creditBureauFiles)
		.where(and(eq(creditBureauFiles.organizationId, organizationId), eq(creditBureauFiles.month, month)));

/** The loan, if it is the organization's and was ever paid out, and its borrower is not erased. */
export const findLoan = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select({ id: creditAccounts.id, userId: creditAccounts.userId })
		.from(creditAccounts)
		.innerJoin(users, and(eq(users.id, creditAccounts.userId), ne(users.tag, ERASED_TAG)))
		.where(
			and(
				eq(creditAccounts.id, id),
				sql`+${creditAccounts.organizationId} = ${organizationId}`,
				sql`${creditAccounts.status} <> 'PENDING'`,
			),
		);

export const findDispute = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select({ dispute: creditBureauDisputes, tag: users.tag })
		.from(creditBureauDisputes)
		.leftJoin(users, eq(users.id, creditBureauDisputes.userId))
		.where(and(eq(creditBureauDisputes.id, id), sql`+${creditBureauDisputes.organizationId} = ${organizationId}`));

/** Stale if the borrower is erased meanwhile. */
export const insertDispute = (orm: Orm, row: DisputeRow): Step[] => [
	unlessErased(row.userId),
	orm.insert(creditBureauDisputes).values(row),
];

/** Stale if it is resolved meanwhile or, where there are words, if the borrower is erased. */
export const resolve = (orm: Orm, { id, userId, resolution, resolvedBy, resolvedAt }: DisputeRow): Write[] => [
	...(resolution === null ? [] : [unlessErased(userId)]),
	guarded(
		orm
			.update(creditBureauDisputes)
			.set({ resolution, resolvedBy, resolvedAt })
			.where(and(eq(creditBureauDisputes.id, id), isNull(creditBureauDisputes.resolvedAt))),
	),
];

/** The user, if they are the organization's and not erased. */
const isBorrower = (organizationId: string, userId: string) =>
	and(eq(users.id, userId), sql`+${users.homeOrganizationId} = ${organizationId}`, ne(users.tag, ERASED_TAG));

export const findBorrower = (orm: Orm, organizationId: string, userId: string) =>
	orm
		.select({ id: users.id, identity: creditBureauIdentities })
		.from(users)
		.leftJoin(creditBureauIdentities, eq(creditBureauIdentities.userId, users.id))
		.where(isBorrower(organizationId, userId));

/** Stale if the user is erased meanwhile. */
export const putIdentity = (orm: Orm, row: IdentityRow): Step[] => {
	const { userId: _, ...set } = row;
	return [
		orStaleUnless(sql`exists (select 1 from ${users} where ${isBorrower(row.organizationId, row.userId)})`),
		orm.insert(creditBureauIdentities).values(row).onConflictDoUpdate({ target: creditBureauIdentities.userId, set }),
	];
};
