// The issuers whose tokens are taken, and from whom: configuration, and in `local` the sandbox's own.

import type { Config } from "../../config";
import type { IssuerKind, TrustedIssuer } from "./issuer.wire";
import { publicJwk } from "./service-token";

/** The embedded issuer of `local`; its tokens name their kind in `token_kind`, because one issuer stands for all four. */
export const SANDBOX_ISSUER = "https://sandbox.issuer.local";

export function sandboxIssuer(config: Config, kind: IssuerKind): TrustedIssuer | undefined {
	if (config.ENVIRONMENT !== "local") return undefined;
	return {
		issuer: SANDBOX_ISSUER,
		kind,
		audience: "financial-account-service",
		jwks: { keys: config.SERVICE_KEYS.keys.map(publicJwk) },
		algorithms: ["RS256"],
		auto_admit: false,
		may_assert_user_ids: kind === "identity",
		max_lifetime_seconds: 86_400,
		single_use: false,
		resource_access_provider: "embedded",
	};
}

/** The trusted issuer of this name and kind. */
export function findIssuer(config: Config, issuer: string, kind: IssuerKind): TrustedIssuer | undefined {
	if (issuer === SANDBOX_ISSUER) return sandboxIssuer(config, kind);
	return config.TRUSTED_ISSUERS.find((entry) => entry.issuer === issuer && entry.kind === kind);
}
