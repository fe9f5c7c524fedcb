// What the console believes of an issuer's answers, and of another tab's session.

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

/** Whose token it is; undefined for one that cannot be read. */
export function subjectOf(token: string): string | undefined {
	try {
		const [, body = ""] = token.split(".");
		const { iss, sub } = JSON.parse(atob(body.replaceAll("-", "+").replaceAll("_", "/"))) as { iss?: unknown; sub?: unknown };
		return typeof sub === "string" ? JSON.stringify([iss, sub]) : undefined;
	} catch {
		return undefined;
	}
}

/** Whether both tokens are certainly one person's. */
export const isSamePerson = (one: string, other: string): boolean => subjectOf(one) !== undefined && subjectOf(one) === subjectOf(other);
