// Rate limits. The rate-limiting binding protects against abuse: it counts calls approximately, in the caller's region. Exact limits
// are counted by D1 in the commit of what they limit, so that refusals and repeated answers do not count.

import { sql } from "drizzle-orm";
import ipaddr from "ipaddr.js";
import type { Effect, Orm } from "../db/database";
import { type Expired, expired } from "../db/purge";
import { rateWindows } from "../db/rate-windows.table";
import type { Services } from "../runtime/services";
import { BoundedCache } from "../shared/cache";
import type { ApiError } from "../shared/errors";
import { homeDigits } from "../shared/ids";
import { isPublic } from "./callers/access";
import { type ExactLimit, POLICIES, type PolicyName, refusal } from "./limit";
import type { AnyOperation } from "./operation";
import type { Counted } from "./ports";

const BINDINGS = {
	user: "USER_LIMIT",
	client: "CLIENT_LIMIT",
	address: "ADDRESS_LIMIT",
	exchange: "EXCHANGE_LIMIT",
	coded: "CODED_LIMIT",
	heavy: "HEAVY_LIMIT",
	failure: "FAILURE_LIMIT",
} as const satisfies Record<PolicyName, keyof Env>;

/** The policy that the binding counts for this operation and caller. Public reads are served from caches and have none. */
export function policyOf(op: AnyOperation, caller: string): PolicyName | undefined {
	if (op.limit === "none") return undefined;
	if (typeof op.limit === "string") return op.limit;
	if (op.only) return undefined;
	if (caller.startsWith("user:")) return "user";
	if (!isPublic(op.access)) return "client";
	return op.method === "GET" ? undefined : "address";
}

/** Refuses callers over their limit (429); otherwise returns the headers that state the limit. */
export async function limit({ request, op, identity: caller }: Counted, services: Services): Promise<Record<string, string>> {
	if (services.config.RATE_LIMITS === "off") return {};
	const name = policyOf(op, caller);
	const exact = exactLimitOf(op, caller, services.config);
	const policies = [...(name ? [policyItem({ name, ...POLICIES[name] })] : []), ...(exact ? [policyItem(exact)] : [])];
	if (policies.length === 0) return {};
	const headers = { "RateLimit-Policy": policies.join(", ") };
	if (name && !(await withinLimit(name, request, caller, services))) {
		// The binding does not say when its window ends; after a whole window it has.
		throw refusal(name, POLICIES[name].windowSeconds, headers);
	}
	return headers;
}

async function withinLimit(name: PolicyName, request: Request, caller: string, { env, log }: Services): Promise<boolean> {
	const keys = { caller, address: addressOf(request), path: `${caller} ${new URL(request.url).pathname}` };
	const key = keys[POLICIES[name].by];
	try {
		return (await env[BINDINGS[name]]?.limit({ key }))?.success ?? true;
	} catch (error) {
		// The limit only protects against abuse, so a broken counter refuses nobody.
		log.error("rate limit could not be counted", error, { policy: name });
		return true;
	}
}

/** Addresses by the header that names them: parsing one takes longer than most other steps of a request. */
const addresses = new BoundedCache<string>(1_000, Number.POSITIVE_INFINITY);

/** The client's address; for IPv6 its /64, which belongs to one subscriber. */
export function addressOf(request: Request): string {
	const text = request.headers.get("cf-connecting-ip") ?? "";
	const known = addresses.get(text, 0)?.value;
	if (known !== undefined) return known;
	const address = parseAddress(text);
	// Cloudflare writes the header. Where it does not, a client could send a text of any length.
	if (text.length <= 45) addresses.set(text, address, 0);
	return address;
}

function parseAddress(text: string): string {
	if (!ipaddr.isValid(text)) return "unknown";
	const address = ipaddr.process(text);
	return address.kind() === "ipv6" ? `${address.toNormalizedString().split(":").slice(0, 4).join(":")}::/64` : address.toString();
}

/** What one operator may do without a second one, in each database. */
const OPERATOR_ALONE: ExactLimit = { name: "operator-alone", quota: 60, windowSeconds: 3600 };

function exactLimitOf(
	{ access, limit, only }: AnyOperation,
	caller: string,
	{ OPERATOR_PAIRS }: Services["config"],
): ExactLimit | undefined {
	if (caller.startsWith("operator:")) {
		const isAlone = access.operatorWrites !== undefined && access.operatorWrites !== "HELD" && !only;
		return isAlone && OPERATOR_PAIRS === "on" ? OPERATOR_ALONE : undefined;
	}
	return typeof limit === "object" && caller.startsWith("user:") ? limit : undefined;
}

/** The write that counts one use where the operation has an exact limit. Over the quota it fails the commit. */
export function useOf(orm: Orm, op: AnyOperation, caller: string, { config, realNow, home, databases }: Services): Effect {
	const exact = exactLimitOf(op, caller, config);
	if (!exact || config.RATE_LIMITS === "off") return { statements: [] };
	const { name, quota, windowSeconds } = exact;
	const expiresAt = windowEnd(windowSeconds, realNow);
	// A user's calls work in one home, an operator's in all.
	const counted = exact === OPERATOR_ALONE ? databases.firstHomeAt(home) : home;
	return {
		statements: [
			orm
				.insert(rateWindows)
				.values({ key: `${homeDigits(counted)}.${JSON.stringify([name, caller, expiresAt])}`, uses: 1, quota, expiresAt })
				.onConflictDoUpdate({ target: rateWindows.key, set: { uses: sql`${rateWindows.uses} + 1` } }),
		],
	};
}

/** The refusal of a caller over the operation's exact limit. */
export function overQuota(op: AnyOperation, caller: string, { config, realNow }: Services): ApiError {
	const exact = exactLimitOf(op, caller, config);
	if (!exact) throw new Error(`${op.id} has no exact limit`);
	const seconds = Math.ceil((windowEnd(exact.windowSeconds, realNow) - realNow) / 1000);
	return refusal(exact.name, seconds, { "RateLimit-Policy": policyItem(exact) });
}

const windowEnd = (windowSeconds: number, realNow: number) => (Math.floor(realNow / (windowSeconds * 1000)) + 1) * windowSeconds * 1000;

/** Windows that are over. */
export const expiredWindows = (orm: Orm, realNow: number): Expired =>
	expired(orm, rateWindows, { key: [rateWindows.key], by: rateWindows.expiresAt, before: realNow });

const policyItem = ({ name, quota, windowSeconds }: ExactLimit) => `"${name}";q=${quota};w=${windowSeconds}`;
