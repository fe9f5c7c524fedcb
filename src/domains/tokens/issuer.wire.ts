// A trusted issuer as operators write it, in TRUSTED_ISSUERS and in /v1/platform/issuers alike.

import * as z from "zod";

export const ISSUER_KINDS = ["partner", "phone", "identity", "operator"] as const;
export type IssuerKind = (typeof ISSUER_KINDS)[number];

/** Asymmetric algorithms alone: with HS* a public key would be the secret. */
export const ALGORITHMS = ["RS256", "ES256", "EdDSA"] as const;

const PublicJwk = z
	.looseObject({ kty: z.enum(["RSA", "EC", "OKP"]), kid: z.string().max(200).optional() })
	.refine((jwk) => !("d" in jwk) && !("k" in jwk), "must be a public key");

export const TrustedIssuer = z
	.strictObject({
		issuer: z.string().min(1).max(255),
		kind: z.enum(ISSUER_KINDS),
		audience: z.string().min(1).max(255).default("financial-account-service"),
		jwks_uri: z
			.url({ protocol: /^https?$/ })
			.max(2048)
			.optional(),
		jwks: z.strictObject({ keys: z.array(PublicJwk).min(1).max(20) }).optional(),
		algorithms: z.array(z.enum(ALGORITHMS)).min(1).default(["RS256"]),
		organization_id: z.string().min(1).max(255).optional(),
		auto_admit: z.boolean().default(false),
		may_assert_user_ids: z.boolean().default(false),
		max_lifetime_seconds: z.int().positive().max(86_400).default(900),
		single_use: z.boolean().default(false),
		resource_access_provider: z.enum(["embedded", "openfga"]).default("embedded"),
	})
	.refine((issuer) => (issuer.jwks === undefined) !== (issuer.jwks_uri === undefined), {
		message: "exactly one of jwks and jwks_uri",
		path: ["jwks_uri"],
	});

export type TrustedIssuer = z.output<typeof TrustedIssuer>;
