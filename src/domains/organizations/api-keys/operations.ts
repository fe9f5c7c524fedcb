// The API keys of an organization. A key may what its maker may, now: it loses what they lose, and works for nobody once they have left,
// until another member adopts it.

import { and, eq, isNull } from "drizzle-orm";
import * as z from "zod";
import { guarded } from "../../../db/guards";
import { byCreation, rowsOf } from "../../../db/keyset";
import { raise } from "../../../events/raise";
import { alone, memberOfPath, type OrganizationCaller } from "../../../http/callers/access";
import { mintApiKey } from "../../../http/callers/api-key";
import { operation } from "../../../http/operation";
import { Links, listReply, paging, readPage } from "../../../http/paging";
import { list } from "../../../shared/bounded";
import { sha256Hex } from "../../../shared/bytes";
import { ApiError, badInput } from "../../../shared/errors";
import { type Role, roleHolds, SCOPES, type Scope } from "../../../shared/permissions";
import { Instant } from "../../../shared/timestamp";
import { apiKeyCreated, apiKeyRevoked } from "../events";
import { personBehind } from "../person.procedure";
import { countApiKeys, findApiKey, findMaker, MAX_API_KEYS, orTooManyApiKeys, revokeApiKey } from "../store";
import { apiKeys } from "../table";
import { ApiKey, NewApiKey, toApiKey } from "./wire";

const organizationId = z.string().min(1).max(255);
const access = memberOfPath("org:api-keys:write");

const eventData = (key: { id: string; name: string; maskedKey: string }) => ({
	api_key_id: key.id,
	name: key.name,
	masked_key: key.maskedKey,
});

export const createApiKey = operation({
	id: "createApiKey",
	method: "POST",
	path: "/v1/organizations/{organizationId}/api-keys",
	summary: "Create an API key",
	access,
	request: {
		path: z.object({ organizationId }),
		body: z.strictObject({
			name: z.string().trim().min(1).max(100),
			scopes: list(z.enum(SCOPES), { min: 1, max: SCOPES.length }).refine((scopes) => new Set(scopes).size === scopes.length, {
				message: "must not repeat a scope",
				params: { sub_code: "DUPLICATE" },
			}),
			expires_at: Instant.optional().meta({ description: "When the key stops working; without it, the key never expires" }),
		}),
	},
	response: NewApiKey,
	status: 201,
	shownOnce: ["key"],
	errors: ["TOO_MANY_API_KEYS"],
	async handle({ caller, body }, services) {
		const { now } = services;
		const expiresAt = body.expires_at ?? null;
		if (expiresAt !== null && expiresAt <= now) throw badInput("expires_at", "must be in the future", "OUT_OF_RANGE");
		const { orm } = services.db;
		const [[existing], [actor]] = await services.db.read(
			countApiKeys(orm, caller.organizationId),
			findMaker(orm, caller.organizationId, await personBehind(services, caller)),
		);
		const person = requireScopes(caller, actor, body.scopes);
		if ((existing?.count ?? 0) >= MAX_API_KEYS) throw new ApiError("TOO_MANY_API_KEYS");
		const id = services.newId();
		const key = await mintApiKey(services.config.keyring, caller.organizationId, id);
		const row = {
			id,
			organizationId: caller.organizationId,
			name: body.name,
			hash: await sha256Hex(key),
			maskedKey: `sk_...${key.slice(-4)}`,
			scopes: body.scopes,
			createdBy: person,
			createdAt: now,
			expiresAt,
			lastUsedAt: null,
			revokedAt: null,
		};
		return services.commit(
			[
				services.db.orm.insert(apiKeys).values(row),
				orTooManyApiKeys(caller.organizationId),
				raise(services, apiKeyCreated, { organizationId: row.organizationId, entityId: id, data: eventData(row) }),
			],
			{ ...toApiKey(row), key },
		);
	},
});

type Maker = { person: string; maker: Role | "REMOVED" | "OPERATOR" };

/**
 * The person who makes the key, or is to answer for it. Throws FORBIDDEN unless they hold all of the scopes; a person without a role here
 * holds none, but for operators.
 */
function requireScopes(caller: OrganizationCaller, found: Maker | undefined, scopes: readonly Scope[]): string {
	if (!found) throw new Error("findMaker returned no row");
	const { person, maker } = found;
	const held = (scope: Scope) => (maker === "OPERATOR" ? caller.kind === "operator" : maker !== "REMOVED" && roleHolds(maker, scope));
	const beyond = scopes.find((scope) => !held(scope));
	if (beyond) throw new ApiError("FORBIDDEN", { description: `Your role does not hold the scope ${beyond}` });
	return person;
}

export const listApiKeys = operation({
	id: "listApiKeys",
	method: "GET",
	path: "/v1/organizations/{organizationId}/api-keys",
	summary: "Active API keys of the organization, newest first",
	access,
	reads: "primary",
	request: { path: z.object({ organizationId }), query: z.object(paging) },
	response: z.object({ data: z.array(ApiKey), links: Links }),
	async handle({ caller, query }, services) {
		const page = await readPage(services, query, {
			list: "api-keys",
			owner: caller.organizationId,
			filters: {},
			select: rowsOf(apiKeys),
			key: byCreation(apiKeys),
			where: and(eq(apiKeys.organizationId, caller.organizationId), isNull(apiKeys.revokedAt)),
		});
		return listReply(services, page, toApiKey);
	},
});

export const deleteApiKey = operation({
	id: "deleteApiKey",
	method: "DELETE",
	path: "/v1/organizations/{organizationId}/api-keys/{id}",
	summary: "Revoke an API key, immediately and permanently",
	access: alone(access),
	request: { path: z.object({ organizationId, id: z.uuid().toLowerCase() }) },
	response: null,
	errors: ["NOT_FOUND"],
	async handle({ caller, path }, services) {
		const { orm } = services.db;
		const [[key]] = await services.db.read(findApiKey(orm, caller.organizationId, path.id));
		if (!key) throw new ApiError("NOT_FOUND");
		return services.commit(
			[
				guarded(revokeApiKey(orm, key.id, services.now)),
				raise(services, apiKeyRevoked, { organizationId: key.organizationId, entityId: key.id, data: eventData(key) }),
			],
			undefined,
		);
	},
});
