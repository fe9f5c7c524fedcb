// Organizations and their members, which operators manage.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { NAME_TAKEN } from "../../db/names";
import { memberOfPath, operator } from "../../http/access";
import { forgetAccountState } from "../../http/authentication";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { owe } from "../../runtime/home-messages";
import { ApiError } from "../../shared/errors";
import { ROLES } from "../../shared/permissions";
import { Slug } from "../../shared/slug";
import { findUser } from "../users/store";
import { memberCopy, membershipRemoval, newOrganization } from "./copies.store";
import { findByReference, findMember, findOtherOwner, removeFromMembers } from "./store";
import { memberships, organizations } from "./table";
import { Member, Organization, toMember, toOrganization } from "./wire";

export const createOrganization = operation({
	id: "createOrganization",
	method: "POST",
	path: "/v1/platform/organizations",
	summary: "Create an organization",
	access: operator,
	home: "directory",
	request: {
		body: z.strictObject({ name: z.string().trim().min(1).max(100), slug: Slug }).meta({ examples: [{ name: "Acme", slug: "acme" }] }),
	},
	response: Organization,
	status: 201,
	errors: ["ORGANIZATION_SLUG_TAKEN"],
	async handle({ body }, services) {
		const { row, name, owed } = newOrganization(services, body);
		const answer = await services.commit(owed.writes, toOrganization(row), {
			reserve: { names: [name] },
			unique: [[NAME_TAKEN, "ORGANIZATION_SLUG_TAKEN"]],
		});
		await owed.carry();
		return answer;
	},
});

export const listOrganizations = operation({
	id: "listOrganizations",
	method: "GET",
	path: "/v1/platform/organizations",
	summary: "Organizations, newest first",
	access: operator,
	home: "directory",
	request: { query: z.object({ ...paging, slug: z.string().min(1).max(255).optional() }) },
	response: z.object({ data: z.array(Organization), links: Links }),
	async handle({ query: { slug, ...page } }, services) {
		const found = await readPage(services, page, {
			list: "organizations",
			owner: "platform",
			filters: { slug },
			select: (orm) => orm.select().from(organizations).$dynamic(),
			key: { at: organizations.createdAt, id: organizations.id, of: (row) => [row.createdAt, row.id] as const, order: "newest" },
			where: slug === undefined ? undefined : eq(organizations.slug, slug),
		});
		return listReply(services, found, toOrganization);
	},
});

export const addMember = operation({
	id: "addMember",
	method: "POST",
	path: "/v1/platform/organizations/{organizationId}/members",
	summary: "Add a user to an organization",
	access: operator,
	home: ({ body }) => body.user_id,
	request: {
		path: z.object({ organizationId: z.string().min(1).max(255) }),
		body: z.strictObject({ user_id: z.uuid().toLowerCase(), role: z.enum(ROLES) }),
	},
	response: Member,
	status: 201,
	errors: ["NOT_FOUND"],
	async handle({ path, body }, services) {
		const { db } = services;
		const [[organization], [user]] = await db.read(findByReference(db.orm, path.organizationId), findUser(db.orm, body.user_id));
		if (!organization || !user) throw new ApiError("NOT_FOUND");
		const about = { organizationId: organization.id, userId: user.id, role: body.role };
		const row = { id: services.newId(), ...about, version: 1, createdAt: services.now };
		const owed = owe(services, memberCopy, organization.id, row);
		const answer = await services.commit([db.orm.insert(memberships).values(row), ...owed.writes], toMember(row), {
			unique: [
				[[memberships.userId, memberships.organizationId], new ApiError("INVALID_STATE", { description: "The user is already a member" })],
			],
		});
		await owed.carry();
		return answer;
	},
});

export const removeMember = operation({
	id: "removeMember",
	method: "DELETE",
	path: "/v1/organizations/{organizationId}/members/{userId}",
	summary: "Remove a member from an organization",
	description: "Ends only the membership: the user and their home organization stay. The last owner cannot be removed.",
	access: memberOfPath("org:members:write"),
	request: { path: z.object({ organizationId: z.string().min(1).max(255), userId: z.uuid().toLowerCase() }) },
	response: null,
	errors: ["NOT_FOUND", "LAST_OWNER"],
	async handle({ caller, path }, services) {
		const { db } = services;
		const [[found], [otherOwner]] = await db.read(
			findMember(db.orm, caller.organizationId, path.userId),
			findOtherOwner(db.orm, caller.organizationId, path.userId),
		);
		if (!found) throw new ApiError("NOT_FOUND");
		if (found.role === "organization-owner" && !otherOwner) throw new ApiError("LAST_OWNER");
		const owed = owe(services, membershipRemoval, found.userId, { membershipId: found.membershipId });
		const answer = await services.commit([removeFromMembers(db.orm, found, services.now), ...owed.writes], undefined);
		await owed.carry();
		forgetAccountState(path.userId);
		return answer;
	},
});
