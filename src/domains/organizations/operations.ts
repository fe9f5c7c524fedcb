// Organizations and their members, which operators manage.

import * as z from "zod";
import { NAME_TAKEN } from "../../db/names";
import { operator } from "../../http/access";
import { operation } from "../../http/operation";
import { owe } from "../../runtime/home-messages";
import { ApiError } from "../../shared/errors";
import { ROLES } from "../../shared/permissions";
import { Slug } from "../../shared/slug";
import { findUser } from "../users/store";
import { memberCopy, newOrganization } from "./copies.store";
import { findByReference } from "./store";
import { memberships } from "./table";
import { Member, Organization, toMember, toOrganization } from "./wire";

export const createOrganization = operation({
	id: "createOrganization",
	method: "POST",
	path: "/v1/platform/organizations",
	summary: "Create an organization",
	access: operator,
	home: "directory",
	request: { body: z.strictObject({ name: z.string().trim().min(1).max(100), slug: Slug }) },
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
