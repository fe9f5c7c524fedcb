// How operators link identities to users.

import * as z from "zod";
import { NAME_TAKEN } from "../../db/names";
import { first } from "../../db/reads";
import { held, operator } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { ApiError, invalidState } from "../../shared/errors";
import { toTimestamp } from "../../shared/time";
import { noticesTo } from "../messages/notices.plan";
import { identityName } from "./model/identity.cache";
import { ERASED_TAG, findLink, findUser } from "./model/store";
import { identityLinks } from "./model/table";

const LINKED = invalidState("The identity is linked already, to this user or another");

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
		const { user, link } = await db.read({
			user: first(findUser(db.orm, path.userId)),
			link: first(findLink(db.orm, path.userId, body)),
		});
		if (!user) throw new ApiError("NOT_FOUND");
		if (user.tag === ERASED_TAG) throw invalidState("The user is erased");
		if (link) throw LINKED;
		const value = await identityName(services, body.issuer, body.subject);
		return services.commit(
			[
				db.orm.insert(identityLinks).values({ ...body, userId: user.id, createdAt: now }),
				...(await noticesTo(services, user, { key: "IDENTITY_LINKED", values: {} })),
			],
			{ ...body, user_id: user.id, created_at: toTimestamp(now) },
			{
				reserve: { names: [{ kind: "IDENTITY", value, id: user.id }] },
				unique: [
					[NAME_TAKEN, LINKED],
					[[identityLinks.userId, identityLinks.issuer, identityLinks.subject], LINKED],
				],
			},
		);
	},
});
