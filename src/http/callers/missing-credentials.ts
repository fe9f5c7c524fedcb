// The texts of 401 and 403: which credentials to send, and what those that were sent lack. The text for a refused token comes from the
// caller look-up, which knows its kind.

import { ApiError, forbidden } from "../../shared/errors";
import { type Permission, ROLES, type Role, rolePermits, type Scope } from "../../shared/permissions";
import { type Access, permissionsOf } from "./access";

export const unauthorised = (description: string): ApiError => new ApiError("UNAUTHORISED", { description });

/** Asks for a stronger or a more recent authentication (RFC 9470). */
export function insufficientAuthentication({ maxAgeSeconds, acrValues = [] }: StepUp): ApiError {
	const demands = [
		...(maxAgeSeconds === undefined ? [] : [`max_age="${maxAgeSeconds}"`]),
		...(acrValues.length === 0 ? [] : [`acr_values="${acrValues.join(" ")}"`]),
	];
	return new ApiError("UNAUTHORISED", {
		description: "The sign-in behind the token is too old or too weak for this: authenticate again",
		headers: { "WWW-Authenticate": ['Bearer error="insufficient_user_authentication"', ...demands].join(", ") },
	});
}

type StepUp = { readonly maxAgeSeconds?: number | undefined; readonly acrValues?: readonly string[] | undefined };

/** Names the credentials that the operation takes. */
export function whatToSend(access: Access): string {
	const ways = [
		...(access.user || access.organization || access.operator ? ["Authorization: Bearer <token>"] : []),
		...(access.apiKey ? ["X-API-Key: <key>"] : []),
		...(access.signature ? ["X-Service-Signature with the signature of the body"] : []),
	];
	return `Send ${ways.join(", or ")}`;
}

/** Names those who may call, to a caller who may not with any credentials. */
export function forOthers({ user, apiKey, operator, organization, signature }: Access): ApiError {
	const callers = [
		...(user ? ["users"] : []),
		...(organization ? [`members with the permission ${permissionsOf(organization).join(" or ")}`] : []),
		...(apiKey ? [`API keys with the scope ${apiKey.join(" or ")}`] : []),
		...(operator ? ["operators"] : []),
		...(signature ? ["the provider that signs the body"] : []),
	];
	return forbidden(`This is for ${listed(callers)}`);
}

const listed = (names: readonly string[]): string =>
	names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** `role`: undefined where an outside provider decides. */
export function lacksPermission(permissions: readonly Permission[], role?: Role): ApiError {
	const named = permissions.join(" or ");
	if (!role) return forbidden(`You do not have the permission ${named} in the organization`);
	const holders = ROLES.filter((one) => permissions.some((permission) => rolePermits(one, permission)));
	return forbidden(`Your role ${role} does not hold the permission ${named}: one of ${holders.join(", ")} does`);
}

export const lacksScope = (scopes: readonly Scope[]): ApiError =>
	forbidden(`The API key does not have the scope ${scopes.join(" or ")}: make a key that has it`);

export const blocked = () => forbidden("The user is blocked: only the lender can lift that", { reason: "USER_BLOCKED" });
