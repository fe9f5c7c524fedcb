// What may be registered as a trusted issuer, and the writes that register it.

import { eq } from "drizzle-orm";
import { effect, type Orm, type Write } from "../../../db/database";
import { isKeySetAddress, isLoopback } from "../../../runtime/config";
import type { IssuerPatch } from "../../../runtime/registered-issuer";
import type { CommitOptions, Services } from "../../../runtime/services";
import type { TrustedIssuer } from "../../../runtime/trusted-issuer";
import { badInput } from "../../../shared/errors";
import { trustedIssuers } from "../table";
import { forgetIssuer } from "./store";

export type IssuerRow = typeof trustedIssuers.$inferSelect;

/** Why a reserved name is refused. */
export const RESERVED_ISSUER = "This issuer is set by the service's configuration";

/** Throws `InvalidInput` for settings that do not fit this service. */
export async function checkIssuer(
	{ config, db, providers }: Services,
	{ jwks_uri: uri, resource_access_provider }: IssuerPatch,
): Promise<void> {
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

/** Every registered kind of an issuer. */
export const findRegistered = (orm: Orm, issuer: string) => orm.select().from(trustedIssuers).where(eq(trustedIssuers.issuer, issuer));

type Registration = { readonly row: IssuerRow; readonly writes: readonly Write[]; readonly options: CommitOptions };

/** Registers the issuer; the writes belong in a commit in the directory. With `options` the commit is stale if it is registered already. */
export function registration({ db, now, newId }: Services, settings: TrustedIssuer): Registration {
	const { issuer, kind, audience } = settings;
	const row = { id: newId(), issuer, kind, audience, settings, createdAt: now, updatedAt: now };
	return {
		row,
		writes: [effect([db.orm.insert(trustedIssuers).values(row)], () => forgetIssuer(issuer))],
		options: {
			unique: [
				[[trustedIssuers.issuer, trustedIssuers.kind], "STALE"],
				[[trustedIssuers.issuer, trustedIssuers.audience], "STALE"],
			],
		},
	};
}
