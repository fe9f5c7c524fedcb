// Builds the statements on invitations: find, reserve, accept, release.

import { and, asc, eq, inArray, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { alias, unionAll } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { type Expired, expired } from "../../../db/purge";
import { ROLES, type Role } from "../../../shared/permissions";
import { INVITATION_TRANSITIONS } from "./lifecycle";
import { SENDS } from "./policy";
import { type InvitationRow, invitationSends, invitations } from "./table";

const invitation = alias(invitations, "invitation");

export const findInvitation = (orm: Orm, id: string) => orm.select().from(invitations).where(eq(invitations.id, id));

export const findOwnInvitation = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select()
		.from(invitations)
		.where(and(eq(invitations.id, id), eq(invitations.organizationId, organizationId)));

/** The key of the address that an invitation of the organization goes to. */
export const emailKeyOf = (organizationId: string, id: string) =>
	sql<string>`(select ${invitation.emailKey} from ${invitations} ${invitation} where ${invitation.id} = ${id} and ${invitation.organizationId} = ${organizationId})`;

export const findPending = (orm: Orm, organizationId: string, emailKey: string) =>
	orm
		.select()
		.from(invitations)
		.where(and(eq(invitations.organizationId, organizationId), eq(invitations.emailKey, emailKey), eq(invitations.status, "PENDING")));

/**
 * An organization's invitations, of some roles or of all. The rows of several roles are merged from one index range each, because a
 * filter would read past the rows of other roles.
 */
export function selectInvitations(orm: Orm, organizationId: string, roles: readonly Role[]) {
	const all = orm.select().from(invitations);
	const [first, second, ...others] = roles.map((role) =>
		orm
			.select()
			.from(invitations)
			.where(and(eq(invitations.organizationId, organizationId), eq(invitations.role, role))),
	);
	if (!first || roles.length === ROLES.length) return { select: all.$dynamic(), where: eq(invitations.organizationId, organizationId) };
	if (!second)
		return { select: all.$dynamic(), where: and(eq(invitations.organizationId, organizationId), inArray(invitations.role, [...roles])) };
	// D1 takes five parts in a union, so the first four are one part of what has more.
	const isLong = others.length > 3;
	const [third, fourth, ...rest] = others;
	const long = isLong && third && fourth && orm.select().from(unionAll(first, second, third, fourth).as("invitations"));
	const [fifth, ...last] = rest;
	const merged = (long && fifth ? unionAll(long as never as typeof first, fifth, ...last) : unionAll(first, second, ...others)).as(
		"invitations",
	);
	return { select: orm.select().from(merged).$dynamic() as unknown as ReturnType<typeof all.$dynamic>, where: undefined };
}

/** Unchanged since it was read, and nobody is accepting it. */
const asSeen = ({ id, status, tokenHash }: InvitationRow) =>
	and(eq(invitations.id, id), eq(invitations.status, status), eq(invitations.tokenHash, tokenHash), isNull(invitations.acceptingUserId));

export const change = (orm: Orm, seen: InvitationRow, to: Partial<InvitationRow>) =>
	guarded(orm.update(invitations).set(to).where(asSeen(seen)));

export const findOverdue = (orm: Orm, now: number, limit: number) =>
	orm
		.select()
		.from(invitations)
		.where(and(sql`${invitations.status} = 'PENDING' and ${invitations.acceptingUserId} is null`, lte(invitations.expiresAt, now)))
		.orderBy(asc(invitations.expiresAt))
		.limit(limit);

/** Not accepted, revoked or sent again since it was read, and not reserved for another user. */
const acceptable = (seen: InvitationRow, userId: string) =>
	and(
		eq(invitations.id, seen.id),
		inArray(invitations.status, [...INVITATION_TRANSITIONS.ACCEPTED]),
		eq(invitations.tokenHash, seen.tokenHash),
		or(isNull(invitations.acceptingUserId), eq(invitations.acceptingUserId, userId)),
	);

/** Reserves the invitation for this user, before anything is written in their home. */
export const reserveFor = (orm: Orm, seen: InvitationRow, userId: string, now: number) =>
	guarded(orm.update(invitations).set({ acceptingUserId: userId, acceptingSince: now }).where(acceptable(seen, userId)));

export const accept = (orm: Orm, seen: InvitationRow, userId: string, now: number) =>
	guarded(orm.update(invitations).set({ status: "ACCEPTED", acceptingUserId: userId, acceptedAt: now }).where(acceptable(seen, userId)));

/** Acceptances that began before this instant and have not ended. */
export const findInterrupted = (orm: Orm, before: number, limit: number) =>
	orm
		.select()
		.from(invitations)
		.where(and(eq(invitations.status, "PENDING"), isNotNull(invitations.acceptingUserId), lte(invitations.acceptingSince, before)))
		.orderBy(asc(invitations.acceptingSince))
		.limit(limit);

/** Ends the reservation of an acceptance that wrote no membership. */
export const release = (orm: Orm, { id, acceptingUserId }: InvitationRow) =>
	orm
		.update(invitations)
		.set({ acceptingUserId: null, acceptingSince: null })
		.where(and(eq(invitations.id, id), eq(invitations.status, "PENDING"), eq(invitations.acceptingUserId, acceptingUserId ?? "")));

/** Sends that the caps no longer count. */
export const expiredSends = (orm: Orm, now: number): Expired =>
	expired(orm, invitationSends, { key: [invitationSends.id], by: invitationSends.sentAt, before: now - SENDS.withinMs });
