// Creates and revokes signing keys. An endpoint has one key, or two during a rotation; an active endpoint always has at least one key that
// does not expire.

import { and, eq, isNull } from "drizzle-orm";
import * as z from "zod";
import { guarded } from "../../../db/guards";
import { first } from "../../../db/reads";
import { webhookEndpoints } from "../../../events/table";
import { member } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { ApiError } from "../../../shared/errors";
import { findEndpoint } from "../store";
import { webhookSigningKeys } from "../table";
import { SigningKey, toSigningKey } from "../wire";
import { MAX_EXPIRY, parseExpiry } from "./expiry.policy";
import { MAX_ACTIVE_KEYS } from "./policy";
import { activeKeysOf, expireKeys, forgetOldKeys, mintSigningKey, orWrongKeyCount } from "./store";

const Expiry = z
	.string()
	.max(100, { abort: true })
	.transform((text, ctx) => {
		const expiryMs = parseExpiry(text);
		if (typeof expiryMs === "number") return expiryMs;
		ctx.addIssue({ code: "custom", message: `must be a positive duration of at most ${MAX_EXPIRY}`, params: { sub_code: expiryMs } });
		return z.NEVER;
	})
	.meta({
		format: "duration",
		description: `ISO 8601 duration of at most ${MAX_EXPIRY}, after which the endpoint's older key stops signing by itself; when absent, it signs until it is revoked`,
		examples: ["PT24H"],
	});

export const createSigningKey = operation({
	id: "createSigningKey",
	method: "POST",
	path: "/v1/webhooks/{webhook_id}/secrets",
	summary: "Create a signing secret; only this response contains it",
	access: member("org:webhooks:write"),
	request: {
		path: z.object({ webhook_id: z.uuid().toLowerCase() }),
		body: z.strictObject({ expire_others_in: Expiry.optional() }).optional(),
	},
	response: SigningKey,
	status: 201,
	shownOnce: ["secret"],
	errors: ["NOT_FOUND", "TOO_MANY_SIGNING_KEYS"],
	async handle({ path, body, caller: { organizationId } }, services) {
		const { db, now } = services;
		const { endpoint, keys } = await db.read({
			endpoint: first(findEndpoint(db.orm, organizationId, path.webhook_id)),
			keys: activeKeysOf(db.orm, organizationId, path.webhook_id, now),
		});
		if (!endpoint) throw new ApiError("NOT_FOUND");
		if (keys.length >= MAX_ACTIVE_KEYS) throw new ApiError("TOO_MANY_SIGNING_KEYS");
		const key = await mintSigningKey(services, organizationId, endpoint.id);
		return services.commit(
			[
				// An endpoint that was deleted meanwhile must not get a key.
				guarded(db.orm.update(webhookEndpoints).set({ id: endpoint.id }).where(eq(webhookEndpoints.id, endpoint.id))),
				...(body?.expire_others_in === undefined ? [] : [expireKeys(db.orm, endpoint.id, now + body.expire_others_in)]),
				db.orm.insert(webhookSigningKeys).values(key.row),
				orWrongKeyCount(endpoint.id, { lasting: 1, most: MAX_ACTIVE_KEYS }, now),
				forgetOldKeys(endpoint.id),
			],
			toSigningKey(key.row, key.secret),
		);
	},
});

export const revokeSigningKey = operation({
	id: "revokeSigningKey",
	method: "DELETE",
	path: "/v1/webhooks/{webhook_id}/secrets/{signing_key_id}",
	summary: "Revoke a signing secret",
	access: member("org:webhooks:write"),
	request: { path: z.object({ webhook_id: z.uuid().toLowerCase(), signing_key_id: z.uuid().toLowerCase() }) },
	response: null,
	errors: ["NOT_FOUND", "LAST_SIGNING_KEY"],
	async handle({ path, caller: { organizationId } }, services) {
		const { db, now } = services;
		const { endpoint, keys } = await db.read({
			endpoint: first(findEndpoint(db.orm, organizationId, path.webhook_id)),
			keys: activeKeysOf(db.orm, organizationId, path.webhook_id, now),
		});
		const key = keys.find(({ id }) => id === path.signing_key_id);
		if (!endpoint || !key) throw new ApiError("NOT_FOUND");
		const active = endpoint.status === "ACTIVE";
		if (active && keys.every(({ id, expiresAt }) => id === key.id || expiresAt !== null)) throw new ApiError("LAST_SIGNING_KEY");
		return services.commit(
			[
				guarded(
					db.orm
						.update(webhookSigningKeys)
						.set({ revokedAt: now })
						.where(and(eq(webhookSigningKeys.id, key.id), isNull(webhookSigningKeys.revokedAt))),
				),
				guarded(
					db.orm
						.update(webhookEndpoints)
						.set({ status: endpoint.status })
						.where(and(eq(webhookEndpoints.id, endpoint.id), eq(webhookEndpoints.status, endpoint.status))),
				),
				orWrongKeyCount(endpoint.id, { lasting: active ? 1 : 0, most: MAX_ACTIVE_KEYS }, now),
			],
			undefined,
		);
	},
});
