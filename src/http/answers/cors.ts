// The CORS headers, by which browsers let scripts of other websites call an operation. No operation uses cookies, so all websites
// may be allowed.

import type { AnyOperation } from "../operation";

const REQUEST_HEADERS = [
	// A stale token must not fail the preflight request: the operation itself ignores or refuses it.
	"Authorization",
	"X-API-Key",
	"Content-Type",
	"Idempotency-Key",
	"If-Match",
	"If-None-Match",
	"X-App-Platform",
	"X-App-Version",
	"X-D1-Bookmark",
	"X-Organization-Id",
	"X-Request-Id",
].join(", ");

/** On every answer, refusals included. */
export const CORS_HEADERS = {
	"Access-Control-Allow-Origin": "*",
	"Access-Control-Expose-Headers": "ETag, RateLimit, Retry-After, X-Request-Id",
} as const;

/** On the answer to OPTIONS. */
export const preflightHeaders = (operations: readonly AnyOperation[]): Record<string, string> => {
	const methods = new Set(operations.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])));
	return {
		...CORS_HEADERS,
		"Access-Control-Allow-Methods": [...methods].sort().join(", "),
		"Access-Control-Allow-Headers": REQUEST_HEADERS,
		"Access-Control-Max-Age": "86400",
	};
};
