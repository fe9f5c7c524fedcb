// The organization that a call acts for: the one that it names, or the caller's only one.

import type { Membership } from "../runtime/ports";
import { ApiError } from "../shared/errors";
import type { Access } from "./access";
import type { AccountState, UserToken } from "./caller-lookup";

export type Credentials = {
	method: string;
	authorization: string | undefined;
	apiKey: string | undefined;
	/** `X-Service-Signature`. */
	signature: string | undefined;
	/** The raw body, which a signature covers. */
	bytes: Uint8Array | undefined;
	organizationHeader: string | undefined;
	organizationInPath: string | undefined;
};

export type OrganizationAccess = NonNullable<Access["organization"]>;

/** The organization that the request names in its path or header, or else in the claim of an identity issuer's token. */
export const actingReference = (from: "path" | "header", token: UserToken, credentials: Credentials): string | undefined =>
	(from === "path" ? credentials.organizationInPath : credentials.organizationHeader) ??
	(token.kind === "identity" ? token.organization : undefined);

/** Whether an identity issuer's token names this organization, or none. */
export function agrees(token: UserToken, { organizationId, slug }: { organizationId: string | undefined; slug: string | null }): boolean {
	const claim = token.kind === "identity" ? token.organization : undefined;
	return claim === undefined || claim.toLowerCase() === organizationId || claim === slug;
}

export const NAME_THE_ORGANIZATION = "Name the acting organization in X-Organization-Id";

/** The refusal of callers outside the organization: an organization in a path is hidden from them, one in a header is not. */
export const outsiderRefusal = (from: "path" | "header") => new ApiError(from === "path" ? "NOT_FOUND" : "FORBIDDEN");

export const referenceOf = (access: Access, credentials: Credentials): string | undefined =>
	access.organization?.from === "path" ? credentials.organizationInPath : credentials.organizationHeader;

export function actingMembership(
	from: "path" | "header",
	token: UserToken,
	credentials: Credentials,
	{ memberships }: AccountState,
): Membership {
	const reference = actingReference(from, token, credentials);
	if (reference === undefined) {
		const [only, another] = memberships;
		if (!only || another) throw new ApiError("FORBIDDEN", { description: NAME_THE_ORGANIZATION });
		return only;
	}
	const found = memberships.find((m) => m.organizationId === reference.toLowerCase()) ?? memberships.find((m) => m.slug === reference);
	if (!agrees(token, found ?? { organizationId: reference.toLowerCase(), slug: reference })) throw new ApiError("FORBIDDEN");
	if (!found) throw outsiderRefusal(from);
	return found;
}
