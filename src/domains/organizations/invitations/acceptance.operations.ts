// Accepting an invitation. If the user's home is in another database than the organization's, this takes three commits: reserve the
// invitation for the user, write the membership, accept the invitation. The sweep finishes or undoes what was interrupted in between.

import * as z from "zod";
import type { Write } from "../../../db/database";
import { findName, NAME_TAKEN, type Reserve } from "../../../db/names";
import { first } from "../../../db/reads";
import { raise } from "../../../events/raise";
import { type NewcomerCaller, newcomer, oneOf, orIdentity, type UserCaller, userOnWaitingList } from "../../../http/callers/access";
import { forgetAccountState } from "../../../http/callers/account-states";
import { blocked } from "../../../http/callers/missing-credentials";
import { operation } from "../../../http/operation";
import type { Services } from "../../../runtime/services";
import { equalBytes, sha256Hex, utf8 } from "../../../shared/bytes";
import { ApiError, forbidden } from "../../../shared/errors";
import { identityName } from "../../users/model/identity.cache";
import { provision } from "../../users/model/plan";
import { findUser, orStaleUnlessProfile, type Profile } from "../../users/model/store";
import { identityLinks } from "../../users/model/table";
import { syncMembership } from "../authorization/job";
import { copyMembership } from "../copies.plan";
import { invitationAccepted } from "../events";
import { firstVersion } from "../members/return.procedure";
import { findMembership } from "../members/store";
import { notifyOwnersOfRole } from "../notices.procedure";
import { type MembershipRow, memberships } from "../table";
import { toMember } from "../wire";
import { INVITATION_TRANSITIONS, stateAt } from "./lifecycle";
import { addressKeyOf, invitationIn } from "./policy";
import { accept, findInvitation, reserveFor } from "./store";
import type { InvitationRow } from "./table";
import { AcceptedMembership } from "./wire";

export const acceptInvitation = operation({
	id: "acceptInvitation",
	method: "POST",
	path: "/v1/invitations/accept",
	summary: "Accept an invitation to become a member",
	description:
		"Only for the invited address, which must be the verified address of the user or of the identity issuer's token. " +
		"A user is created for an identity that has none.",
	access: orIdentity(oneOf(userOnWaitingList, newcomer)),
	home: ({ body }) => invitationIn(body.token),
	request: { body: z.object({ token: z.string().min(1).max(255).meta({ description: "The token in the mail" }) }) },
	response: AcceptedMembership,
	errors: ["NOT_FOUND"],
	reasons: ["ADDRESS_DIFFERS", "ADDRESS_UNPROVEN"],
	async handle({ caller, body: { token } }, services) {
		const { db, now } = services;
		const invitation = await db.read(first(findInvitation(db.orm, invitationIn(token) ?? "")));
		if (!invitation || !equalBytes(utf8(await sha256Hex(token)), utf8(invitation.tokenHash))) {
			throw new ApiError("NOT_FOUND", { description: "There is no such invitation: send the token of the latest mail about it" });
		}
		const acceptor = await readAcceptor(services, caller, invitation);
		if (acceptor.email === undefined) throw withoutAddress(caller.kind === "user" ? caller.identity : caller);
		if (addressKeyOf(acceptor.email) !== invitation.emailKey)
			throw forbidden("The invitation is for another mail address", { reason: "ADDRESS_DIFFERS" });
		const resumed = invitation.acceptingUserId === acceptor.id;
		if (resumed && invitation.status === "ACCEPTED" && acceptor.membership) return toAccepted(acceptor.membership, acceptor.profile);
		requireOpen(invitation, acceptor, resumed, now);

		const told = await notifyOwnersOfRole(services, invitation.organizationId, invitation.role);
		const there = services.at(acceptor.id);
		const apart = there.db !== db;
		const { organizationId, role } = invitation;
		const row = acceptor.membership ?? {
			id: there.newId(),
			organizationId,
			userId: acceptor.id,
			role,
			version: await firstVersion(services, organizationId, acceptor.id),
			createdAt: now,
			reachedAt: null,
		};
		const joined = () => [...acceptor.writes, there.db.orm.insert(memberships).values(row), ...syncMembership(there, row)];
		const writes = acceptor.membership ? [] : joined();
		const options = { reserve: acceptor.reserve, unique: WRITTEN_MEANWHILE };
		if (apart && writes.length > 0) {
			await services.commitRegardless([reserveFor(db.orm, invitation, acceptor.id, now)]);
			await there.commitRegardless(writes, options);
		}
		const answer = await services.commit(
			[
				...(apart ? [] : writes),
				accept(db.orm, invitation, acceptor.id, now),
				...copyMembership(services, row, acceptor.profile),
				raise(services, invitationAccepted, {
					organizationId,
					entityId: invitation.id,
					data: { invitation_id: invitation.id, role, user_id: acceptor.id },
				}),
				...told.writes,
			],
			toAccepted(row, acceptor.profile),
			apart ? {} : options,
		);
		await told.carry(services);
		forgetAccountState(acceptor.id);
		return answer;
	},
});

