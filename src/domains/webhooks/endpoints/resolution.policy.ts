// What follows from the addresses behind an endpoint's name, at registration and when a webhook is sent.

import type { ResolutionVerdict } from "../../../shared/addresses";

/** What follows when an endpoint is registered or gets another URL. */
export const AT_REGISTRATION = {
	PUBLIC: "ACCEPT",
	PRIVATE: "NOT_PUBLIC",
	NONE: "DOES_NOT_RESOLVE",
	FAILURE: "RESOLVER_UNAVAILABLE",
} as const satisfies Record<ResolutionVerdict, string>;

/** What follows when a webhook is sent. Only a private address suspends the endpoint; the others are failed attempts. */
export const AT_ATTEMPT = {
	PUBLIC: "SEND",
	PRIVATE: "BLOCKED_ADDRESS",
	NONE: "CONNECTION_FAILED",
	FAILURE: "CONNECTION_FAILED",
} as const satisfies Record<ResolutionVerdict, string>;
