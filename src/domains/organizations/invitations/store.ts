// Builds the statements on invitations: find, send, revoke, expire, accept. A send is counted in the commit that queues its mail.

import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { Orm, Write } from "../../../db/database";
import { guarded, orStaleUnless } from "../../../db/guards";
import { type Expired, expired } from "../../../db/purge";
import { raise } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import { ApiError, tooManyRequests } from "../../../shared/errors";
import { ROLES, type Role } from "../../../shared/permissions";
import { messageBudget, queueMessage } from "../../messages/plan";
import { invitationExpired } from "../events";
import { INVITATION_TRANSITIONS } from "./lifecycle";
import { SENDS, tokenOf, waitForSend } from "./policy";
import { type InvitationRow, invitationSends, invitations } from "./table";

export const findInvitation = (orm: Orm, id: string) => orm.select().from(invitations).where(eq(invitations.id, id));

export const findOwnInvitation = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select()
		.from(invitations)
		.where(and(eq(invitations.id, id), eq(invitations.organizationId, organizationId)));

/** The key of the address that an invitation of the organization goes to. */
export const emailKeyOf = (organizationId: string, id: string) =>
	sql<string>`(select i.email_key from ${invitations} i where i.id = ${id} and i.organization_id = ${organizationId})`;

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
	const merged = unionAll(first, second, ...others).as("invitations");
	return { select: orm.select().from(merged).$dynamic() as unknown as ReturnType<typeof all.$dynamic>, where: undefined };
}

/** The caps on mails. Read `statements` with the operation's own, pass their rows to `check`, and add `writes` to the commit. */
export function sendCaps(services: Services, organizationId: string, emailKey: string | SQL<string>) {
	const { db, now } = services;
	const since = now - SENDS.withinMs;
	const budget = messageBudget(services);
	const latest = (match: SQL, most: number) =>
		db.orm
			.select({ sentAt: invitationSends.sentAt })
			.from(invitationSends)
			.where(and(match, gt(invitationSends.sentAt, since)))
			.orderBy(desc(invitationSends.sentAt))
			.limit(most);
	const under = (column: "organization_id" | "email_key", value: string | SQL, most: number) =>
		sql`(select count(*) from ${invitationSends} s where s.${sql.raw(column)} = ${value} and s.sent_at > ${since}) < ${most}`;
	return {
		statements: [
			latest(eq(invitationSends.organizationId, organizationId), SENDS.byOrganization),
			latest(eq(invitationSends.emailKey, emailKey), SENDS.toAddress),
			budget.statement,
		] as const,
		/** Throws TOO_MANY_REQUESTS with the time to wait, and SERVICE_UNAVAILABLE when no sender is configured. */
		check(
			byOrganization: readonly { sentAt: number }[],
			toAddress: readonly { sentAt: number }[],
			sent: readonly { createdAt: number }[],
		): void {
			const { messageSender } = services.providers;
			if (messageSender.kind === "gateway" && !messageSender.configured) throw new ApiError("SERVICE_UNAVAILABLE");
			const times = (rows: readonly { sentAt: number }[]) => rows.map(({ sentAt }) => sentAt);
			const waitMs = waitForSend({ byOrganization: times(byOrganization), toAddress: times(toAddress) }, now);
			if (waitMs > 0) throw tooManyRequests(waitMs / 1000);
			budget.check(sent);
		},
		writes: [
			orStaleUnless(
				sql`${under("organization_id", organizationId, SENDS.byOrganization)} and ${under("email_key", emailKey, SENDS.toAddress)} and ${budget.left}`,
			),
			db.orm.insert(invitationSends).values({ id: services.newId(), organizationId, emailKey, sentAt: now }),
		] as const,
	};
}

/** A new token for the invitation, and the mail that contains it. */
export async function mailFor(
	services: Services,
	{ id, email, expiresAt }: Pick<InvitationRow, "id" | "email" | "expiresAt">,
	name: string,
) {
	const secret = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
	const token = tokenOf(id, secret);
	const text = `You are invited to join ${name}. Accept within seven days with this invitation, which nobody else can use: ${token}`;
	return {
		token,
		mail: await queueMessage(services, {
			channel: "EMAIL",
			recipient: email,
			purpose: "INVITATION",
			category: null,
			content: { text, token },
			expiresAt,
		}),
	};
}

/** Unchanged since it was read, and nobody is accepting it. */
const asSeen = ({ id, status, tokenHash }: InvitationRow) =>
	and(eq(invitations.id, id), eq(invitations.status, status), eq(invitations.tokenHash, tokenHash), isNull(invitations.acceptingUserId));

export const change = (orm: Orm, seen: InvitationRow, to: Partial<InvitationRow>) =>
	guarded(orm.update(invitations).set(to).where(asSeen(seen)));

/** Stores that the invitation has expired. */
export const expire = (services: Services, seen: InvitationRow): Write[] => [
	change(services.db.orm, seen, { status: "EXPIRED" }),
	raise(services, invitationExpired, {
		organizationId: seen.organizationId,
		data: { invitation_id: seen.id, role: seen.role },
	}),
];

export const findOverdue = (orm: Orm, now: number, limit: number) =>
	orm
		.select()
		.from(invitations)
		.where(and(sql`status = 'PENDING' and accepting_user_id is null`, lte(invitations.expiresAt, now)))
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
