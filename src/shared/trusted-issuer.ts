// A trusted issuer as operators write it, both in TRUSTED_ISSUERS and in /v1/platform/issuers.

import * as z from "zod";
import { bounded, list } from "./bounded";
import { all, has, is, lacks, when } from "./schema-rules";
import { Slug } from "./slug";

export const ISSUER_KINDS = ["partner", "phone", "identity", "operator"] as const;
export type IssuerKind = (typeof ISSUER_KINDS)[number];

/** An issuer for tests: everybody who asks gets a partner's token of it from this service, which signs them itself. Never in production. */
export const TEST_ISSUER = "sandbox";
export const REGISTERED_KINDS = [...ISSUER_KINDS, TEST_ISSUER] as const;
export type RegisteredKind = (typeof REGISTERED_KINDS)[number];

/** Only asymmetric algorithms: with HS* the public key would be the secret. */
export const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"] as const;
export type Algorithm = (typeof ALGORITHMS)[number];
/** Of an issuer whose keys are registered without the algorithms. */
export const DEFAULT_ALGORITHMS: readonly Algorithm[] = ["RS256"];

export const MAX_ISSUER_NAME = 255;

/** As of every amount of the configuration. */
const MAX_UNCODED = 9_999_999_999_999;

/** Members of private and symmetric keys (RFC 7518, section 6). */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] as const;

const PublicJwk = z
	.looseObject({ kty: z.enum(["RSA", "EC", "OKP"]), kid: z.string().max(200).optional() })
	.refine((jwk) => !PRIVATE_MEMBERS.some((member) => member in jwk), "must be a public key");

