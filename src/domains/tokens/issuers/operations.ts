// The registry of trusted issuers, for platforms with more partners than TRUSTED_ISSUERS can hold.

import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { guarded } from "../../../db/guards";
import { byCreation, rowsOf } from "../../../db/keyset";
import { first } from "../../../db/reads";
import { stopAlone } from "../../../http/amount-windows";
import { alone, byBody, held, isOnly, type OperatorCaller, operator } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { Links, listReply, paging, readPage } from "../../../http/paging";
import { IssuerPatch, RegisteredIssuer } from "../../../runtime/registered-issuer";
import type { Services } from "../../../runtime/services";
import { ApiError, badInput, invalidState } from "../../../shared/errors";
import { toTimestamp } from "../../../shared/time";
import { ASSERTS_WITHIN, DEFAULT_ALGORITHMS, namesItsUsers, TrustedIssuer } from "../../../shared/trusted-issuer";
import { trustedIssuers } from "../table";
import { forgetIssuer } from "./cache";
import { isReservedIssuer } from "./own.plan";
import { IF_INDISTINCT, type IssuerRow, RESERVED_ISSUER, refuseUnlessDistinct, registration } from "./plan";
import { checkIssuer, checkTestIssuer, discover } from "./procedure";

const REGISTERED = invalidState("The issuer is registered already, for this kind of token: change that entry");
const ONE_KIND_AN_AUDIENCE = [
	[trustedIssuers.issuer, trustedIssuers.audience],
	new ApiError("INVALID_STATE", { description: "Each kind of an issuer needs an audience of its own" }),
] as const;

const toRegisteredIssuer = (row: IssuerRow): z.input<typeof RegisteredIssuer> => ({
	algorithms: [...DEFAULT_ALGORITHMS],
	...row.settings,
	id: row.id,
	created_at: toTimestamp(row.createdAt),
	updated_at: toTimestamp(row.updatedAt),
});

const ById = z.object({ id: z.uuid().toLowerCase() });

const find = (services: Services, id: string) =>
	services.db.read(first(services.db.orm.select().from(trustedIssuers).where(eq(trustedIssuers.id, id))));

export const createIssuer = operation({
	id: "createIssuer",
	method: "POST",
	path: "/v1/platform/issuers",
	summary: "Register a trusted issuer",
	description:
		"Its URL is enough for a provider of OpenID Connect: where its keys are and how it signs is in its own configuration, which is read now, and again every ten minutes while its tokens come.",
	access: held(operator),
	home: "directory",
	request: { body: TrustedIssuer },
	response: RegisteredIssuer,
	status: 201,
	errors: ["INVALID_STATE"],
	async judge({ body }, services) {
		checkTestIssuer(services, body);
		await checkIssuer(services, body);
		await discover(services, body);
	},
	async handle({ body }, services) {
		checkTestIssuer(services, body);
		await checkIssuer(services, body);
		if (isReservedIssuer(services, body.issuer)) throw new ApiError("INVALID_STATE", { description: RESERVED_ISSUER });
		const discovered = await discover(services, body);
		// The record decides, not the token: what the issuer signs with later than today is not accepted by itself.
		const { algorithms = [...(discovered?.algorithms ?? DEFAULT_ALGORITHMS)] } = body;
		const { row, writes } = registration(services, { ...body, algorithms });
		const answer = {
			...toRegisteredIssuer(row),
			...(discovered && { discovered: { ...discovered, algorithms: [...discovered.algorithms] } }),
		};
		return services.commit(writes, answer, {
			triggers: IF_INDISTINCT,
			unique: [[[trustedIssuers.issuer, trustedIssuers.kind], REGISTERED], ONE_KIND_AN_AUDIENCE],
		});
	},
});

export const listIssuers = operation({
	id: "listIssuers",
	method: "GET",
	path: "/v1/platform/issuers",
	summary: "Registered issuers, newest first",
	access: operator,
	home: "directory",
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(RegisteredIssuer), links: Links }),
	async handle({ query }, services) {
		const page = await readPage(services, query, {
			list: "issuers",
			owner: "platform",
			filters: {},
			select: rowsOf(trustedIssuers),
			key: byCreation(trustedIssuers),
		});
		return listReply(services, page, toRegisteredIssuer);
	},
});

