// Invitations as the organization sees them: list, invite, send again, revoke.

import * as z from "zod";
import { byCreation } from "../../../db/keyset";
import { first } from "../../../db/reads";
import { raise } from "../../../events/raise";
import { alone, freshly, held, memberOfPath, type OrganizationCaller, organizationPath } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { Links, listReply, paging, readPage } from "../../../http/paging";
import { list } from "../../../shared/bounded";
import { sha256Hex } from "../../../shared/bytes";
import { ApiError } from "../../../shared/errors";
import { ROLES } from "../../../shared/permissions";
import { invitationCreated, invitationRevoked } from "../events";
import { callerUnchanged, findCaller, requireRank } from "../members/callers";
import { findByReference } from "../store";
import type { MemberRow } from "../table";
import { INVITATION_TRANSITIONS, stateAt } from "./lifecycle";
import { expireInvitation, invitationCaps, mailFor } from "./plan";
import { addressKeyOf, VALID_FOR_MS } from "./policy";
import { change, emailKeyOf, findOwnInvitation, findPending, selectInvitations } from "./store";
import { type InvitationRow, invitations } from "./table";
import { Email, MemberInvitation, toInvitation } from "./wire";

const ofPath = organizationPath.extend({ id: z.uuid().toLowerCase() });
const access = memberOfPath("org:members:write");

/** One value or several: `?roles=a&roles=b`. */
const Roles = z
	.union([z.enum(ROLES), list(z.enum(ROLES), { min: 1, max: 100 })], { error: `must be one of ${ROLES.join(", ")}, each by itself` })
	.transform((sent) => [...new Set([sent].flat())].sort())
	.meta({ description: "Invitations to any of these roles; may be repeated" });

export const listInvitations = operation({
	id: "listInvitations",
	method: "GET",
	path: "/v1/organizations/{organizationId}/members/invitations",
	summary: "The organization's invitations, newest first",
	access: memberOfPath("org:members:read"),
	request: { path: organizationPath, query: z.object({ ...paging, roles: Roles.optional() }) },
	response: z.object({ data: z.array(MemberInvitation), links: Links }),
	async handle({ caller, query: { roles = [], ...page } }, services) {
		const { where } = selectInvitations(services.db.orm, caller.organizationId, roles);
		const found = await readPage(services, page, {
			list: "invitations",
			owner: caller.organizationId,
			filters: roles.length > 0 ? { roles } : {},
			select: (orm) => selectInvitations(orm, caller.organizationId, roles).select,
			key: byCreation(invitations),
			where,
		});
		return listReply(services, found, (row) => toInvitation(row, services.now));
	},
});

export const createInvitation = operation({
	id: "createInvitation",
	method: "POST",
	path: "/v1/organizations/{organizationId}/members/invitations",
	summary: "Invite somebody to become a member",
	description:
		"Sends a mail with a single-use token, which is valid for seven days and for the invited address only. " +
		"Members cannot invite to a role above their own. At most 50 mails a day by an organization, and 3 to an address.",
	access: freshly(held(access)),
	request: { path: organizationPath, body: z.strictObject({ email: Email, role: z.enum(ROLES) }) },
	response: MemberInvitation,
	status: 201,
	errors: ["INVITATION_PENDING"],
	async handle({ caller, body: { email, role } }, services) {
		const { db, now } = services;
		const { organizationId } = caller;
		const emailKey = addressKeyOf(email) ?? email;
		const caps = invitationCaps(services, organizationId, emailKey);
		const { self, organization, pending, sent } = await db.read({
			self: first(findCaller(db.orm, caller)),
			organization: first(findByReference(db.orm, organizationId)),
			pending: first(findPending(db.orm, organizationId, emailKey)),
			sent: caps.reads,
		});
		if (!organization) throw new ApiError("NOT_FOUND");
		requireRank(caller, self, role);
		if (pending && stateAt(pending, now) === "PENDING") throw new ApiError("INVITATION_PENDING");
		caps.check(sent);
		const facts = { id: services.newId(), organizationId, email, emailKey, role, expiresAt: now + VALID_FOR_MS };
		const { token, mail } = await mailFor(services, facts, organization.name);
		const row: InvitationRow = {
			...facts,
			status: "PENDING",
			tokenHash: await sha256Hex(token),
			invitedBy: inviterOf(caller),
			acceptingUserId: null,
			acceptingSince: null,
			acceptedAt: null,
			revokedAt: null,
			createdAt: now,
		};
		return services.commit(
			[
				...callerUnchanged(self),
				...(pending ? expireInvitation(services, pending) : []),
				...caps.writes,
				db.orm.insert(invitations).values(row),
				mail,
				raise(services, invitationCreated, { organizationId, entityId: row.id, data: { invitation_id: row.id, role } }),
			],
			toInvitation(row, now),
			{ unique: [[PENDING_ONCE, "INVITATION_PENDING"]] },
		);
	},
});

