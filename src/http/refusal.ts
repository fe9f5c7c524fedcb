// How a failure is told: what the caller may know of it, and in which form.

import type { Context } from "hono";
import { ConfigurationError } from "../config";
import { logger } from "../log";
import type { Services } from "../services";
import { ApiError, ERRORS, type ErrorBody, type ErrorCode, InvalidInput } from "./errors";
import { type AnyOperation, badInputCode } from "./operation";

/** The code and status that an operation answers a failure with. */
export function describe(op: AnyOperation | undefined, error: unknown): { code: ErrorCode; status: number; description: string } {
	const code: ErrorCode =
		error instanceof ApiError
			? error.code
			: error instanceof InvalidInput
				? op
					? badInputCode(op)
					: "INVALID_PARAMS"
				: error instanceof ConfigurationError
					? "SERVICE_UNAVAILABLE"
					: (op?.unexpected ?? "INTERNAL_SERVER_ERROR");
	if (error instanceof ApiError) return { code, status: error.status, description: error.message };
	const { status } = ERRORS[code];
	if (code === "BAD_REQUEST" && error instanceof InvalidInput && !error.unreadable) return { code, status, description: "Invalid input" };
	return { code, status, description: ERRORS[code].description };
}

/** The Error body of the specification, or RFC 9457's for those who ask for it. What was not foreseen is logged, never told. */
export function refuse(c: Context, op: AnyOperation | undefined, requestId: string, error: unknown, services?: Services): Response {
	const { code, status, description } = describe(op, error);
	if (error instanceof ConfigurationError) console.error(JSON.stringify({ level: "error", message: error.message, request_id: requestId }));
	else if (status === 500) (services?.log ?? logger({ request_id: requestId })).error("request failed", error, { operation: op?.id });
	const params = error instanceof InvalidInput ? [...error.params] : [];
	const body: ErrorBody = {
		code,
		description,
		...((code === "INVALID_PARAMS" || op?.validationErrors) && { identifier: requestId, invalid_params: params }),
	};
	const headers = new Headers(error instanceof ApiError ? error.headers : {});
	headers.set("X-Request-Id", requestId);
	headers.set("Cache-Control", "no-store");
	if (status === 401) headers.set("WWW-Authenticate", c.req.header("authorization") ? 'Bearer error="invalid_token"' : "Bearer");
	if ((status === 429 || status === 503) && !headers.has("Retry-After")) headers.set("Retry-After", "5");
	if (c.req.header("accept")?.includes("application/problem+json")) {
		headers.set("Content-Type", "application/problem+json");
		const problem = { type: "about:blank", title: code, status, detail: description, instance: c.req.path };
		return new Response(JSON.stringify({ ...problem, ...body }), { status, headers });
	}
	headers.set("Content-Type", "application/json");
	return new Response(JSON.stringify(body), { status, headers });
}
