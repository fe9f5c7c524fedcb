// Organizations and their members, which operators manage.

import * as z from "zod";
import { operator } from "../../http/access";
import { operation } from "../../http/operation";
import { ApiError } from "../../shared/errors";
import { ROLES } from "../../shared/permissions";
import { Slug } from "../../shared/slug";
import { findUser } from "../users/store";
import { byReference, findByReference } from "./store";
import { memberships, organizations } from "./table";
import { Member, Organization, toMember, toOrganization } from "./wire";

export const createOrganization = operation({
	id: "createOrganization",
	method: "POST",
	path: "/v1/platform/organizations",
	summary: "Create an organization",
	access: operator,
	request: { body: z.strictObject({ name: z.string().trim().min(1).max(100), slug: Slug }) },
	response: Organization,
	status: 201,
	errors: ["ORGANIZATION_SLUG_TAKEN"],
	async handle({ body }, services) {
		const row = { id: services.newId(), name: body.name, slug: body.slug, createdAt: services.now };
		return services.commit([services.db.orm.insert(organizations).values(row)], toOrganization(row), {
			unique: [[[organizations.slug], "ORGANIZATION_SLUG_TAKEN"]],
		});
	},
});

export const addMember = operation({
	id: "addMember",
	method: "POST",
	path: "/v1/platform/organizations/{organizationId}/members",
	summary: "Add a user to an organization",
	access: operator,
	request: {
		path: z.object({ organizationId: z.string().min(1).max(255) }),
		body: z.strictObject({ user_id: z.uuid().toLowerCase(), role: z.enum(ROLES) }),
	},
	response: Member,
	status: 201,
	errors: ["NOT_FOUND"],
	async handle({ path, body }, services) {
		const { db } = services;
		const [found, [user]] = await db.read(findByReference(db.orm, path.organizationId), findUser(db.orm, body.user_id));
		const organization = byReference(found, path.organizationId);
		if (!organization || !user) throw new ApiError("NOT_FOUND");
		const row = { id: services.newId(), organizationId: organization.id, userId: user.id, role: body.role, createdAt: services.now };
		return services.commit([db.orm.insert(memberships).values(row)], toMember(row), {
			unique: [
				[[memberships.userId, memberships.organizationId], new ApiError("INVALID_STATE", { description: "The user is already a member" })],
			],
		});
	},
});
