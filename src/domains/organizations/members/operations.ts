// The members of an organization: list, add, change the role, remove. A promotion to owner is written in the user's home first, any other
// change of a role and a removal in the organization's home first, so everybody whom the organization counts as an owner is one.

import * as z from "zod";
import { rowsOf } from "../../../db/keyset";
import { first } from "../../../db/reads";
import { raise } from "../../../events/raise";
import { alone, freshly, held, memberOfPath, operator, organizationPath } from "../../../http/callers/access";
import { forgetAccountState } from "../../../http/callers/account-states";
import { operation } from "../../../http/operation";
import { Links, listReply, paging, readPage } from "../../../http/paging";
import { type Owed, owe } from "../../../runtime/home-messages";
import type { HandlerServices } from "../../../runtime/services";
import { ApiError } from "../../../shared/errors";
import { ROLES, type Role, roleHolds, SCOPES } from "../../../shared/permissions";
import { findUser, orStaleUnlessProfile, profileOf } from "../../users/model/store";
import { syncMembership } from "../authorization/job";
import { additionCopy, membershipRemoval, promotionCopy, roleChange } from "../copies.plan";
import { memberRemoved, memberRoleChanged } from "../events";
import { findOwners, noticesOfRole } from "../notices.plan";
import { notifyOwnersOfRole } from "../notices.procedure";
import { findPerson, personBehind, personOf } from "../person.procedure";
import { adoptKeysOf, findByReference } from "../store";
import { type MemberRow, memberships, organizationMembers } from "../table";
import { Member, toMember } from "../wire";
import { callerUnchanged, findCaller, requireRank } from "./callers";
import { nextByOrganization, nextByUser } from "./policy";
import { firstVersion } from "./return.procedure";
import { changeCopy, changeMembership, findMember, findMembership, isMember, LAST_OWNER_STAYS, removeFromCopy } from "./store";

const flag = z.enum(["true", "false"]).transform((text) => text === "true");
const path = organizationPath.extend({ userId: z.uuid().toLowerCase() });

export const listMembers = operation({
	id: "listMembers",
	method: "GET",
	path: "/v1/organizations/{organizationId}/members",
	summary: "The members of an organization, newest first",
	access: memberOfPath("org:members:read"),
	request: { path: organizationPath, query: z.object(paging) },
	response: z.object({ data: z.array(Member), links: Links }),
	async handle({ caller, query }, services) {
		const page = await readPage(services, query, {
			list: "members",
			owner: caller.organizationId,
			filters: {},
			select: rowsOf(organizationMembers),
			key: {
				at: organizationMembers.createdAt,
				id: organizationMembers.membershipId,
				of: (row: MemberRow) => [row.createdAt, row.membershipId] as const,
				order: "newest",
			},
			where: isMember(caller.organizationId),
		});
		return listReply(services, page, (row) => toMember({ ...row, id: row.membershipId }, row));
	},
});

export const addMember = operation({
	id: "addMember",
	method: "POST",
	path: "/v1/platform/organizations/{organizationId}/members",
	summary: "Add a user to an organization",
	access: held(operator),
	home: ({ body }) => body.user_id,
	request: {
		path: organizationPath,
		body: z.strictObject({ user_id: z.uuid().toLowerCase(), role: z.enum(ROLES).meta({ title: "MemberRoleInput" }) }),
	},
	response: Member,
	status: 201,
	errors: ["NOT_FOUND"],
	async handle({ path, body }, services) {
		const { db } = services;
		const { organization, user } = await db.read({
			organization: first(findByReference(db.orm, path.organizationId)),
			user: first(findUser(db.orm, body.user_id)),
		});
		if (!organization || !user) throw new ApiError("NOT_FOUND");
		const about = { organizationId: organization.id, userId: user.id, role: body.role };
		const version = await firstVersion(services, organization.id, user.id);
		const row = { id: services.newId(), ...about, version, createdAt: services.now, reachedAt: null };
		const eventId = services.at(organization.id).newId();
		const owed = owe(services, additionCopy, organization.id, { row, profile: profileOf(user), eventId });
		const told = await notifyOwnersOfRole(services, organization.id, body.role);
		const answer = await services.commit(
			[
				orStaleUnlessProfile(user),
				db.orm.insert(memberships).values(row),
				...syncMembership(services, row),
				...owed.writes,
				...told.writes,
			],
			toMember(row, user),
			{
				trail: organization.id,
				unique: [
					[
						[memberships.userId, memberships.organizationId],
						new ApiError("INVALID_STATE", { description: "The user is already a member" }),
					],
				],
			},
		);
		await owed.carry(services);
		await told.carry(services);
		forgetAccountState(user.id);
		return answer;
	},
});

