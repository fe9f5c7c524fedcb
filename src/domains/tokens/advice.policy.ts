// The descriptions of refused bearer tokens: what to send instead. They tell strangers nothing about users or configuration.

import type { Reason } from "./refusal.policy";

const UNREADABLE = "The bearer token is not a JWT: send the whole access token";
const CLAIMS = "The bearer token's claims are not those of a token that this service accepts";
const PURPOSE = "The bearer token is for another purpose: send an access token";

const ADVICE: Partial<Record<Reason, string>> = {
	TOO_LARGE: UNREADABLE,
	NOT_A_JWT: UNREADABLE,
	HEADER_UNREADABLE: UNREADABLE,
	PAYLOAD_UNREADABLE: UNREADABLE,
	ALGORITHM_UNSUPPORTED: "The bearer token's algorithm is not accepted",
	ALGORITHM_NOT_ALLOWED: "The bearer token's algorithm is not accepted",
	ISSUER_UNKNOWN: "The bearer token's issuer is not trusted here",
	KEYS_UNAVAILABLE: "The keys of the bearer token's issuer cannot be fetched: try again",
	KEY_ID_MALFORMED: "The bearer token's signature is invalid",
	KEY_UNKNOWN: "The bearer token's signature is invalid",
	SIGNATURE_INVALID: "The bearer token's signature is invalid",
	EXPIRED: "The bearer token has expired: get a new one",
	NOT_YET_VALID: "The bearer token is not valid yet",
	ISSUED_AT_INVALID: "The bearer token is not valid yet",
	AUDIENCE_MISMATCH: PURPOSE,
	TYPE_MISMATCH: PURPOSE,
	MEMBER_MISMATCH: PURPOSE,
};

export const adviceOn = (reason: Reason): string => ADVICE[reason] ?? CLAIMS;

/** For valid tokens of the issuers whose tokens are exchanged, by the kind of issuer. */
export const EXCHANGE_FIRST = {
	partner: "This is a partner's token: exchange it at POST /v1/auth/exchange, and send the access token that you get",
	identity: "This is an identity token: exchange it at POST /v1/auth/identity/exchange, and send the access token that you get",
	phone: "This is a phone verification token: exchange it at POST /v1/auth/public/exchange/phone, and send the token that you get",
} as const;
