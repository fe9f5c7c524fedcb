// What may be registered as a trusted issuer, and what the issuer says of itself.

import { isKeySetAddress } from "../../../runtime/config";
import { type Discovery, KeysUnavailable } from "../../../runtime/ports";
import type { IssuerPatch } from "../../../runtime/registered-issuer";
import type { Services } from "../../../runtime/services";
import { badInput } from "../../../shared/errors";
import { isLoopback } from "../../../shared/origin";
import { faultOfTestIssuer, type RegisteredKind, TEST_ISSUER, type TrustedIssuer } from "../../../shared/trusted-issuer";
import { isRegistrable } from "./own.plan";

/** Throws `InvalidInput` for settings that do not fit this service. */
export async function checkIssuer(
	{ config, db, providers }: Services,
	{ kind, jwks_uri: uri, resource_access_provider }: IssuerPatch & { kind?: RegisteredKind },
): Promise<void> {
	if (kind !== undefined && !isRegistrable(config, kind)) {
		throw badInput("kind", "belongs in TRUSTED_ISSUERS, not in the registry", "NOT_ALLOWED");
	}
	if (resource_access_provider === "openfga" && config.OPENFGA_URL === undefined) {
		throw badInput("resource_access_provider", "is not configured", "NOT_ALLOWED");
	}
	if (typeof uri !== "string") return;
	if (!isKeySetAddress(uri, config.ENVIRONMENT === "local")) {
		throw badInput("jwks_uri", "must be a public HTTPS address", "NOT_PUBLIC_HTTPS");
	}
	await db.runDeferredCheck();
	// A name that does not resolve yet is accepted: until it does, there are no keys to fetch.
	if (!isLoopback(uri) && (await providers.nameResolver.judge(new URL(uri).hostname)) === "PRIVATE") {
		throw badInput("jwks_uri", "resolves to an address that is not public", "NOT_PUBLIC_HTTPS");
	}
}

/** Throws `InvalidInput` for a test issuer that may not be one. */
export function checkTestIssuer({ config }: Services, settings: TrustedIssuer): void {
	const found = faultOfTestIssuer(settings, config.ENVIRONMENT);
	if (found) throw badInput(found.setting, found.fault, "NOT_ALLOWED");
}

/** What the issuer says of itself, where its keys are not registered. Throws `InvalidInput` if it says nothing that can be used. */
export async function discover(
	{ db, providers }: Services,
	{ issuer, kind, jwks, jwks_uri }: Pick<TrustedIssuer, "issuer" | "kind" | "jwks" | "jwks_uri">,
): Promise<Discovery | undefined> {
	if (jwks || jwks_uri !== undefined || kind === TEST_ISSUER) return undefined;
	await db.runDeferredCheck();
	return providers.keySets.discover(issuer).catch((error: unknown) => {
		if (!(error instanceof KeysUnavailable)) throw error;
		const why = `has no configuration that can be used at /.well-known/openid-configuration (${error.message}): send jwks_uri or jwks`;
		throw badInput("issuer", why, "NOT_ALLOWED");
	});
}
