// Builds the statements on members: on the copies in the organization's home, and on the memberships in the users' homes.

import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm } from "../../../db/database";
import { guarded, orStaleUnless } from "../../../db/guards";
import { gains, type Role } from "../../../shared/permissions";
import { users } from "../../users/model/table";
import { type MemberRow, type MembershipRow, memberships, organizationMembers } from "../table";

export const isMember = (organizationId: string): SQL | undefined =>
	and(eq(organizationMembers.organizationId, organizationId), isNull(organizationMembers.removedAt));

/** In the organization's home. */
export const findMember = (orm: Orm, organizationId: string, userId: string) =>
	orm
		.select()
		.from(organizationMembers)
		.where(and(isMember(organizationId), eq(organizationMembers.userId, userId)));

/** Also one who was removed; in the organization's home. */
export const findMemberEver = (orm: Orm, organizationId: string, userId: string) =>
	orm
		.select({ version: organizationMembers.version })
		.from(organizationMembers)
		.where(and(eq(organizationMembers.organizationId, organizationId), eq(organizationMembers.userId, userId)));

/** In the user's home. */
export const findMembership = (orm: Orm, organizationId: string, userId: string) =>
	orm
		.select()
		.from(memberships)
		.where(and(eq(memberships.userId, userId), eq(memberships.organizationId, organizationId)));

const membership = alias(memberships, "membership");

/** Who works for their home organization waits for nobody there: this holds for the others. A condition of a statement on users. */
export const IS_NO_COLLEAGUE = sql`not exists (select 1 from ${memberships} ${membership} where ${membership.userId} = ${users.id} and ${membership.organizationId} = ${users.homeOrganizationId})`;

/** All of a user, in their home. */
export const findMembershipsOf = (orm: Orm, userId: string) => orm.select().from(memberships).where(eq(memberships.userId, userId));

/** Belongs to a commit that was decided for these memberships of a user: stale if there is another one by now. */
export const orStaleIfJoined = (userId: string, seen: readonly MembershipRow[]): SQL =>
	orStaleUnless(sql`not exists (select 1 from ${memberships}
		where ${memberships.userId} = ${userId}
			and ${memberships.id} not in (select value from json_each(${JSON.stringify(seen.map(({ id }) => id))})))`);

const asSeen = ({ organizationId, userId, membershipId, version }: MemberRow) =>
	and(
		isMember(organizationId),
		eq(organizationMembers.userId, userId),
		eq(organizationMembers.membershipId, membershipId),
		eq(organizationMembers.version, version),
	);

/** A trigger refuses to remove or demote the last owner. */
export const LAST_OWNER_STAYS = { "last owner": "LAST_OWNER" } as const;

export const removeFromCopy = (orm: Orm, member: MemberRow, now: number): Effect =>
	guarded(orm.update(organizationMembers).set({ removedAt: now }).where(asSeen(member)));

export const changeCopy = (orm: Orm, member: MemberRow, { role, version, now }: { role: Role; version: number; now: number }): Effect =>
	guarded(
		orm
			.update(organizationMembers)
			.set({ role, version, ...(gains(member.role, role) && { grantedAt: now }) })
			.where(asSeen(member)),
	);

export const changeMembership = (orm: Orm, { id, version }: MembershipRow, role: Role, next: number): Effect =>
	guarded(
		orm
			.update(memberships)
			.set({ role, version: next, reachedAt: null })
			.where(and(eq(memberships.id, id), eq(memberships.version, version))),
	);

/** Aborts the commit as stale when the caller has lost or changed their role since it was read. */
export const orStaleUnlessStill = (caller: MemberRow): SQL =>
	orStaleUnless(sql`exists (select 1 from ${organizationMembers}
		where ${organizationMembers.organizationId} = ${caller.organizationId} and ${organizationMembers.userId} = ${caller.userId}
			and ${organizationMembers.role} = ${caller.role} and ${organizationMembers.removedAt} is null)`);
