// Why a token is refused: one reason for operators, with what was expected and what was found. Callers see only the
// error code. Nothing here may hold the token, its signature, its subject, or another claim about a person.

import type { Json } from "../../../shared/json";

export type Reason =
	| "TOO_LARGE"
	| "NOT_A_JWT"
	| "HEADER_UNREADABLE"
	| "PAYLOAD_UNREADABLE"
	| "ALGORITHM_UNSUPPORTED"
	| "EXTENSION_UNSUPPORTED"
	| "KEY_ID_MALFORMED"
	| "ISSUER_MISSING"
	| "ISSUER_UNKNOWN"
	| "ALGORITHM_NOT_ALLOWED"
	| "KEY_UNKNOWN"
	| "SIGNATURE_INVALID"
	| "EXPIRY_INVALID"
	| "EXPIRED"
	| "ISSUED_AT_INVALID"
	| "LIFETIME_INVALID"
	| "NOT_YET_VALID"
	| "AUDIENCE_MISMATCH"
	| "TYPE_MISMATCH"
	| "MEMBER_MISMATCH"
	| "CLAIM_MISMATCH"
	| "TOKEN_ID_INVALID"
	| "SUBJECT_INVALID"
	| "ISSUER_DISABLED"
	| "ORGANIZATION_INVALID"
	| "AUTHENTICATION_INSUFFICIENT"
	| "ALREADY_USED";

/** How a person must have authenticated with an issuer. */
export type Authentication = {
	/** Any of these; undefined or empty for any. */
	readonly amr?: readonly string[] | undefined;
	/** Any of these; undefined for any. */
	readonly acr?: readonly string[] | undefined;
	readonly maxAgeSeconds?: number | undefined;
};

export type Refused = {
	ok: false;
	reason: Reason;
	expected: string;
	found: string;
	/** How the person must authenticate, if only that is missing. */
	stepUp?: Authentication;
	/** What the token says about its origin, once it could be read. */
	origin?: { issuer: string; alg: string; kid: string };
};

export const refused = (reason: Reason, expected: string, found: string): Refused => ({ ok: false, reason, expected, found });

/** Whether the token is refused because this service has issued it, which is no issuer to itself. `issuer`: this service. */
export const isOwnToken = ({ reason, origin }: Refused, issuer: string): boolean =>
	reason === "ISSUER_UNKNOWN" && origin?.issuer === shown(issuer);

/** Strangers choose the values, so the log cuts them. */
const MAX_SHOWN = 100;

/** A header member or claim as the log may show it. KIND: only the type, not the value. */
export function shown(value: Json | undefined, what: "VALUE" | "KIND" = "VALUE"): string {
	if (value === undefined) return "nothing";
	if (value === null) return "null";
	const parts = Array.isArray(value) ? value : [value];
	const plain = parts.every((part) => typeof part === "string" || typeof part === "number");
	if (what === "VALUE" && plain) return parts.join(", ").slice(0, MAX_SHOWN);
	return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
