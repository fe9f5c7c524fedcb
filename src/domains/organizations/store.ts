// Reads organizations and API keys, and builds the writes that change keys.

import { and, count, eq, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import { orStaleUnless } from "../../db/guards";
import { prebuilt } from "../../db/prebuilt";
import { isUuid } from "../../shared/ids";
import type { Role, Scope } from "../../shared/permissions";
import { apiKeys, organizationMembers, organizations } from "./table";

/** The organization with this id or slug. No slug has the form of an id. */
export const findByReference = (orm: Orm, reference: string) =>
	orm
		.select()
		.from(organizations)
		.where(isUuid(reference) ? eq(organizations.id, reference.toLowerCase()) : eq(organizations.slug, reference));

const idOfId = prebuilt((orm) =>
	orm
		.select({ id: organizations.id })
		.from(organizations)
		.where(eq(organizations.id, sql.placeholder("reference"))),
);
const idOfSlug = prebuilt((orm) =>
	orm
		.select({ id: organizations.id })
		.from(organizations)
		.where(eq(organizations.slug, sql.placeholder("reference"))),
);

/** The id of the organization with this id or slug. */
export const findId = (reference: string) => (isUuid(reference) ? idOfId({ reference: reference.toLowerCase() }) : idOfSlug({ reference }));

const organization = alias(organizations, "organization");

/** As a condition: the organization with this id or slug is suspended. */
export const isSuspended = (reference: string): SQL => sql`exists (
	select 1 from ${organizations} ${organization}
	where ${isUuid(reference) ? organization.id : organization.slug} = ${isUuid(reference) ? reference.toLowerCase() : reference} and ${organization.status} = 'SUSPENDED')`;

export const findApiKey = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select()
		.from(apiKeys)
		.where(and(eq(apiKeys.id, id), eq(apiKeys.organizationId, organizationId), isNull(apiKeys.revokedAt)));

/** What a key's maker is in the organization: their present role, or what they are without one. */
const maker = sql<Role | "REMOVED" | "OPERATOR">`case
	when ${organizationMembers.removedAt} is not null then 'REMOVED' else coalesce(${organizationMembers.role}, 'OPERATOR') end`;

/** A key as a call by it is judged. A member who lost a role has lost it in this copy first, so their keys lose it at once. */
export const findKeyInUse = (orm: Orm, id: string) =>
	orm
		.select({
			hash: apiKeys.hash,
			scopes: apiKeys.scopes,
			expiresAt: apiKeys.expiresAt,
			lastUsedAt: apiKeys.lastUsedAt,
			dailyAmount: apiKeys.dailyAmount,
			createdBy: apiKeys.createdBy,
			maker: maker.as("maker"),
		})
		.from(apiKeys)
		.leftJoin(
			organizationMembers,
			and(eq(organizationMembers.organizationId, apiKeys.organizationId), eq(organizationMembers.userId, apiKeys.createdBy)),
		)
		.where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));

/** The person behind the caller, and what they are in the organization. */
export const findMaker = (orm: Orm, organizationId: string, person: SQL) =>
	orm
		.select({ person: sql<string>`${person}`.as("person"), maker: maker.as("maker") })
		.from(sql`(select 1)`)
		.leftJoin(
			organizationMembers,
			and(eq(organizationMembers.organizationId, organizationId), sql`${organizationMembers.userId} = ${person}`),
		);

/** The most active keys that an organization may have. */
export const MAX_API_KEYS = 100;

export const countApiKeys = (orm: Orm, organizationId: string) =>
	orm
		.select({ count: count() })
		.from(apiKeys)
		.where(and(eq(apiKeys.organizationId, organizationId), isNull(apiKeys.revokedAt)));

/** Aborts the commit as stale when a concurrent request has reached the limit. */
export const orTooManyApiKeys = (organizationId: string): SQL =>
	orStaleUnless(sql`
		(select count(*) from ${apiKeys} where ${apiKeys.organizationId} = ${organizationId} and ${apiKeys.revokedAt} is null) <= ${MAX_API_KEYS}`);

export const revokeApiKey = (orm: Orm, id: string, now: number) =>
	orm
		.update(apiKeys)
		.set({ revokedAt: now })
		.where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));

/** Makes another person the key's maker, if it still has this one. */
export const adoptKey = (orm: Orm, { id, createdBy }: Pick<typeof apiKeys.$inferSelect, "id" | "createdBy">, by: string) =>
	orm
		.update(apiKeys)
		.set({ createdBy: by })
		.where(and(eq(apiKeys.id, id), eq(apiKeys.createdBy, createdBy), isNull(apiKeys.revokedAt)));

/** Makes another person the maker of all of this one's keys with no other scopes than these. */
export const adoptKeysOf = (orm: Orm, organizationId: string, userId: string, by: { person: string; held: readonly Scope[] }) =>
	orm
		.update(apiKeys)
		.set({ createdBy: by.person })
		.where(
			and(
				eq(apiKeys.organizationId, organizationId),
				eq(apiKeys.createdBy, userId),
				isNull(apiKeys.revokedAt),
				sql`not exists (select 1 from json_each(${apiKeys.scopes}) where value not in (select value from json_each(${JSON.stringify(by.held)})))`,
			),
		);

export const setDailyAmount = (orm: Orm, id: string, dailyAmount: number | null) =>
	orm
		.update(apiKeys)
		.set({ dailyAmount })
		.where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));

/** Records a use of the key, unless one was recorded within the last `everyMs`. */
export const recordUse = (orm: Orm, id: string, now: number, everyMs: number) =>
	orm
		.update(apiKeys)
		.set({ lastUsedAt: now })
		.where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lte(apiKeys.lastUsedAt, now - everyMs))));
