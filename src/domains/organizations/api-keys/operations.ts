// The API keys of an organization. A key may what its maker may, now: it loses what they lose, and works for nobody once they have left,
// until another member adopts it.

import { and, eq, isNull } from "drizzle-orm";
import * as z from "zod";
import { guarded } from "../../../db/guards";
import { byCreation, rowsOf } from "../../../db/keyset";
import { first } from "../../../db/reads";
import { raise } from "../../../events/raise";
import { alone, freshly, held, memberOfPath, type OrganizationCaller, organizationPath } from "../../../http/callers/access";
import { mintApiKey } from "../../../http/callers/api-key";
import { operation } from "../../../http/operation";
import { Links, listReply, paging, readPage } from "../../../http/paging";
import type { Config } from "../../../runtime/config";
import { list } from "../../../shared/bounded";
import { sha256Hex } from "../../../shared/bytes";
import { ApiError, badInput } from "../../../shared/errors";
import { type Role, roleHolds, SCOPES, type Scope } from "../../../shared/permissions";
import { isShown, MUST_BE_SHOWN } from "../../../shared/shown-text";
import { Instant } from "../../../shared/timestamp";
import { apiKeyCreated, apiKeyRevoked } from "../events";
import { findOwners, noticesToOwners } from "../notices.plan";
import { personBehind } from "../person.procedure";
import { adoptKey, countApiKeys, findApiKey, findMaker, MAX_API_KEYS, orTooManyApiKeys, revokeApiKey, setDailyAmount } from "../store";
import { apiKeys } from "../table";
import { ApiKey, IssuedApiKey, toApiKey } from "./wire";

const access = memberOfPath("org:api-keys:write");
const ofKey = organizationPath.extend({ id: z.uuid().toLowerCase() });

const eventData = (key: { id: string; name: string; maskedKey: string }) => ({
	api_key_id: key.id,
	name: key.name,
	masked_key: key.maskedKey,
});

const DailyAmount = z.int().min(0);

function refuseAbove({ API_KEY_DAILY_AMOUNT: most }: Config, amount: number | undefined): void {
	if (amount !== undefined && amount > most) throw badInput("daily_amount", `must be at most ${most}`, "OUT_OF_RANGE");
}

export const createApiKey = operation({
	id: "createApiKey",
	method: "POST",
	path: "/v1/organizations/{organizationId}/api-keys",
	summary: "Create an API key",
	access: freshly(access),
	request: {
		path: organizationPath,
		body: z.strictObject({
			name: z.string().trim().min(1).max(100).refine(isShown, MUST_BE_SHOWN),
			scopes: list(z.enum(SCOPES), { min: 1, max: SCOPES.length })
				.refine((scopes) => new Set(scopes).size === scopes.length, {
					message: "must not repeat a scope",
					params: { sub_code: "DUPLICATE" },
				})
				.meta({ uniqueItems: true }),
			daily_amount: DailyAmount.optional().meta({
				description: "How much the key may move in a day, in minor units; at most API_KEY_DAILY_AMOUNT, which is the default",
			}),
			expires_at: Instant.optional().meta({ description: "When the key stops working; without it, the key never expires" }),
		}),
	},
	response: IssuedApiKey,
	status: 201,
	shownOnce: ["key"],
	errors: ["TOO_MANY_API_KEYS"],
	async handle({ caller, body }, services) {
		const { now } = services;
		const expiresAt = body.expires_at ?? null;
		if (expiresAt !== null && expiresAt <= now) throw badInput("expires_at", "must be in the future", "OUT_OF_RANGE");
		refuseAbove(services.config, body.daily_amount);
		const { orm } = services.db;
		const { existing, actor, owners } = await services.db.read({
			existing: first(countApiKeys(orm, caller.organizationId)),
			actor: first(findMaker(orm, caller.organizationId, await personBehind(services, caller))),
			owners: findOwners(orm, caller.organizationId),
		});
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
			dailyAmount: body.daily_amount ?? null,
			createdAt: now,
			expiresAt,
			lastUsedAt: null,
			revokedAt: null,
		};
		const told = await noticesToOwners(services, owners, { key: "API_KEY_ADDED", values: { key: row.maskedKey } });
		const answer = await services.commit(
			[
				services.db.orm.insert(apiKeys).values(row),
				orTooManyApiKeys(caller.organizationId),
				raise(services, apiKeyCreated, { organizationId: row.organizationId, entityId: id, data: eventData(row) }),
				...told.writes,
			],
			{ ...toApiKey(row, services.config), key },
		);
		await told.carry(services);
		return answer;
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
	request: { path: organizationPath, query: z.object(paging) },
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
		return listReply(services, page, (row) => toApiKey(row, services.config));
	},
});

export const deleteApiKey = operation({
	id: "deleteApiKey",
	method: "DELETE",
	path: "/v1/organizations/{organizationId}/api-keys/{id}",
	summary: "Revoke an API key, immediately and permanently",
	access: alone(access),
	request: { path: ofKey },
	response: null,
	errors: ["NOT_FOUND"],
	async handle({ caller, path }, services) {
		const { orm } = services.db;
		const key = await services.db.read(first(findApiKey(orm, caller.organizationId, path.id)));
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

export const updateApiKey = operation({
	id: "updateApiKey",
	method: "PATCH",
	path: "/v1/organizations/{organizationId}/api-keys/{id}",
	summary: "Change how much an API key may move in a day",
	description: "Members set at most API_KEY_DAILY_AMOUNT, operators more too.",
	access: held(access),
	request: { path: ofKey, body: z.strictObject({ daily_amount: DailyAmount }) },
	response: ApiKey,
	errors: ["NOT_FOUND"],
	async handle({ caller, path, body }, services) {
		const { db, config } = services;
		if (caller.kind === "member") refuseAbove(config, body.daily_amount);
		const key = await db.read(first(findApiKey(db.orm, caller.organizationId, path.id)));
		if (!key) throw new ApiError("NOT_FOUND");
		const after = { ...key, dailyAmount: body.daily_amount };
		return services.commit([guarded(setDailyAmount(db.orm, key.id, after.dailyAmount))], toApiKey(after, config));
	},
});

export const adoptApiKey = operation({
	id: "adoptApiKey",
	method: "POST",
	path: "/v1/organizations/{organizationId}/api-keys/{id}/adopt",
	summary: "Take over an API key: it has the caller's powers from then on",
	description: "For the keys of members who leave, or have lost a role. The caller must hold all scopes of the key.",
	access: freshly(access),
	request: { path: ofKey },
	response: ApiKey,
	errors: ["NOT_FOUND"],
	async handle({ caller, path }, services) {
		const { db, config } = services;
		const { organizationId } = caller;
		const { key, actor } = await db.read({
			key: first(findApiKey(db.orm, organizationId, path.id)),
			actor: first(findMaker(db.orm, organizationId, await personBehind(services, caller))),
		});
		if (!key) throw new ApiError("NOT_FOUND");
		const person = requireScopes(caller, actor, key.scopes as Scope[]);
		if (key.createdBy === person) return toApiKey(key, config);
		return services.commit([guarded(adoptKey(db.orm, key, person))], toApiKey({ ...key, createdBy: person }, config));
	},
});
