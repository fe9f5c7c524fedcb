// What the edge answers where the core does not. Whether a change was made is not known then, and the same request, sent again, shows it.

import { logger } from "./log";

/** The specification gives every error under these paths the members of the validation variant. */
const VALIDATION_ERRORS = /^\/v1\/(?:branding|financing)(?:\/|$)/;

export function unreachable({ url }: Pick<Request, "url">, requestId: string, error: unknown): Response {
	logger({ request_id: requestId }).error("the core does not answer", error);
	const code = "SERVICE_UNAVAILABLE";
	const more = VALIDATION_ERRORS.test(new URL(url).pathname) ? { identifier: requestId, invalid_params: [] } : {};
	return Response.json(
		{ code, description: "The service is not available", reason: code, ...more },
		{ status: 503, headers: { "Cache-Control": "private, no-store", "Retry-After": "5", "X-Request-Id": requestId } },
	);
}