/** The index that refuses a second pending invitation to an address. */
const PENDING_ONCE = [invitations.organizationId, invitations.emailKey] as const;

const inviterOf = (caller: OrganizationCaller): string => (caller.kind === "member" ? caller.userId : `operator:${caller.operatorId}`);

export const resendInvitation = operation({
	id: "resendInvitation",
	method: "POST",
	path: "/v1/organizations/{organizationId}/members/invitations/{id}/resend",
	summary: "Send a pending or expired invitation again",
	description: "The new mail has a new token, valid for seven days; the earlier one is no longer valid.",
	access: held(access),
	request: { path: ofPath },
	response: MemberInvitation,
	errors: ["NOT_FOUND", "INVITATION_PENDING"],
	async handle({ caller, path }, services) {
		const { db, now } = services;
		const caps = invitationCaps(services, caller.organizationId, emailKeyOf(caller.organizationId, path.id));
		const { self, found, organization, sent } = await db.read({
			self: first(findCaller(db.orm, caller)),
			found: first(findOwnInvitation(db.orm, caller.organizationId, path.id)),
			organization: first(findByReference(db.orm, caller.organizationId)),
			sent: caps.reads,
		});
		if (!organization) throw new ApiError("NOT_FOUND");
		const seen = changeable(found, caller, self, "RESENT", now);
		caps.check(sent);
		const renewed = { ...seen, status: "PENDING" as const, expiresAt: now + VALID_FOR_MS };
		const { token, mail } = await mailFor(services, renewed, organization.name);
		const { status, expiresAt } = renewed;
		return services.commit(
			[...callerUnchanged(self), ...caps.writes, change(db.orm, seen, { status, expiresAt, tokenHash: await sha256Hex(token) }), mail],
			toInvitation(renewed, now),
			{ unique: [[PENDING_ONCE, "INVITATION_PENDING"]] },
		);
	},
});

export const revokeInvitation = operation({
	id: "revokeInvitation",
	method: "POST",
	path: "/v1/organizations/{organizationId}/members/invitations/{id}/revoke",
	summary: "Revoke a pending invitation",
	access: alone(access),
	request: { path: ofPath },
	response: MemberInvitation,
	errors: ["NOT_FOUND"],
	async handle({ caller, path }, services) {
		const { db, now } = services;
		const { self, found } = await db.read({
			self: first(findCaller(db.orm, caller)),
			found: first(findOwnInvitation(db.orm, caller.organizationId, path.id)),
		});
		const seen = changeable(found, caller, self, "REVOKED", now);
		const revoked = { ...seen, status: "REVOKED" as const, revokedAt: now };
		return services.commit(
			[
				...callerUnchanged(self),
				change(db.orm, seen, { status: "REVOKED", revokedAt: now }),
				raise(services, invitationRevoked, {
					organizationId: seen.organizationId,
					entityId: seen.id,
					data: { invitation_id: seen.id, role: seen.role },
				}),
			],
			toInvitation(revoked, now),
		);
	},
});

/** The invitation, if the caller may change it and its state allows that. */
function changeable(
	seen: InvitationRow | undefined,
	caller: OrganizationCaller,
	self: MemberRow | undefined,
	to: "RESENT" | "REVOKED",
	now: number,
): InvitationRow {
	if (!seen) throw new ApiError("NOT_FOUND");
	requireRank(caller, self, seen.role);
	const state = stateAt(seen, now);
	if (!INVITATION_TRANSITIONS[to].includes(state)) {
		throw new ApiError("INVALID_STATE", { description: `The invitation is ${state}` });
	}
	if (seen.acceptingUserId !== null) throw new ApiError("INVALID_STATE", { description: "The invitation is being accepted" });
	return seen;
}
