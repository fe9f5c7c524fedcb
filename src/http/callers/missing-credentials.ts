// The text of a 401: which credentials to send. The text for a refused token comes from the caller look-up, which knows its kind.

import { ApiError } from "../../shared/errors";
import type { Access } from "./access";

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
