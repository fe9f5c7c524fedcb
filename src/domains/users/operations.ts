// Users as operators find them, and how they link identities to them.

import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { byCreation, SharedSelect } from "../../db/keyset";
import { NAME_TAKEN } from "../../db/names";
import { held, operator } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { ApiError } from "../../shared/errors";
import { toTimestamp } from "../../shared/time";
import { noticesTo } from "../messages/notices.plan";
import { identityName } from "./identity.copies";
import { findLink, findUser } from "./store";
import { identityLinks, USER_STATES, users } from "./table";
import { PlatformUser, toPlatformUser } from "./wire";

const { id, status, tag, blockedAt, homeOrganizationId, createdAt, lastSeenAt } = users;
const selectUsers = new SharedSelect((orm) =>
	orm.select({ id, status, tag, blockedAt, homeOrganizationId, createdAt, lastSeenAt }).from(users).$dynamic(),
);

export const listUsers = operation({
	id: "listUsers",
	method: "GET",
	path: "/v1/platform/users",
	summary: "Users, newest first",
	access: operator,
	home: ({ query }) => query.organization_id,
	request: {
		query: z.object({
			...paging,
			status: z.enum(USER_STATES).optional(),
			organization_id: z.uuid().toLowerCase().optional().meta({ description: "The users' home organization" }),
		}),
	},
	response: z.object({ data: z.array(PlatformUser), links: Links }),
	async handle({ query: { status, organization_id, ...page } }, services) {
		const found = await readPage(services, page, {
			list: "users",
			owner: "platform",
			filters: { status, organization_id },
			everywhere: organization_id === undefined,
			select: selectUsers,
			key: byCreation(users),
			where: and(
				status === undefined ? undefined : eq(users.status, status),
				organization_id === undefined ? undefined : eq(users.homeOrganizationId, organization_id),
			),
		});
		return listReply(services, found, toPlatformUser);
	},
});

export const getUser = operation({
	id: "getUser",
	method: "GET",
	path: "/v1/platform/users/{userId}",
	summary: "A user",
	access: operator,
	home: ({ path }) => path.userId,
	request: { path: z.object({ userId: z.uuid().toLowerCase() }) },
	response: PlatformUser,
	errors: ["NOT_FOUND"],
	async handle({ path }, { db }) {
		const [[row]] = await db.read(findUser(db.orm, path.userId));
		if (!row) throw new ApiError("NOT_FOUND");
		return toPlatformUser(row);
	},
});

export const linkIdentity = operation({
	id: "linkIdentity",
	method: "POST",
	path: "/v1/platform/users/{userId}/identities",
	summary: "Link a user to a subject of an identity issuer",
	description: "From then on, the issuer's tokens for this subject authenticate the user.",
	access: held(operator),
	home: ({ path }) => path.userId,
	request: {
		path: z.object({ userId: z.uuid().toLowerCase() }),
		body: z.strictObject({ issuer: z.string().min(1).max(255), subject: z.string().min(1).max(255) }),
	},
	response: z.object({ user_id: z.uuid(), issuer: z.string(), subject: z.string(), created_at: z.iso.datetime() }),
	status: 201,
	errors: ["NOT_FOUND"],
	async handle({ path, body }, services) {
		const { db, now } = services;
		const [[user], [link]] = await db.read(findUser(db.orm, path.userId), findLink(db.orm, path.userId, body));
		if (!user) throw new ApiError("NOT_FOUND");
		if (link) throw new ApiError("INVALID_STATE");
		const value = await identityName(services, body.issuer, body.subject);
		return services.commit(
			[
				db.orm.insert(identityLinks).values({ ...body, userId: user.id, createdAt: now }),
				...(await noticesTo(
					services,
					user,
					"Your account can be used by another sign-in from now on. If you do not know of this, contact us at once.",
				)),
			],
			{ ...body, user_id: user.id, created_at: toTimestamp(now) },
			{
				reserve: { names: [{ kind: "IDENTITY", value, id: user.id }] },
				unique: [
					[NAME_TAKEN, "INVALID_STATE"],
					[[identityLinks.userId, identityLinks.issuer, identityLinks.subject], "INVALID_STATE"],
				],
			},
		);
	},
});