export const getIssuer = operation({
	id: "getIssuer",
	method: "GET",
	path: "/v1/platform/issuers/{id}",
	summary: "A registered issuer",
	access: operator,
	home: "directory",
	request: { path: ById },
	response: RegisteredIssuer,
	errors: ["NOT_FOUND"],
	async handle({ path }, services) {
		const row = await find(services, path.id);
		if (!row) throw new ApiError("NOT_FOUND");
		return toRegisteredIssuer(row);
	},
});

const isDisabling = (sent: unknown): boolean => isOnly(sent, { disabled: true });
/** Its users cannot sign in any more. */
const stopIssuer = (services: Services, caller: OperatorCaller) =>
	stopAlone(services, caller, "issuers", "disable it by a PATCH with another member too, and another operator approves it");

export const updateIssuer = operation({
	id: "updateIssuer",
	method: "PATCH",
	path: "/v1/platform/issuers/{id}",
	summary: "Change a registered issuer",
	description:
		"Takes effect everywhere within a minute. A new `jwks` replaces `jwks_uri` and the other way round; without both the issuer's own configuration says where its keys are.",
	// To stop trusting an issuer nobody waits for a second person.
	access: byBody(operator, (sent) => (isDisabling(sent) ? "ALONE" : "HELD")),
	home: "directory",
	request: { path: ById, body: IssuerPatch },
	response: RegisteredIssuer,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	judge: ({ body }, services) => checkIssuer(services, body),
	async handle({ path, body, caller }, services) {
		if (body.jwks && body.jwks_uri) throw badInput("jwks_uri", "cannot be sent together with jwks", "MUTUALLY_EXCLUSIVE");
		await checkIssuer(services, body);
		const { orm } = services.db;
		const row = await find(services, path.id);
		if (!row) throw new ApiError("NOT_FOUND");
		const settings = patched(row.settings, body);
		checkTestIssuer(services, settings);
		if (body.jwks_uri === null) await discover(services, settings);
		if (!namesItsUsers(settings)) throw badInput("organization_id", ASSERTS_WITHIN, "REQUIRED");
		const changed: IssuerRow = { ...row, settings, audience: settings.audience, updatedAt: Math.max(services.now, row.updatedAt + 1) };
		const alone = isDisabling(body) && !row.settings.disabled ? stopIssuer(services, caller) : undefined;
		const answer = await services.commit(
			[
				...(alone?.writes ?? []),
				...((body.audience_claim ?? body.audience ?? body.other_audiences) ? [refuseUnlessDistinct(settings)] : []),
				guarded(
					orm
						.update(trustedIssuers)
						.set({ settings, audience: settings.audience, updatedAt: changed.updatedAt })
						.where(and(eq(trustedIssuers.id, row.id), eq(trustedIssuers.updatedAt, row.updatedAt))),
				),
			],
			toRegisteredIssuer(changed),
			{ unique: [ONE_KIND_AN_AUDIENCE], triggers: IF_INDISTINCT, overQuota: alone?.overQuota },
		);
		forgetIssuer(row.issuer);
		return answer;
	},
});

function patched(settings: TrustedIssuer, patch: IssuerPatch): TrustedIssuer {
	const { jwks: _, jwks_uri: __, ...withoutKeys } = settings;
	const merged = { ...(patch.jwks || patch.jwks_uri ? withoutKeys : settings), ...patch };
	// null takes a setting away.
	return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null && value !== undefined)) as TrustedIssuer;
}

export const deleteIssuer = operation({
	id: "deleteIssuer",
	method: "DELETE",
	path: "/v1/platform/issuers/{id}",
	summary: "Stop trusting an issuer",
	description: "Its users and their identities stay. Takes effect everywhere within a minute.",
	access: alone(operator),
	home: "directory",
	request: { path: ById },
	response: null,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, caller }, services) {
		const row = await find(services, path.id);
		if (!row) throw new ApiError("NOT_FOUND");
		const { writes, overQuota } = row.settings.disabled ? { writes: [] } : stopIssuer(services, caller);
		const gone = services.db.orm.delete(trustedIssuers).where(eq(trustedIssuers.id, row.id));
		const answer = await services.commit([...writes, gone], undefined, { overQuota });
		forgetIssuer(row.issuer);
		return answer;
	},
});
