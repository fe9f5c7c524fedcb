// Reads organizations and API keys, and builds the writes that change keys.

import { and, count, eq, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Effect, Orm } from "../../db/database";
import { guarded, orStaleUnless } from "../../db/guards";
import { isUuid } from "../../shared/ids";
import { apiKeys, type MemberRow, organizationMembers, organizations } from "./table";

/** The organization with this id or slug. No slug has the form of an id. */
export const findByReference = (orm: Orm, reference: string) =>
	orm
		.select()
		.from(organizations)
		.where(isUuid(reference) ? eq(organizations.id, reference.toLowerCase()) : eq(organizations.slug, reference));

const isMember = (organizationId: string): SQL | undefined =>
	and(eq(organizationMembers.organizationId, organizationId), isNull(organizationMembers.removedAt));

/** In the organization's home, as are the other members that these functions find. */
export const findMember = (orm: Orm, organizationId: string, userId: string) =>
	orm
		.select()
		.from(organizationMembers)
		.where(and(isMember(organizationId), eq(organizationMembers.userId, userId)));

/** True within a statement that changes `organization_members`: the organization keeps an owner without this member. */
const keepsOwner = ({ organizationId, userId }: MemberRow) => sql`exists (
	select 1 from ${organizationMembers} o
	where o.organization_id = ${organizationId} and o.role = 'organization-owner' and o.removed_at is null and o.user_id <> ${userId})`;

export const findOtherOwner = (orm: Orm, organizationId: string, userId: string) =>
	orm
		.select({ userId: organizationMembers.userId })
		.from(organizationMembers)
		.where(and(isMember(organizationId), eq(organizationMembers.role, "organization-owner"), ne(organizationMembers.userId, userId)))
		.limit(1);

/** Removes the member as they were read. Concurrent removals cannot remove the last two owners. */
export const removeFromMembers = (orm: Orm, member: MemberRow, now: number): Effect =>
	guarded(
		orm
			.update(organizationMembers)
			.set({ removedAt: now })
			.where(
				and(
					isMember(member.organizationId),
					eq(organizationMembers.membershipId, member.membershipId),
					eq(organizationMembers.role, member.role),
					member.role === "organization-owner" ? keepsOwner(member) : undefined,
				),
			),
	);

export const findApiKey = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select()
		.from(apiKeys)
		.where(and(eq(apiKeys.id, id), eq(apiKeys.organizationId, organizationId), isNull(apiKeys.revokedAt)));

/** Active keys of an organization. */
export const MAX_API_KEYS = 100;

export const countApiKeys = (orm: Orm, organizationId: string) =>
	orm
		.select({ count: count() })
		.from(apiKeys)
		.where(and(eq(apiKeys.organizationId, organizationId), isNull(apiKeys.revokedAt)));

/** Aborts the commit as stale when a concurrent request has reached the limit. */
export const orTooManyApiKeys = (organizationId: string): SQL =>
	orStaleUnless(sql`
		(select count(*) from ${apiKeys} where organization_id = ${organizationId} and revoked_at is null) <= ${MAX_API_KEYS}`);

export const revokeApiKey = (orm: Orm, id: string, now: number) =>
	orm
		.update(apiKeys)
		.set({ revokedAt: now })
		.where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));

/** Records a use of the key, unless one has been recorded within the last minute. */
export const recordUse = (orm: Orm, id: string, now: number, everyMs: number) =>
	orm
		.update(apiKeys)
		.set({ lastUsedAt: now })
		.where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lte(apiKeys.lastUsedAt, now - everyMs))));