export const changeRole = operation({
	id: "changeRole",
	method: "PATCH",
	path: "/v1/organizations/{organizationId}/members/{userId}",
	summary: "Change the role of a member",
	description:
		"Members cannot give a role above their own, or change a member whose role is above theirs. The last owner keeps their role.",
	access: freshly(held(memberOfPath("org:members:write"))),
	// A promotion to owner begins in the user's home, where the membership is. Every other change may take ownership away, so it begins
	// in the organization's home, where the owners are counted.
	home: ({ body, path, caller }) => (isOwnership(body.role) ? path.userId : caller.organizationId),
	request: { path, body: z.strictObject({ role: z.enum(ROLES) }) },
	response: Member,
	errors: ["NOT_FOUND", "LAST_OWNER"],
	async handle({ caller, path, body: { role } }, services) {
		const there = services.at(caller.organizationId).db;
		const { self, member, owners } = await there.read({
			self: first(findCaller(there.orm, caller)),
			member: first(findMember(there.orm, caller.organizationId, path.userId)),
			owners: findOwners(there.orm, caller.organizationId),
		});
		if (!member) throw new ApiError("NOT_FOUND");
		requireRank(caller, self, member.role);
		requireRank(caller, self, role);
		if (member.role === role) return toMember({ ...member, id: member.membershipId }, member);
		const told = await noticesOfRole(services, owners, role);
		const answer = await (isOwnership(role) ? promote(services, member, self, role, told) : change(services, member, self, role, told));
		await told.carry(services);
		forgetAccountState(member.userId);
		return answer;
	},
});

const isOwnership = (role: Role) => role === "organization-owner";

async function promote(services: HandlerServices, member: MemberRow, self: MemberRow | undefined, role: Role, told: Owed) {
	const { db } = services;
	const { organizationId, userId } = member;
	const membership = await db.read(first(findMembership(db.orm, organizationId, userId)));
	if (!membership) throw new ApiError("NOT_FOUND");
	const organization = services.at(organizationId);
	const row = { ...membership, role, version: nextByUser(Math.max(membership.version, member.version)) };
	const owed = owe(services, promotionCopy, organizationId, { row, previousRole: member.role, eventId: organization.newId() });
	const answer = await services.commit(
		[
			// A commit in another database cannot check the caller's role again: the read before it was the last check.
			...(organization.db === db ? callerUnchanged(self) : []),
			changeMembership(db.orm, membership, role, row.version),
			...syncMembership(services, membership),
			...owed.writes,
			...told.writes,
		],
		toMember(row, member),
	);
	await owed.carry(services);
	return answer;
}

async function change(services: HandlerServices, member: MemberRow, self: MemberRow | undefined, role: Role, told: Owed) {
	const { db } = services;
	const { organizationId, userId, membershipId } = member;
	const version = nextByOrganization(member.version);
	const owed = owe(services, roleChange, userId, { id: membershipId, userId, role, version });
	const answer = await services.commit(
		[
			...callerUnchanged(self),
			changeCopy(db.orm, member, { role, version, now: services.now }),
			raise(services, memberRoleChanged, { organizationId, data: { user_id: userId, role, previous_role: member.role } }),
			...owed.writes,
			...told.writes,
		],
		toMember({ ...member, id: membershipId, role }, member),
		{ triggers: LAST_OWNER_STAYS },
	);
	await owed.carry(services);
	return answer;
}

export const removeMember = operation({
	id: "removeMember",
	method: "DELETE",
	path: "/v1/organizations/{organizationId}/members/{userId}",
	summary: "Remove a member from an organization",
	description:
		"Ends only the membership: the user and their home organization stay. Members cannot remove a member whose role is above theirs. The last owner stays.",
	access: alone(memberOfPath("org:members:write")),
	request: {
		path,
		query: z.object({
			adopt_keys: flag.optional().meta({
				description: "The member's API keys whose scopes the caller holds become the caller's; the others work no longer, as without it",
			}),
		}),
	},
	response: null,
	errors: ["NOT_FOUND", "LAST_OWNER"],
	async handle({ caller, path, query }, services) {
		const { db } = services;
		const { organizationId } = caller;
		const { self, member, actor } = await db.read({
			self: first(findCaller(db.orm, caller)),
			member: first(findMember(db.orm, organizationId, path.userId)),
			actor: first(findPerson(db.orm, await personBehind(services, caller))),
		});
		if (!member) throw new ApiError("NOT_FOUND");
		requireRank(caller, self, member.role);
		const scopes = SCOPES.filter((scope) => (self ? roleHolds(self.role, scope) : caller.kind === "operator"));
		const owed = owe(services, membershipRemoval, member.userId, { membershipId: member.membershipId, userId: member.userId });
		const answer = await services.commit(
			[
				...callerUnchanged(self),
				removeFromCopy(db.orm, member, services.now),
				...(query.adopt_keys ? [adoptKeysOf(db.orm, organizationId, member.userId, { person: personOf(actor), held: scopes })] : []),
				raise(services, memberRemoved, { organizationId, data: { user_id: member.userId, role: member.role } }),
				...owed.writes,
			],
			undefined,
			{ triggers: LAST_OWNER_STAYS },
		);
		await owed.carry(services);
		forgetAccountState(path.userId);
		return answer;
	},
});
