// The issuers whose tokens are taken, and for what: the service's own and the sandbox's first, then configuration,
// then the registry in D1. A name known to an earlier one is never looked for in a later one.

import { eq } from "drizzle-orm";
import type { Config } from "../../../runtime/config";
import type { Services } from "../../../runtime/services";
import type { IssuerKind, TrustedIssuer } from "../../../runtime/trusted-issuer";
import { BoundedCache } from "../../../shared/cache";
import { PHONE_TOKEN, PHONE_TOKEN_SECONDS, publicJwk } from "../service-token";
import { trustedIssuers } from "../table";
import type { Expectation } from "../token.policy";

/** A trusted issuer, with what only the service's own issuers ask of their tokens beside it. */
export type Issuer = TrustedIssuer & {
	demands?: Pick<Expectation, "members" | "typ">;
	/** New users belong to the organization that the token's `org_id` names. */
	organizationFromToken?: boolean;
};

/** The embedded issuer of `local`; its tokens name their kind in `token_kind`, because one issuer stands for all four. */
export const SANDBOX_ISSUER = "https://sandbox.issuer.local";

const own = new WeakMap<Config, { keys: ReturnType<typeof publicJwk>[] }>();

/** The same object each time, because imported keys are remembered by it. */
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

/** The service itself, as far as it has seen to it that somebody holds a phone. */
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

/** Whether the name is taken by an issuer that the registry cannot change. */
export const isReservedIssuer = ({ config, issuer: self }: Services, name: string): boolean =>
	name === self || name === SANDBOX_ISSUER || config.TRUSTED_ISSUERS.some(({ issuer }) => issuer === name);

const MAX_AGE_MS = 60_000;
const registered = new BoundedCache<readonly TrustedIssuer[]>(1_000, MAX_AGE_MS);
/** Apart, because anybody can make names up: they must not crowd out those of registered issuers. */
const unregistered = new BoundedCache<readonly []>(1_000, MAX_AGE_MS);

/** The trusted issuer of this name and kind; a round trip for a registered one that was not asked for within a minute. */
export async function findIssuer(services: Services, name: string, kind: IssuerKind): Promise<Issuer | undefined> {
	const { config } = services;
	if (name === services.issuer) return kind === "phone" ? embeddedPhoneIssuer(config, name) : undefined;
	if (name === SANDBOX_ISSUER) return config.ENVIRONMENT === "local" ? sandboxIssuer(config, kind) : undefined;
	const configured = config.TRUSTED_ISSUERS.filter(({ issuer }) => issuer === name);
	const entries = configured.length > 0 ? configured : await registeredIssuers(services, name);
	return entries.find((entry) => entry.kind === kind);
}

async function registeredIssuers({ db, realNow }: Services, name: string): Promise<readonly TrustedIssuer[]> {
	const known = registered.get(name, realNow) ?? unregistered.get(name, realNow);
	if (known?.fresh) return known.value;
	const [rows] = await db.read(
		db.orm.select({ settings: trustedIssuers.settings }).from(trustedIssuers).where(eq(trustedIssuers.issuer, name)),
	);
	const entries = rows.map(({ settings }) => settings);
	forgetIssuer(name);
	if (entries.length > 0) registered.set(name, entries, realNow);
	else unregistered.set(name, [], realNow);
	return entries;
}

/** Lets this isolate see a change of the registry at once; others within a minute. */
export function forgetIssuer(name: string): void {
	registered.delete(name);
	unregistered.delete(name);
}
