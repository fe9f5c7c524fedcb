// The limits that an operation may name, and the refusal of a caller who is over one. `limits.ts` counts them.

import { type ApiError, tooManyRequests } from "../shared/errors";

type Policy = { quota: number; windowSeconds: number; by: "caller" | "address" | "path" };

export const POLICIES = {
	user: { quota: 300, windowSeconds: 60, by: "caller" },
	/** API keys, operators and providers: each acts for many users. */
	client: { quota: 1200, windowSeconds: 60, by: "caller" },
	/** Public operations that cost a message or a look-up. */
	address: { quota: 60, windowSeconds: 60, by: "address" },
	/** Public operations that take a token that cannot be guessed: many phones share the address of their network. */
	exchange: { quota: 600, windowSeconds: 60, by: "address" },
	/** A provider's report at a coded address: it sends for all from few addresses. */
	coded: { quota: 600, windowSeconds: 60, by: "path" },
	/** What looks at thousands of rows: a caller about one thing. */
	heavy: { quota: 6, windowSeconds: 60, by: "path" },
	/** Credentials that were refused, on any operation, and what public operations take in their place. */
	failure: { quota: 60, windowSeconds: 60, by: "address" },
} as const satisfies Record<string, Policy>;

export type PolicyName = keyof typeof POLICIES;
/** A limit of each user that D1 counts exactly; the name is unique in the service. */
export type ExactLimit = { readonly name: string; readonly quota: number; readonly windowSeconds: number };
/** What an operation may declare: another policy than the usual one of its callers, none, or an exact limit in addition. */
export type Limit = Exclude<PolicyName, "failure"> | "none" | ExactLimit;

/** The 429 that names the limit. */
export function refusal(name: string, seconds: number, headers: Record<string, string>): ApiError {
	return tooManyRequests(seconds, { ...headers, RateLimit: `"${name}";r=0;t=${Math.max(1, seconds)}` });
}
