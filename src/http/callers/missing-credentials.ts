// The text of a 401: which credentials to send. The text for a refused token comes from the caller look-up, which knows its kind.

import { ApiError } from "../../shared/errors";
import type { Access } from "./access";

export const unauthorised = (description: string): ApiError => new ApiError("UNAUTHORISED", { description });

/** Names the credentials that the operation takes. */
export function whatToSend(access: Access): string {
	const ways = [
		...(access.user || access.organization || access.operator ? ["Authorization: Bearer <token>"] : []),
		...(access.apiKey ? ["X-API-Key: <key>"] : []),
		...(access.signature ? ["X-Service-Signature with the signature of the body"] : []),
	];
	return `Send ${ways.join(", or ")}`;
}
