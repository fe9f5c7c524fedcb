// The organization that a call acts for: the organization that it names, or the caller's only one.

import type { Membership } from "../../runtime/ports";
import { ApiError, badInput, forbidden, type SubCode } from "../../shared/errors";
import type { Access } from "./access";
import type { Credentials } from "./asking";
import type { AccountState, UserToken } from "./caller-lookup";

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

/** The same whether or not there is such an organization. */
const NO_MEMBER_THERE = "X-Organization-Id names no organization that you may act for: send the id or slug of one of yours";
const NO_MEMBERSHIP = "You are a member of no organization: accept an invitation to one, or name it in X-Organization-Id";
export const OTHER_ORGANIZATION = "The token is for another organization than the request names";

export const NAME_THE_ORGANIZATION = "Name the acting organization in X-Organization-Id";

/**
 * The refusal of callers who do not belong to the organization. An organization that the path names is hidden from them (404) unless its
 * existence is public; an organization that the header names is not (403).
 */
export function outsiderRefusal({ from, foreign }: OrganizationAccess, reference: string | undefined, exists: boolean): Error {
	if (from === "header") return forbidden(NO_MEMBER_THERE);
	if (foreign && exists) return forbidden("You are no member of the organization");
	const fault = foreign && faultOfReference(reference ?? "");
	return fault ? badInput("path.organizationId", ...fault) : new ApiError("NOT_FOUND");
}

/** Why the text cannot be the id or slug of an organization; undefined if it can. */
function faultOfReference(reference: string): [reason: string, sub_code: SubCode] | undefined {
	if (reference.length > 255) return ["must have at most 255 characters", "TOO_LONG"];
	return REFERENCE.test(reference) ? undefined : ["must be an id or a slug", "INVALID_FORMAT"];
}

/** What ids and slugs consist of: characters that need no escaping in a URL. */
export const REFERENCE = /^[A-Za-z0-9._~-]+$/;

export const referenceIn = (access: Access, credentials: Credentials): string | undefined =>
	access.organization?.from === "path" ? credentials.organizationInPath : credentials.organizationHeader;

/** @param exists whether the organization that the request names exists; false where that is not known */
export function actingMembership(
	access: OrganizationAccess,
	{ token, credentials }: { token: UserToken; credentials: Credentials },
	{ account: { memberships }, exists }: { account: AccountState; exists: boolean },
): Membership {
	const reference = actingReference(access.from, token, credentials);
	if (reference === undefined) {
		const [only, another] = memberships;
		if (!only || another) throw forbidden(only ? NAME_THE_ORGANIZATION : NO_MEMBERSHIP);
		return only;
	}
	const found = memberships.find((m) => m.organizationId === reference.toLowerCase()) ?? memberships.find((m) => m.slug === reference);
	if (!agrees(token, found ?? { organizationId: reference.toLowerCase(), slug: reference })) throw forbidden(OTHER_ORGANIZATION);
	if (!found) throw outsiderRefusal(access, reference, exists);
	return found;
}
