// What a 401 says: what to send. Tokens that are refused get their text from the caller look-up, which knows what they are for.

import { ApiError } from "../shared/errors";
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