/** As in `amr` and `acr`. It can stand in a header between quotation marks. */
const AuthenticationName = z.string().regex(/^[!#-[\]-~]{1,255}$/, "must be 1 to 255 printable ASCII characters without spaces and quotes");

/** The name of a claim, and a value of one as a text. */
const Named = z.string().min(1).max(255);

export const AUDIENCE_CLAIMS = ["aud", "azp", "client_id"] as const;

export const issuerSettings = {
	audience: z.string().min(1).max(255),
	other_audiences: list(z.string().min(1).max(255), { min: 1, max: 10 }).meta({
		description: "A token's audience may be one of these as well, for example of a second app. Each kind of an issuer has its own",
	}),
	audience_claim: z.enum(AUDIENCE_CLAIMS).meta({
		description:
			"The claim that is `audience`, or holds it: `azp` or `client_id` for an issuer whose tokens have no `aud`. All kinds of an issuer have the same",
	}),
	required_claims: bounded(z.record(Named, list(Named, { min: 1, max: 20 })), 10).meta({
		description:
			'For each of these claims the texts of which a token\'s must be one, or hold one; true and false are `true` and `false`. For example `{"hd": ["acme.com"]}`',
	}),
	emails_are_verified: z.boolean().meta({ description: "Every `email` of its tokens is proven, also without `email_verified`" }),
	phone_numbers_are_verified: z
		.boolean()
		.meta({ description: "Every `phone_number` of its tokens is proven, also without `phone_number_verified`" }),
	ignores_org_id: z.boolean().meta({ description: "`org_id` in its tokens is the issuer's own, and no organization of this service" }),
	jwks_uri: z
		.url({ protocol: /^https?$/ })
		.max(2048)
		.meta({ description: "Without it and `jwks`, the keys are where `<issuer>/.well-known/openid-configuration` says" }),
	jwks: z.strictObject({ keys: list(PublicJwk, { min: 1, max: 20 }) }),
	algorithms: list(z.enum(ALGORITHMS), { min: 1, max: ALGORITHMS.length }).meta({
		description: "By default RS256 of keys that are registered, else those of the issuer's own configuration",
	}),
	organization_id: z
		.union([z.uuid(), Slug])
		.meta({ description: "Home organization of new users: an id, or a slug, created on first use" }),
	auto_admit: z.boolean(),
	may_assert_user_ids: z.boolean(),
	max_lifetime_seconds: z.int().positive().max(86_400),
	max_session_seconds: z
		.int()
		.positive()
		.max(90 * 86_400)
		.meta({ description: "How long a session may last that began with an exchanged identity token" }),
	may_assert_phone_numbers: z.boolean().meta({
		description: "A verified `phone_number` becomes that of a user who has none, at the exchange, unless somebody has it",
	}),
	single_use: z.boolean(),
	resource_access_provider: z.enum(["embedded", "openfga"]),
	required_amr: list(AuthenticationName, { max: 20 }).meta({
		description: "A token's `amr` must hold one of these; an empty list demands none",
	}),
	required_acr: list(AuthenticationName, { min: 1, max: 20 }).meta({ description: "A token's `acr` must be one of these" }),
	max_authentication_age_seconds: z
		.int()
		.positive()
		.max(30 * 86_400)
		.meta({ description: "How old a token's `auth_time` may be" }),
	uncoded_amount_per_day: z.int().min(0).max(MAX_UNCODED).meta({
		description:
			"The amount that its users together may transfer in a day without one-time passwords, in minor units. By default a hundred times TRANSFER_OTP_ABOVE",
	}),
	disabled: z.boolean().meta({ description: "Its tokens are refused with UNAUTHORISED while this is set" }),
};

type Audiences = { readonly audience: string; readonly other_audiences?: readonly string[] | undefined };
export const audiencesOf = ({ audience, other_audiences = [] }: Audiences): readonly string[] => [audience, ...other_audiences];
/** If two kinds of an issuer did, every customer's token could be an operator's too. */
export const shareAudience = (one: Audiences, other: Audiences): boolean =>
	audiencesOf(one).some((audience) => audiencesOf(other).includes(audience));

/** An issuer whose subjects may be users' ids speaks for the users of one organization only. */
export const namesItsUsers = ({
	may_assert_user_ids,
	organization_id,
}: {
	may_assert_user_ids: boolean;
	organization_id?: string | undefined;
}) => !may_assert_user_ids || organization_id !== undefined;

export const ASSERTS_WITHIN = "is required with may_assert_user_ids";

const ASSERTING_WITHIN = when(is("may_assert_user_ids", true), has("organization_id"));

export const TrustedIssuer = z
	.strictObject({
		issuer: z.string().min(1).max(MAX_ISSUER_NAME),
		kind: z
			.enum(REGISTERED_KINDS)
			.meta({ description: "`sandbox`: anybody gets its tokens at POST /v1/sandbox/tokens; not in production" }),
		audience: issuerSettings.audience.default("financial-account-service"),
		other_audiences: issuerSettings.other_audiences.optional(),
		audience_claim: issuerSettings.audience_claim.default("aud"),
		required_claims: issuerSettings.required_claims.optional(),
		emails_are_verified: issuerSettings.emails_are_verified.default(false),
		phone_numbers_are_verified: issuerSettings.phone_numbers_are_verified.default(false),
		ignores_org_id: issuerSettings.ignores_org_id.default(false),
		jwks_uri: issuerSettings.jwks_uri.optional(),
		jwks: issuerSettings.jwks.optional(),
		algorithms: issuerSettings.algorithms.optional(),
		organization_id: issuerSettings.organization_id.optional(),
		auto_admit: issuerSettings.auto_admit.default(false),
		may_assert_user_ids: issuerSettings.may_assert_user_ids.default(false),
		max_lifetime_seconds: issuerSettings.max_lifetime_seconds.default(3_600),
		max_session_seconds: issuerSettings.max_session_seconds.default(12 * 3600),
		may_assert_phone_numbers: issuerSettings.may_assert_phone_numbers.default(false),
		single_use: issuerSettings.single_use.default(false),
		resource_access_provider: issuerSettings.resource_access_provider.default("embedded"),
		required_amr: issuerSettings.required_amr.optional(),
		required_acr: issuerSettings.required_acr.optional(),
		max_authentication_age_seconds: issuerSettings.max_authentication_age_seconds.optional(),
		uncoded_amount_per_day: issuerSettings.uncoded_amount_per_day.optional(),
		disabled: issuerSettings.disabled.default(false),
	})
	.refine(namesItsUsers, { message: ASSERTS_WITHIN, path: ["organization_id"] })
	.refine((issuer) => issuer.jwks === undefined || issuer.jwks_uri === undefined, {
		message: "send at most one of jwks and jwks_uri",
		path: ["jwks_uri"],
	})
	.overwrite((issuer) => (issuer.jwks || issuer.jwks_uri !== undefined ? { algorithms: [...DEFAULT_ALGORITHMS], ...issuer } : issuer))
	.meta({ id: "TrustedIssuerInput", ...when(has("jwks"), all(lacks("jwks_uri"), ASSERTING_WITHIN), ASSERTING_WITHIN) });

export type TrustedIssuer = z.output<typeof TrustedIssuer>;

type Settings = Omit<TrustedIssuer, "audience_claim"> & { readonly audience_claim?: TrustedIssuer["audience_claim"] };

/** What a test issuer must not have, because anybody gets its tokens, or must have: the setting, and what is wrong with it. */
export function faultOfTestIssuer(issuer: Settings, environment: string): { readonly setting: string; readonly fault: string } | undefined {
	if (issuer.kind !== TEST_ISSUER) return undefined;
	if (environment === "production") return { setting: "kind", fault: "sandbox is of test issuers, which production does not have" };
	if (issuer.organization_id === undefined) return { setting: "organization_id", fault: "is required for a test issuer" };
	const setting = UNTESTED.find((name) => issuer[name] !== undefined && issuer[name] !== false);
	return setting && { setting, fault: "is not for a test issuer, whose tokens anybody gets" };
}

const UNTESTED = [
	...([
		"jwks",
		"jwks_uri",
		"may_assert_user_ids",
		"may_assert_phone_numbers",
		"emails_are_verified",
		"phone_numbers_are_verified",
	] as const),
	...(["single_use", "required_claims", "required_amr", "required_acr", "max_authentication_age_seconds"] as const),
];
