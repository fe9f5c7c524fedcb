// Users: their own profile, and how operators admit them and link identities.

import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { guarded } from "../../db/guards";
import { byCreation, SharedSelect } from "../../db/keyset";
import { NAME_TAKEN } from "../../db/names";
import { raise } from "../../events/raise";
import { operator, userOnWaitingList } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { ApiError } from "../../shared/errors";
import { toTimestamp } from "../../shared/time";
import { userAdmitted } from "./events";
import { findLink, identityName } from "./identity.store";
import { findProfile, findUser } from "./store";
import { identityLinks, USER_STATES, users } from "./table";
import { PlatformUser, toPlatformUser, toUser, User } from "./wire";

export const getMe = operation({
	id: "getMe",
	method: "GET",
	path: "/v1/me",
	summary: "The signed-in user",
	access: userOnWaitingList,
	request: {},
	response: User,
	async handle({ caller }, { db }) {
		const [[user]] = await db.read(findProfile(caller.userId));
		if (!user) throw new ApiError("UNAUTHORISED");
		return toUser(user);
	},
});

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

export const admitUser = operation({
	id: "admitUser",
	method: "POST",
	path: "/v1/platform/users/{userId}/admit",
	summary: "Admit a user from the waiting list",
	access: operator,
	home: ({ path }) => path.userId,
	request: { path: z.object({ userId: z.uuid().toLowerCase() }) },
	response: User,
	errors: ["NOT_FOUND"],
	async handle({ path }, services) {
		const { db, now } = services;
		const [[user]] = await db.read(findProfile(path.userId));
		if (!user) throw new ApiError("NOT_FOUND");
		if (user.status === "ACTIVE") return toUser(user);
		return services.commit(
			[
				guarded(
					db.orm
						.update(users)
						.set({ status: "ACTIVE", admittedAt: now })
						.where(and(eq(users.id, user.id), eq(users.status, user.status))),
				),
				raise(services, userAdmitted, {
					organizationId: user.homeOrganizationId,
					entityId: user.id,
					data: { user_id: user.id, admitted_at: toTimestamp(now) },
				}),
			],
			toUser({ ...user, status: "ACTIVE" }),
		);
	},
});

export const linkIdentity = operation({
	id: "linkIdentity",
	method: "POST",
	path: "/v1/platform/users/{userId}/identities",
	summary: "Link a user to a subject of an identity issuer",
	description: "From then on, the issuer's tokens for this subject authenticate the user.",
	access: operator,
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
			[db.orm.insert(identityLinks).values({ ...body, userId: user.id, createdAt: now })],
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
