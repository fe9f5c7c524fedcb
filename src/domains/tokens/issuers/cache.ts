// Finds the trusted issuer of a token: first the service itself and the sandbox, then configuration, then the registry in D1, whose answers
// are kept for a minute: that long a change may take. From half of it on they are read again while requests use them, so that a request
// waits only where none came for half a minute. A name that an earlier source knows is never looked up in a later one.

import { eq } from "drizzle-orm";
import { refuseFailingAddress } from "../../../http/callers/failed-credentials";
import type { Config } from "../../../runtime/config";
import type { Services } from "../../../runtime/services";
import { BoundedCache } from "../../../shared/cache";
import { type IssuerKind, MAX_ISSUER_NAME, type TrustedIssuer } from "../../../shared/trusted-issuer";
import { type Refused, refused, shown } from "../model/refusal.policy";
import { trustedIssuers } from "../table";
import { embeddedPhoneIssuer, type Issuer, isRegistrable, SANDBOX_ISSUER, sandboxIssuer, testIssuer } from "./own.plan";

const MAX_AGE_MS = 60_000;
const RENEW_AFTER_MS = 30_000;
type Registered = { readonly entries: readonly TrustedIssuer[]; readonly readAt: number };
const registered = new BoundedCache<Registered>(1_000, MAX_AGE_MS);
/** Names that are being read again while a request uses them. */
const renewing = new Set<string>();
/** Changes that this isolate has made to the registry: what was asked before one may be from before it. */
let changes = 0;
/** Names without an issuer. They have a cache of their own, because anybody can invent names: they must not evict registered issuers. */
const unregistered = new BoundedCache<readonly []>(1_000, MAX_AGE_MS);

/** Who named the issuer: a token that nobody has verified yet, or one of the service's own. */
type Named = "STRANGER" | "OURSELVES";

/** The trusted issuer of this name and kind. Costs a round trip unless this isolate looked the name up within a minute. */
export async function findIssuer(
	services: Services,
	name: string,
	kind: IssuerKind,
	from: Named = "STRANGER",
): Promise<Issuer | undefined> {
	const { config } = services;
	if (name === services.issuer) return kind === "phone" ? embeddedPhoneIssuer(config, name) : undefined;
	if (name === SANDBOX_ISSUER) return config.ENVIRONMENT === "local" ? sandboxIssuer(config, kind) : undefined;
	const configured = config.TRUSTED_ISSUERS.filter(({ issuer }) => issuer === name);
	if (configured.length > 0) return ofKind(configured, config, kind);
	if (!isRegistrable(config, kind)) return undefined;
	return ofKind(await registeredIssuers(services, name, from), config, kind);
}

function ofKind(entries: readonly TrustedIssuer[], config: Config, kind: IssuerKind): Issuer | undefined {
	const entry = entries.find((one): one is Issuer => one.kind === kind);
	if (entry) return entry;
	return kind === "partner" ? entries.map((one) => testIssuer(config, one)).find((one) => one !== undefined) : undefined;
}

/** The test issuer of this name. */
export async function findTestIssuer(services: Services, name: string): Promise<Issuer | undefined> {
	const { config } = services;
	const configured = config.TRUSTED_ISSUERS.filter(({ issuer }) => issuer === name);
	const entries = configured.length > 0 ? configured : await registeredIssuers(services, name, "STRANGER");
	if (entries.some(({ kind }) => kind === "partner")) return undefined;
	return entries.map((entry) => testIssuer(config, entry)).find((issuer) => issuer !== undefined && !issuer.disabled);
}

/** The issuer through which a session of ours began, if it is still trusted: its sessions end with it. */
export async function stillTrusted(services: Services, name: string, kind: IssuerKind): Promise<Issuer | undefined> {
	const issuer = await findIssuer(services, name, kind, "OURSELVES");
	return issuer?.disabled ? undefined : issuer;
}

/** Why a session that began through the issuer has ended with it; undefined if it goes on. null: it began without one. */
export async function refusalOfSession(services: Services, issuer: string | null, kind: IssuerKind): Promise<Refused | undefined> {
	if (issuer === null || (await stillTrusted(services, issuer, kind))) return undefined;
	return refused("ISSUER_DISABLED", "a session of a trusted issuer", shown(issuer));
}

async function registeredIssuers(services: Services, name: string, from: Named): Promise<readonly TrustedIssuer[]> {
	if (name.length > MAX_ISSUER_NAME) return [];
	const { realNow } = services;
	const known = registered.get(name, realNow);
	if (known?.fresh) {
		if (realNow - known.value.readAt >= RENEW_AFTER_MS) renew(services, name);
		return known.value.entries;
	}
	if (!known && unregistered.get(name, realNow)?.fresh) return [];
	if (from === "STRANGER") refuseFailingAddress(services);
	return lookUp(services, name);
}

/** Reads the name once more after the answer. */
function renew(services: Services, name: string): void {
	if (renewing.has(name)) return;
	renewing.add(name);
	services.afterwards((job) => lookUp(job, name).finally(() => renewing.delete(name)));
}

async function lookUp({ databases: { directory }, realNow }: Services, name: string): Promise<readonly TrustedIssuer[]> {
	const before = changes;
	const rows = await directory.read(
		directory.orm.select({ settings: trustedIssuers.settings }).from(trustedIssuers).where(eq(trustedIssuers.issuer, name)),
	);
	const entries = rows.map(({ settings }) => settings);
	if (before !== changes) return entries;
	forget(name);
	if (entries.length > 0) registered.set(name, { entries, readAt: realNow }, realNow);
	else unregistered.set(name, [], realNow);
	return entries;
}

function forget(name: string): void {
	registered.delete(name);
	unregistered.delete(name);
}

/** Makes this isolate see a change of the registry at once; others see it within a minute. */
export function forgetIssuer(name: string): void {
	changes++;
	forget(name);
}
