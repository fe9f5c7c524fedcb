// Rate limits. Against abuse the rate-limiting binding counts, near the caller and roughly; what must be exact is
// counted by D1 in the commit of the thing that is limited, so that only what happened counts, and replays do not.

import { sql } from "drizzle-orm";
import ipaddr from "ipaddr.js";
import type { Effect, Orm } from "../db/database";
import { type Expired, expired } from "../db/purge";
import { rateWindows } from "../db/rate-windows.table";
import type { Services } from "../runtime/services";
import { type ApiError, tooManyRequests } from "../shared/errors";
import { isPublic } from "./access";
import type { AnyOperation } from "./operation";

type Policy = { quota: number; windowSeconds: number; by: "caller" | "address" };

export const POLICIES = {
	user: { quota: 300, windowSeconds: 60, by: "caller" },
	/** API keys and operators: one of them stands for many users. */
	client: { quota: 1200, windowSeconds: 60, by: "caller" },
	/** Public operations that cost a message or a look-up. */
	address: { quota: 60, windowSeconds: 60, by: "address" },
	/** Public operations that take a token nobody can guess: many phones share the address of their network. */
	exchange: { quota: 600, windowSeconds: 60, by: "address" },
	/** Providers report from few addresses what happened to many users. */
	callback: { quota: 1200, windowSeconds: 60, by: "address" },
} as const satisfies Record<string, Policy>;

/** Counted by D1, for users alone. */
export const EXACT_POLICIES = {
	"loan-applications": { quota: 10, windowSeconds: 3600 },
} as const satisfies Record<string, Omit<Policy, "by">>;

type PolicyName = keyof typeof POLICIES;
type ExactPolicyName = keyof typeof EXACT_POLICIES;
/** What an operation may name: another policy than it would have, or an exact one beside it. */
export type Limit = PolicyName | ExactPolicyName | "none";

const BINDINGS = {
	user: "USER_LIMIT",
	client: "CLIENT_LIMIT",
	address: "ADDRESS_LIMIT",
	exchange: "EXCHANGE_LIMIT",
	callback: "CALLBACK_LIMIT",
} as const satisfies Record<PolicyName, keyof Env>;

const isExact = (limit: Limit | undefined): limit is ExactPolicyName => limit !== undefined && limit in EXACT_POLICIES;

/** The policy that the binding counts for this operation and caller; public reads are served from caches and have none. */
export function policyOf(op: AnyOperation, caller: string): PolicyName | undefined {
	if (op.limit === "none" || op.only) return undefined;
	if (op.limit !== undefined && !isExact(op.limit)) return op.limit;
	if (caller.startsWith("user:")) return "user";
	if (!isPublic(op.access)) return "client";
	if (op.method === "GET") return undefined;
	if (op.path.startsWith("/v1/integrations/")) return "callback";
	return op.path.startsWith("/v1/auth/") && !op.path.startsWith("/v1/auth/public/") ? "exchange" : "address";
}

/** Refuses callers over their limit (429); else the headers that tell the limit. */
export async function limit(request: Request, op: AnyOperation, caller: string, services: Services): Promise<Record<string, string>> {
	if (services.config.RATE_LIMITS === "off") return {};
	const name = policyOf(op, caller);
	const exact = exactPolicyOf(op, caller);
	const told = [...(name ? [policyItem(name, POLICIES[name])] : []), ...(exact ? [policyItem(exact, EXACT_POLICIES[exact])] : [])];
	if (told.length === 0) return {};
	const headers = { "RateLimit-Policy": told.join(", ") };
	if (name && !(await withinLimit(name, request, caller, services))) {
		// The binding does not tell when it forgets; after a whole window it has.
		throw refusal(name, POLICIES[name].windowSeconds, headers);
	}
	return headers;
}

async function withinLimit(name: PolicyName, request: Request, caller: string, { env, log }: Services): Promise<boolean> {
	const key = POLICIES[name].by === "address" ? addressOf(request) : caller;
	try {
		return (await env[BINDINGS[name]]?.limit({ key }))?.success ?? true;
	} catch (error) {
		// A limit is there against abuse: without its counter everybody is served.
		log.error("rate limit could not be counted", error, { policy: name });
		return true;
	}
}

/** The client's address; of IPv6 the /64, which is what one subscriber holds. */
export function addressOf(request: Request): string {
	const text = request.headers.get("cf-connecting-ip") ?? "";
	if (!ipaddr.isValid(text)) return "unknown";
	const address = ipaddr.process(text);
	return address.kind() === "ipv6" ? `${address.toNormalizedString().split(":").slice(0, 4).join(":")}::/64` : address.toString();
}

const exactPolicyOf = ({ limit }: AnyOperation, caller: string): ExactPolicyName | undefined =>
	isExact(limit) && caller.startsWith("user:") ? limit : undefined;

/** The write that counts one use, where the operation has an exact limit; it fails the commit over the quota. */
export function useOf(orm: Orm, op: AnyOperation, caller: string, { config, realNow }: Services): Effect {
	const name = exactPolicyOf(op, caller);
	if (!name || config.RATE_LIMITS === "off") return { statements: [] };
	const { quota, windowSeconds } = EXACT_POLICIES[name];
	const expiresAt = windowEnd(windowSeconds, realNow);
	return {
		statements: [
			orm
				.insert(rateWindows)
				.values({ key: JSON.stringify([name, caller, expiresAt]), uses: 1, quota, expiresAt })
				.onConflictDoUpdate({ target: rateWindows.key, set: { uses: sql`uses + 1` } }),
		],
	};
}

/** The CHECK constraint that refuses a use over the quota. */
export const QUOTA_CONSTRAINT = "rate_windows_quota";

/** What a caller over the operation's exact limit is told. */
export function overQuota(op: AnyOperation, { realNow }: Services): ApiError {
	if (!isExact(op.limit)) throw new Error(`${op.id} has no exact limit`);
	const policy = EXACT_POLICIES[op.limit];
	const seconds = Math.ceil((windowEnd(policy.windowSeconds, realNow) - realNow) / 1000);
	return refusal(op.limit, seconds, { "RateLimit-Policy": policyItem(op.limit, policy) });
}

const windowEnd = (windowSeconds: number, realNow: number) => (Math.floor(realNow / (windowSeconds * 1000)) + 1) * windowSeconds * 1000;

/** Windows that are over. */
export const expiredWindows = (orm: Orm, realNow: number): Expired =>
	expired(orm, rateWindows, { key: [rateWindows.key], by: rateWindows.expiresAt, before: realNow });

function refusal(name: string, seconds: number, headers: Record<string, string>): ApiError {
	return tooManyRequests(seconds, { ...headers, RateLimit: `"${name}";r=0;t=${Math.max(1, seconds)}` });
}

const policyItem = (name: string, { quota, windowSeconds }: Omit<Policy, "by">) => `"${name}";q=${quota};w=${windowSeconds}`;
