// Reads organizations and API keys, and builds the writes that change keys.

import { and, count, eq, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Effect, Orm } from "../../db/database";
import { guarded, orStaleUnless } from "../../db/guards";
import { apiKeys, type MemberRow, memberships, organizations } from "./table";

/** The organizations whose id or slug equals the reference: `byReference` chooses among them. */
export const findByReference = (orm: Orm, reference: string) =>
	orm
		.select()
		.from(organizations)
		.where(or(eq(organizations.id, reference.toLowerCase()), eq(organizations.slug, reference)));

/** The organization that the reference means. A slug may look like another organization's id; then the id wins. */
export const byReference = <Row extends { id: string }>(found: readonly Row[], reference: string): Row | undefined =>
	found.find((row) => row.id === reference.toLowerCase()) ?? found[0];

export const findMember = (orm: Orm, organizationId: string, userId: string) =>
	orm
		.select()
		.from(memberships)
		.where(and(eq(memberships.userId, userId), eq(memberships.organizationId, organizationId)));

/** True within a statement that changes `memberships`: the organization keeps an owner without this member. */
const keepsOwner = ({ id, organizationId }: MemberRow) => sql`exists (
	select 1 from ${memberships} o where o.organization_id = ${organizationId} and o.role = 'organization-owner' and o.id <> ${id})`;

export const findOtherOwner = (orm: Orm, organizationId: string, userId: string) =>
	orm
		.select({ id: memberships.id })
		.from(memberships)
		.where(and(eq(memberships.organizationId, organizationId), eq(memberships.role, "organization-owner"), ne(memberships.userId, userId)))
		.limit(1);

/** Removes the member as they were read. Concurrent removals cannot remove the last two owners. */
export const removeMembership = (orm: Orm, member: MemberRow): Effect =>
	guarded(
		orm
			.delete(memberships)
			.where(
				and(
					eq(memberships.id, member.id),
					eq(memberships.role, member.role),
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
