// What refused callers get.

import { permissionsOf } from "../../src/http/callers/access";
import type { AnyOperation } from "../../src/http/operation";

const SIGNATURE = "The bearer token's signature is invalid";
const PURPOSE = "The bearer token is for another purpose: send an access token";
const CLAIMS = "The bearer token's claims are not those of a token that this service accepts";
const ALGORITHM = "The bearer token's algorithm is not accepted";
const EXPIRED = "The bearer token has expired: get a new one";
const PHONE = "This is a phone verification token: exchange it at POST /v1/auth/public/exchange/phone, and send the token that you get";

/** What the caller learns about each bad token. */
export const TOLD: Record<string, string> = {
	"an expired token": EXPIRED,
	"a token without an expiry": CLAIMS,
	"a custom token": PURPOSE,
	"a phone verification token": PHONE,
	"an access token whose typ is JWT": PURPOSE,
	"a token for another audience": PURPOSE,
	"a token of an unknown issuer": "The bearer token's issuer is not trusted here",
	"a token without an issuer": CLAIMS,
	"a token signed by another key": SIGNATURE,
	"a token whose signature was truncated": SIGNATURE,
	"a token whose claims were changed": SIGNATURE,
	"an unsigned token": ALGORITHM,
	"a token signed with the public key as a secret": ALGORITHM,
	"a token that brings its own key": SIGNATURE,
	"an expired operator's token": EXPIRED,
	"an operator's token for another audience": PURPOSE,
	"an operator's token signed by another key": SIGNATURE,
	"an unsigned operator's token": ALGORITHM,
	"a sandbox token without a kind": PURPOSE,
	"a partner issuer's token": "This is a partner's token: exchange it at POST /v1/auth/exchange, and send the access token that you get",
	"a phone issuer's token": PHONE,
	"an identity issuer's token":
		"This is an identity token: exchange it at POST /v1/auth/identity/exchange, and send the access token that you get",
	"a text that is not a JWT": "The bearer token is not a JWT: send the whole access token",
};

export const BLOCKED = "The user is blocked: only the lender can lift that";
export const NO_MEMBER = "You are a member of no organization: accept an invitation to one, or name it in X-Organization-Id";

/** Whom an operation is for, as it says to those who may not call it with any credentials. */
export function forOthers({ access: { user, organization, apiKey, operator, signature } }: AnyOperation): string {
	const callers = [
		user && "users",
		organization && `members with the permission ${permissionsOf(organization).join(" or ")}`,
		apiKey && `API keys with the scope ${apiKey.join(" or ")}`,
		operator && "operators",
		signature && "the provider that signs the body",
	].filter((one) => one !== undefined);
	return `This is for ${callers.join(", ").replace(/, ([^,]*)$/, " and $1")}`;
}

/** How a stranger to an organization is refused, where its existence is public or they have named it in a header. */
export const strange = ({ access: { organization } }: AnyOperation): string =>
	organization?.from === "path"
		? "You are no member of the organization"
		: "X-Organization-Id names no organization that you may act for: send the id or slug of one of yours";
