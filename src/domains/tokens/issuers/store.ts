// Finds the trusted issuer of a token: first the service itself and the sandbox, then configuration, then the registry
// in D1. A name that an earlier source knows is never looked up in a later one.

import { eq } from "drizzle-orm";
import { refuseFailingAddress } from "../../../http/callers/failed-credentials";
import type { Config } from "../../../runtime/config";
import type { Services } from "../../../runtime/services";
import { type IssuerKind, MAX_ISSUER_NAME, type TrustedIssuer } from "../../../runtime/trusted-issuer";
import { BoundedCache } from "../../../shared/cache";
import { PHONE_TOKEN, PHONE_TOKEN_SECONDS, publicJwk } from "../service-token";
import { trustedIssuers } from "../table";
import type { Expectation } from "../token.policy";

/** A trusted issuer. The optional members are set for the service's own issuers only. */
export type Issuer = TrustedIssuer & {
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

function sandboxIssuer(config: Config, kind: IssuerKind): Issuer {
	return {
		issuer: SANDBOX_ISSUER,
		kind,
		audience: "financial-account-service",
		jwks: ownKeys(config),
		algorithms: ["RS256"],
		auto_admit: false,
		may_assert_user_ids: kind === "identity",
		max_lifetime_seconds: 86_400,
		single_use: false,
		resource_access_provider: "embedded",
		disabled: false,
		demands: { members: { token_kind: kind } },
		organizationFromToken: true,
	};
}

/** The service itself, as the issuer of phone verification tokens. */
function embeddedPhoneIssuer(config: Config, issuer: string): Issuer {
	return {
		issuer,
		kind: "phone",
		audience: PHONE_TOKEN.aud,
		jwks: ownKeys(config),
		algorithms: ["RS256"],
		auto_admit: false,
		may_assert_user_ids: false,
		max_lifetime_seconds: PHONE_TOKEN_SECONDS,
		single_use: true,
		resource_access_provider: "embedded",
		disabled: false,
		demands: { typ: PHONE_TOKEN.typ },
	};
}

/** Whether the name belongs to an issuer that the registry cannot change. */
export const isReservedIssuer = ({ config, issuer: self }: Services, name: string): boolean =>
	name === self || name === SANDBOX_ISSUER || config.TRUSTED_ISSUERS.some(({ issuer }) => issuer === name);

const MAX_AGE_MS = 60_000;
const registered = new BoundedCache<readonly TrustedIssuer[]>(1_000, MAX_AGE_MS);
/** Names without an issuer. They have a cache of their own, because anybody can invent names: they must not evict registered issuers. */
const unregistered = new BoundedCache<readonly []>(1_000, MAX_AGE_MS);

/** The trusted issuer of this name and kind. Costs a round trip unless this isolate looked the name up within a minute. */
export async function findIssuer(services: Services, name: string, kind: IssuerKind): Promise<Issuer | undefined> {
	const { config } = services;
	if (name === services.issuer) return kind === "phone" ? embeddedPhoneIssuer(config, name) : undefined;
	if (name === SANDBOX_ISSUER) return config.ENVIRONMENT === "local" ? sandboxIssuer(config, kind) : undefined;
	const configured = config.TRUSTED_ISSUERS.filter(({ issuer }) => issuer === name);
	const entries = configured.length > 0 ? configured : await registeredIssuers(services, name);
	return entries.find((entry) => entry.kind === kind);
}

async function registeredIssuers(services: Services, name: string): Promise<readonly TrustedIssuer[]> {
	if (name.length > MAX_ISSUER_NAME) return [];
	const {
		databases: { directory },
		realNow,
	} = services;
	const known = registered.get(name, realNow) ?? unregistered.get(name, realNow);
	if (known?.fresh) return known.value;
	refuseFailingAddress(services);
	const [rows] = await directory.read(
		directory.orm.select({ settings: trustedIssuers.settings }).from(trustedIssuers).where(eq(trustedIssuers.issuer, name)),
	);
	const entries = rows.map(({ settings }) => settings);
	forgetIssuer(name);
	if (entries.length > 0) registered.set(name, entries, realNow);
	else unregistered.set(name, [], realNow);
	return entries;
}

/** Makes this isolate see a change of the registry at once; others see it within a minute. */
export function forgetIssuer(name: string): void {
	registered.delete(name);
	unregistered.delete(name);
}