/** `token`: of the identity issuer; undefined for a session of the service. */
function withoutAddress(token: { hasUnprovenEmail: boolean } | undefined): ApiError {
	const why = token?.hasUnprovenEmail
		? "The token does not say that its mail address is proven: it needs email_verified, or its issuer the setting emails_are_verified"
		: token
			? "The token names no mail address: it needs the claim email"
			: "You have no proven mail address here: send the token of your identity issuer";
	return forbidden(why, { reason: "ADDRESS_UNPROVEN" });
}

/** Another request has created the user or the membership: the handler runs again and finds them. */
const WRITTEN_MEANWHILE = [
	[NAME_TAKEN, "STALE"],
	[[identityLinks.userId, identityLinks.issuer, identityLinks.subject], "STALE"],
	[[memberships.userId, memberships.organizationId], "STALE"],
] as const;

const toAccepted = (row: MembershipRow, profile: Profile) => ({ ...toMember(row, profile), organization_id: row.organizationId });

type Acceptor = {
	id: string;
	/** The verified address. */
	email: string | undefined;
	membership: MembershipRow | undefined;
	profile: Profile;
	/** The writes that create the user; for an existing user, the condition that the profile is as it was copied. */
	writes: readonly Write[];
	reserve: Reserve;
};

/** Throws INVALID_STATE unless the user may accept the invitation. `resumed`: an earlier request of theirs has reserved it. */
function requireOpen(invitation: InvitationRow, { membership }: Acceptor, resumed: boolean, now: number): void {
	// An acceptance that began before the invitation expired may finish afterwards.
	const state = resumed ? invitation.status : stateAt(invitation, now);
	if (!INVITATION_TRANSITIONS.ACCEPTED.includes(state)) {
		throw new ApiError("INVALID_STATE", { description: `The invitation is ${state}` });
	}
	if (resumed) return;
	if (invitation.acceptingUserId !== null) throw new ApiError("INVALID_STATE", { description: "The invitation is being accepted" });
	if (membership) throw new ApiError("INVALID_STATE", { description: "You are a member already" });
}

async function readAcceptor(services: Services, caller: UserCaller | NewcomerCaller, invitation: InvitationRow): Promise<Acceptor> {
	if (caller.kind === "user") {
		const user = await readUser(services, caller.userId, caller.identity, invitation);
		if (!user) throw new ApiError("UNAUTHORISED");
		return user;
	}
	const { directory } = services.databases;
	const value = await identityName(services, caller.issuer, caller.subject);
	const named = await directory.read(first(findName(directory.orm, "IDENTITY", value)));
	const known = named && (await readUser(services, named.id, caller, invitation));
	if (known) return known;
	// A name without its user: an earlier request was interrupted after it reserved the name. The user is created under that id.
	const id = named?.id ?? services.newId();
	const there = services.at(id);
	const { email, issuer, subject, admitted } = caller;
	const newUser = await provision(there, id, { source: "INVITATION", admitted, homeOrganizationId: null, email });
	const link = there.db.orm.insert(identityLinks).values({ issuer, subject, userId: id, createdAt: services.now });
	return {
		id,
		email,
		membership: undefined,
		profile: newUser.user,
		writes: [...newUser.writes, link],
		reserve: { names: [{ kind: "IDENTITY", value, id }, ...newUser.names] },
	};
}

/** Undefined when there is no such user. */
async function readUser(
	services: Services,
	id: string,
	identity: { email: string | undefined } | undefined,
	{ organizationId }: InvitationRow,
): Promise<Acceptor | undefined> {
	const { db } = services.at(id);
	const { user, membership } = await db.read({
		user: first(findUser(db.orm, id)),
		membership: first(findMembership(db.orm, organizationId, id)),
	});
	if (!user) return undefined;
	if (user.blockedAt !== null) throw blocked();
	const email = identity ? identity.email : (user.email ?? undefined);
	return { id, email, membership, profile: user, writes: [orStaleUnlessProfile(user)], reserve: { names: [] } };
}
