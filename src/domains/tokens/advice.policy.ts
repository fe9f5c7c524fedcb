// The descriptions of refused bearer tokens: what to send instead. They reveal nothing about users or configuration to strangers.

import type { Reason } from "./model/refusal.policy";

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
	KEY_ID_MALFORMED: "The bearer token's signature is invalid",
	KEY_UNKNOWN: "The bearer token's signature is invalid",
	SIGNATURE_INVALID: "The bearer token's signature is invalid",
	EXPIRED: "The bearer token has expired: get a new one",
	NOT_YET_VALID: "The bearer token is not valid yet",
	ISSUED_AT_INVALID: "The bearer token is not valid yet",
	AUDIENCE_MISMATCH: PURPOSE,
	TYPE_MISMATCH: PURPOSE,
	MEMBER_MISMATCH: PURPOSE,
	CLAIM_MISMATCH: "The bearer token lacks a claim that its issuer's tokens must have here",
};

export const adviceOn = (reason: Reason): string => ADVICE[reason] ?? CLAIMS;

/** For valid tokens of the issuers whose tokens are exchanged, by the kind of issuer. */
export const EXCHANGE_FIRST = {
	partner: "This is a partner's token: exchange it at POST /v1/auth/exchange, and send the access token that you get",
	identity: "This is an identity token: exchange it at POST /v1/auth/identity/exchange, and send the access token that you get",
	phone: "This is a phone verification token: exchange it at POST /v1/auth/public/exchange/phone, and send the token that you get",
} as const;

/** For a token of this service where one of an issuer is exchanged. */
export const NEEDS_NO_EXCHANGE = "This is a token of this service, which needs no exchange: send it as it is, in Authorization";

const FORM = "The token is not a JWT: send the whole token, three parts with a dot between them";
const KEY = "The token's signature is by none of the keys in its issuer's key set";
const ALGORITHM = "Its issuer is not registered with the token's algorithm";
const TIME = "The token's iat and exp are not those of a token that is valid now, for as long as its issuer may make them";

/** Which check the token of a partner fails, in the words of a claim: its partner's engineers make the token. */
const CHECKS: Record<Reason, string> = {
	TOO_LARGE: "The token is too long",
	NOT_A_JWT: FORM,
	HEADER_UNREADABLE: FORM,
	PAYLOAD_UNREADABLE: FORM,
	ALGORITHM_UNSUPPORTED: ALGORITHM,
	ALGORITHM_NOT_ALLOWED: ALGORITHM,
	EXTENSION_UNSUPPORTED: "The token's header has crit, which is not supported",
	KEY_ID_MALFORMED: "The token's kid is not a key's id",
	ISSUER_MISSING: "The token's iss is missing",
	ISSUER_UNKNOWN: "The token's issuer is not recognized",
	KEY_UNKNOWN: KEY,
	SIGNATURE_INVALID: KEY,
	EXPIRY_INVALID: "The token's exp is missing, or no number of seconds",
	EXPIRED: "The token has expired",
	ISSUED_AT_INVALID: TIME,
	LIFETIME_INVALID: TIME,
	NOT_YET_VALID: "The token's nbf is not yet reached",
	AUDIENCE_MISMATCH:
		"The token's aud (or azp or client_id, where the registration says so) is not the audience that its issuer is registered with",
	TYPE_MISMATCH: "The token's typ is not that of its issuer's tokens",
	MEMBER_MISMATCH: "The token is of another kind than its issuer's tokens of partners",
	CLAIM_MISMATCH: "The token lacks a claim that its issuer is registered with",
	TOKEN_ID_INVALID: "The token's jti is missing: the issuer's tokens are valid once",
	SUBJECT_INVALID: "The token's sub is missing, or too long",
	ISSUER_DISABLED: "The token's issuer is disabled",
	ORGANIZATION_INVALID: "The token's org_id names no organization",
	AUTHENTICATION_INSUFFICIENT: "The sign-in behind the token is too old or too weak",
	ALREADY_USED: "The token was used before",
};

export const checkOf = (reason: Reason): string => CHECKS[reason];
