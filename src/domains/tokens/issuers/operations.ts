// The registry of trusted issuers, for platforms with more partners than TRUSTED_ISSUERS can hold.

import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { guarded } from "../../../db/guards";
import { operator } from "../../../http/access";
import { operation } from "../../../http/operation";
import { Links, listReply, paging, readPage } from "../../../http/paging";
import { isKeySetAddress, isLoopback } from "../../../runtime/config";
import type { Services } from "../../../runtime/services";
import { IssuerPatch, RegisteredIssuer, TrustedIssuer } from "../../../runtime/trusted-issuer";
import { ApiError, badInput } from "../../../shared/errors";
import { toTimestamp } from "../../../shared/time";
import { trustedIssuers } from "../table";
import { forgetIssuer, isReservedIssuer } from "./store";

type Row = typeof trustedIssuers.$inferSelect;

const toRegisteredIssuer = (row: Row): z.input<typeof RegisteredIssuer> => ({
	...row.settings,
	id: row.id,
	created_at: toTimestamp(row.createdAt),
	updated_at: toTimestamp(row.updatedAt),
});

const ById = z.object({ id: z.uuid().toLowerCase() });

const find = (services: Services, id: string) =>
	services.db.read(services.db.orm.select().from(trustedIssuers).where(eq(trustedIssuers.id, id)));

const ONE_KIND_AN_AUDIENCE = [
	[trustedIssuers.issuer, trustedIssuers.audience],
	new ApiError("INVALID_STATE", { description: "Each kind of an issuer needs an audience of its own" }),
] as const;

async function checkFit({ config, db, providers }: Services, { jwks_uri: uri, resource_access_provider }: IssuerPatch): Promise<void> {
	if (resource_access_provider === "openfga" && config.OPENFGA_URL === undefined) {
		throw badInput("resource_access_provider", "is not configured", "NOT_ALLOWED");
	}
	if (uri === undefined) return;
	if (!isKeySetAddress(uri, config.ENVIRONMENT === "local")) {
		throw badInput("jwks_uri", "must be a public HTTPS address", "NOT_PUBLIC_HTTPS");
	}
	await db.runDeferredCheck();
	// A name that does not resolve yet is accepted: until it does, there are no keys to fetch.
	if (!isLoopback(uri) && (await providers.nameResolver.judge(new URL(uri).hostname)) === "PRIVATE") {
		throw badInput("jwks_uri", "resolves to an address that is not public", "NOT_PUBLIC_HTTPS");
	}
}

export const createIssuer = operation({
	id: "createIssuer",
	method: "POST",
	path: "/v1/platform/issuers",
	summary: "Register a trusted issuer",
	access: operator,
	home: "directory",
	request: { body: TrustedIssuer },
	response: RegisteredIssuer,
	status: 201,
	errors: ["INVALID_STATE"],
	async handle({ body }, services) {
		await checkFit(services, body);
		if (isReservedIssuer(services, body.issuer)) {
			throw new ApiError("INVALID_STATE", { description: "This issuer is set by the service's configuration" });
		}
		const { now } = services;
		const row: Row = {
			id: services.newId(),
			issuer: body.issuer,
			kind: body.kind,
			audience: body.audience,
			settings: body,
			createdAt: now,
			updatedAt: now,
		};
		const answer = await services.commit([services.db.orm.insert(trustedIssuers).values(row)], toRegisteredIssuer(row), {
			unique: [[[trustedIssuers.issuer, trustedIssuers.kind], "INVALID_STATE"], ONE_KIND_AN_AUDIENCE],
		});
		forgetIssuer(row.issuer);
		return answer;
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
			select: (orm) => orm.select().from(trustedIssuers).$dynamic(),
			key: {
				at: trustedIssuers.createdAt,
				id: trustedIssuers.id,
				of: (row: Row) => [row.createdAt, row.id] as const,
				order: "newest",
			},
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
		const [[row]] = await find(services, path.id);
		if (!row) throw new ApiError("NOT_FOUND");
		return toRegisteredIssuer(row);
	},
});

export const updateIssuer = operation({
	id: "updateIssuer",
	method: "PATCH",
	path: "/v1/platform/issuers/{id}",
	summary: "Change a registered issuer",
	description: "Takes effect everywhere within a minute. A new `jwks` replaces `jwks_uri` and the other way round.",
	access: operator,
	home: "directory",
	request: { path: ById, body: IssuerPatch },
	response: RegisteredIssuer,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, body }, services) {
		if (body.jwks && body.jwks_uri) throw badInput("jwks_uri", "exactly one of jwks and jwks_uri", "MUTUALLY_EXCLUSIVE");
		await checkFit(services, body);
		const { orm } = services.db;
		const [[row]] = await find(services, path.id);
		if (!row) throw new ApiError("NOT_FOUND");
		const settings = patched(row.settings, body);
		const changed: Row = { ...row, settings, audience: settings.audience, updatedAt: Math.max(services.now, row.updatedAt + 1) };
		const answer = await services.commit(
			[
				guarded(
					orm
						.update(trustedIssuers)
						.set({ settings, audience: settings.audience, updatedAt: changed.updatedAt })
						.where(and(eq(trustedIssuers.id, row.id), eq(trustedIssuers.updatedAt, row.updatedAt))),
				),
			],
			toRegisteredIssuer(changed),
			{ unique: [ONE_KIND_AN_AUDIENCE] },
		);
		forgetIssuer(row.issuer);
		return answer;
	},
});

function patched(settings: TrustedIssuer, patch: IssuerPatch): TrustedIssuer {
	const { jwks, jwks_uri, organization_id, ...rest } = patch;
	const kept = { ...settings, ...rest };
	if (jwks || jwks_uri) {
		delete kept.jwks;
		delete kept.jwks_uri;
	}
	if (organization_id === null) delete kept.organization_id;
	return { ...kept, ...(jwks && { jwks }), ...(jwks_uri && { jwks_uri }), ...(organization_id && { organization_id }) };
}

export const deleteIssuer = operation({
	id: "deleteIssuer",
	method: "DELETE",
	path: "/v1/platform/issuers/{id}",
	summary: "Stop trusting an issuer",
	description: "Its users and their identities stay. Takes effect everywhere within a minute.",
	access: operator,
	home: "directory",
	request: { path: ById },
	response: null,
	errors: ["NOT_FOUND"],
	async handle({ path }, services) {
		const [[row]] = await find(services, path.id);
		if (!row) throw new ApiError("NOT_FOUND");
		const answer = await services.commit([services.db.orm.delete(trustedIssuers).where(eq(trustedIssuers.id, row.id))], undefined);
		forgetIssuer(row.issuer);
		return answer;
	},
});
