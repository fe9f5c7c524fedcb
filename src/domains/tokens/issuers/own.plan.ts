// The issuers that the service itself is: of phone tokens, and in the sandbox of all kinds.

import type { Config } from "../../../runtime/config";
import type { Services } from "../../../runtime/services";
import { type IssuerKind, type RegisteredKind, TEST_ISSUER, type TrustedIssuer } from "../../../shared/trusted-issuer";
import { PHONE_TOKEN, PHONE_TOKEN_SECONDS, publicJwk } from "../model/service-token.crypto";
import type { Expectation } from "../model/token.policy";

/** A trusted issuer. The optional members are set for the service's own issuers only. */
export type Issuer = IssuerSettings & { kind: IssuerKind };
export type IssuerSettings = Omit<TrustedIssuer, "kind"> & {
	demands?: Pick<Expectation, "members" | "typ">;
	/** New users belong to the organization that the token's `org_id` names. */
	organizationFromToken?: boolean;
};

/** The embedded issuer of `local`. Its tokens name their kind in `token_kind`, because it issues all four. */
export const SANDBOX_ISSUER = "https://sandbox.issuer.local";

const own = new WeakMap<Config, { keys: ReturnType<typeof publicJwk>[] }>();

/** The same object each time, because imported keys are cached by it. */
function ownKeys(config: Config) {
	const known = own.get(config) ?? { keys: config.SERVICE_KEYS.keys.map(publicJwk) };
	own.set(config, known);
	return known;
}

export function sandboxIssuer(config: Config, kind: IssuerKind): Issuer {
	return {
		issuer: SANDBOX_ISSUER,
		kind,
		audience: "financial-account-service",
		audience_claim: "aud",
		emails_are_verified: false,
		phone_numbers_are_verified: false,
		ignores_org_id: false,
		jwks: ownKeys(config),
		algorithms: ["RS256"],
		auto_admit: false,
		may_assert_user_ids: kind === "identity",
		may_assert_phone_numbers: false,
		max_session_seconds: 12 * 3600,
		max_lifetime_seconds: 86_400,
		single_use: false,
		resource_access_provider: "embedded",
		disabled: false,
		demands: { members: { token_kind: kind } },
		organizationFromToken: true,
	};
}

/** A test issuer as the issuer of partners' tokens, which the service signs; undefined for any other. */
export function testIssuer(config: Config, entry: TrustedIssuer): Issuer | undefined {
	if (entry.kind !== TEST_ISSUER || config.ENVIRONMENT === "production") return undefined;
	return { ...entry, kind: "partner", jwks: ownKeys(config), algorithms: ["RS256"] };
}

/** The service itself, as the issuer of phone verification tokens. Those of an app that names an organization carry its id. */
export function embeddedPhoneIssuer(config: Config, issuer: string): Issuer {
	return {
		issuer,
		kind: "phone",
		audience: PHONE_TOKEN.aud,
		audience_claim: "aud",
		emails_are_verified: false,
		phone_numbers_are_verified: false,
		ignores_org_id: false,
		jwks: ownKeys(config),
		algorithms: ["RS256"],
		auto_admit: false,
		may_assert_user_ids: false,
		may_assert_phone_numbers: false,
		max_session_seconds: 12 * 3600,
		max_lifetime_seconds: PHONE_TOKEN_SECONDS,
		single_use: true,
		resource_access_provider: "embedded",
		disabled: false,
		demands: { typ: PHONE_TOKEN.typ },
		organizationFromToken: true,
	};
}

/** How many users' daily amounts an issuer's users may together transfer in a day without one-time passwords, if its entry is silent. */
const USERS_WITHOUT_CODES = 100;

/** What the issuer's users may together transfer in a day without one-time passwords; undefined for the service itself: no bound. */
export function uncodedPerDay(
	{ TRANSFER_OTP_ABOVE }: Config,
	{ demands, uncoded_amount_per_day: most }: IssuerSettings,
): number | undefined {
	return demands ? undefined : (most ?? USERS_WITHOUT_CODES * TRANSFER_OTP_ABOVE);
}

/** Whether the name belongs to an issuer that the registry cannot change. */
export const isReservedIssuer = ({ config, issuer: self }: Services, name: string): boolean =>
	name === self || name === SANDBOX_ISSUER || config.TRUSTED_ISSUERS.some(({ issuer }) => issuer === name);

/**
 * Whether the registry may hold and use issuers of this kind. Outside `local` persons of power come from the configuration: a person who
 * registered an operators' or a phone issuer could be any operator or any customer.
 */
export const isRegistrable = ({ ENVIRONMENT }: Config, kind: RegisteredKind): boolean =>
	ENVIRONMENT === "local" || (kind !== "operator" && kind !== "phone");
