// What the console believes of an issuer's answers, and of another tab's session.

/** The issuer said no, or said nothing that can be used. */
export class IssuerFailed extends Error {
	/** Whether it has said no, which it will say again; else the same may go well later. */
	readonly refuses: boolean;
	constructor(what: string, refuses = false) {
		super(what);
		this.refuses = refuses;
	}
}

type Endpoints = { readonly authorization_endpoint: string; readonly token_endpoint: string };
type Issuer = { readonly issuer: string; readonly origins: readonly string[] };

const withoutSlash = (url: string): string => url.replace(/\/+$/, "");

/** Whether this is the issuer's own name. Another issuer that answers in its place would be handed its code. */
export const isOf = (issuer: string, named: string): boolean => withoutSlash(issuer) === withoutSlash(named);

/** The addresses of the issuer's discovery document; undefined if they are another issuer's, or at places that are not trusted. */
export function endpointsOf({ issuer, origins }: Issuer, found: Partial<Endpoints> & { readonly issuer?: string }): Endpoints | undefined {
	const allowed = [new URL(issuer).origin, ...origins];
	const isAllowed = (url: string | undefined): url is string => url !== undefined && allowed.includes(new URL(url).origin);
	const { authorization_endpoint, token_endpoint } = found;
	if (found.issuer === undefined || !isOf(issuer, found.issuer)) return undefined;
	return isAllowed(authorization_endpoint) && isAllowed(token_endpoint) ? { authorization_endpoint, token_endpoint } : undefined;
}

type Answer = { readonly iss: string | null; readonly path: string };

/** Whether the issuer that was asked has answered: at its own return address, and by the name in the answer if there is one (RFC 9207). */
export const isAnswerOf = (
	{ issuer, return_path }: { readonly issuer: string; readonly return_path: string },
	{ iss, path }: Answer,
): boolean => path === return_path && (iss === null || isOf(issuer, iss));

type Claims = {
	readonly iss?: unknown;
	readonly sub?: unknown;
	readonly nonce?: unknown;
	readonly iat?: unknown;
	readonly exp?: unknown;
};

function claimsOf(token: string): Claims {
	try {
		const [, body = ""] = token.split(".");
		return JSON.parse(atob(body.replaceAll("-", "+").replaceAll("_", "/"))) as Claims;
	} catch {
		return {};
	}
}

/** Whether the ID token was made for this sign-in: not for another one, whose token somebody has put in its place. */
export function isMadeFor(idToken: string, { issuer, nonce }: { readonly issuer: string; readonly nonce: string }): boolean {
	const claims = claimsOf(idToken);
	return claims.nonce === nonce && typeof claims.iss === "string" && isOf(issuer, claims.iss);
}

/** How long the token was made for; undefined if the token does not say it. */
export function secondsOf(token: string): number | undefined {
	const { iat, exp } = claimsOf(token);
	return typeof iat === "number" && typeof exp === "number" ? exp - iat : undefined;
}

/** Whose token it is; undefined for an unreadable token. */
export function subjectOf(token: string): string | undefined {
	const { iss, sub } = claimsOf(token);
	return typeof sub === "string" ? JSON.stringify([iss, sub]) : undefined;
}

/** Whether both tokens are certainly one person's. */
export const isSamePerson = (one: string, other: string): boolean => subjectOf(one) !== undefined && subjectOf(one) === subjectOf(other);

type Signed = { readonly token: string; readonly organization?: string | undefined };

/** The chosen organization, in which who signs in again goes on; another person does not. */
export const organizationKept = (before: Signed | undefined, next: Signed): string | undefined =>
	before && isSamePerson(before.token, next.token) ? before.organization : undefined;

/** Whether a sign-in that was given up may still come: with nobody signed in, or with the same person. */
export const mayReplace = (present: Signed | undefined, late: Signed): boolean => !present || isSamePerson(present.token, late.token);
