// What is wrong between the entries of TRUSTED_ISSUERS, and between them and the rest of the configuration.

import { faultOfTestIssuer, shareAudience, TEST_ISSUER, type TrustedIssuer } from "../shared/trusted-issuer";

type Variables = { readonly ENVIRONMENT: string; readonly TRUSTED_ISSUERS: readonly TrustedIssuer[] };

/** @param isPublic whether keys may be fetched at the address */
export function* faultsOfIssuers(
	{ ENVIRONMENT, TRUSTED_ISSUERS: issuers }: Variables,
	isPublic: (uri: string) => boolean,
): Generator<string> {
	for (const [index, issuer] of issuers.entries()) {
		const others = issuers.filter((other) => other.issuer === issuer.issuer && other.kind !== issuer.kind);
		if (others.some((other) => shareAudience(other, issuer))) yield `entry ${index}: each kind of an issuer needs an audience of its own`;
		if (others.some((other) => other.audience_claim !== issuer.audience_claim))
			yield `entry ${index}: all kinds of an issuer need the same audience_claim`;
		if (ENVIRONMENT === "production" && issuer.kind === "operator" && !issuer.required_amr && !issuer.required_acr)
			yield `entry ${index}: operators need required_amr or required_acr; required_amr [] waives it`;
		const found = faultOfTestIssuer(issuer, ENVIRONMENT);
		if (found) yield `entry ${index}: ${found.setting} ${found.fault}`;
		if (issuer.kind === TEST_ISSUER) continue;
		if (issuer.jwks_uri && !isPublic(issuer.jwks_uri)) yield `entry ${index}: jwks_uri must be a public HTTPS address`;
		if (!issuer.jwks_uri && !issuer.jwks && !isPublic(issuer.issuer))
			yield `entry ${index}: without jwks_uri and jwks, issuer must be a public HTTPS address`;
	}
}
