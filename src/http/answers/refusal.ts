// How a failure is answered: what the caller may know of it, and in which form.

import type { Context } from "hono";
import { DatabaseUnavailable } from "../../db/transient";
import { localeOf, refusalText } from "../../messages/texts";
import { ConfigurationError } from "../../runtime/config";
import { logger } from "../../runtime/log";
import { AuthorizationFailure, KeysUnavailable } from "../../runtime/ports";
import type { Services } from "../../runtime/services";
import {
	ApiError,
	type Because,
	ERRORS,
	type ErrorCode,
	InvalidInput,
	type InvalidParam,
	LostRace,
	MAX_INVALID_PARAMS,
} from "../../shared/errors";
import type { Locale } from "../../shared/locale";
import type { Draft } from "../answer";
import { type AnyOperation, badInputCode } from "../operation";
import { addressOf } from "./address";
import type { ErrorBody, Problem } from "./error-body";

/** The members of an operation that shape its refusals. The router's own refusals have no operation. */
type Answering = Partial<Pick<AnyOperation, "id" | "path" | "badInput" | "unexpected" | "validationErrors">>;

/** Whether a service that says who callers are, or what they may, did not answer. Its adapter has logged why. */
const isFailureOfAnother = (error: unknown): boolean => error instanceof AuthorizationFailure || error instanceof KeysUnavailable;

/** The code and status that an operation answers a failure with. */
function describe(op: Answering | undefined, error: unknown): { code: ErrorCode; status: number; description: string } {
	const code: ErrorCode =
		error instanceof ApiError
			? error.code
			: error instanceof InvalidInput
				? op
					? badInputCode(op)
					: "INVALID_PARAMS"
				: error instanceof ConfigurationError || error instanceof DatabaseUnavailable || isFailureOfAnother(error)
					? "SERVICE_UNAVAILABLE"
					: (op?.unexpected ?? "INTERNAL_SERVER_ERROR");
	if (error instanceof ApiError) {
		const silent = code === "NOT_FOUND" && error.message === ERRORS.NOT_FOUND.description;
		return { code, status: error.status, description: (silent && op?.path && absentIn(op.path)) || error.message };
	}
	const { status } = ERRORS[code];
	if (error instanceof KeysUnavailable)
		return { code, status, description: "The key set of the token's issuer cannot be fetched: try again" };
	if (code === "BAD_REQUEST" && error instanceof InvalidInput && !error.unreadable) return { code, status, description: "Invalid input" };
	// The specification has the text of BAD_REQUEST alone.
	if (code !== "BAD_REQUEST" && error instanceof InvalidInput) return { code, status, description: sentenceOf(error.params) };
	return { code, status, description: ERRORS[code].description };
}

/** The first fault, and the number of the others. */
const sentenceOf = ([first, ...others]: readonly Pick<InvalidParam, "path" | "reason">[]): string =>
	first === undefined
		? ERRORS.INVALID_PARAMS.description
		: `${first.path} ${first.reason}${others.length === 0 ? "" : ` (and ${others.length} more)`}`;

/** The error code that the operation answers a failure with. */
export const codeOf = (op: Answering, error: unknown): ErrorCode => describe(op, error).code;

/** A description that names the resources in the path, one of which does not exist. Undefined for a path without ids. */
function absentIn(path: string): string | undefined {
	const segments = path.split("/");
	const isName = (index: number) => segments[index]?.startsWith("{") ?? false;
	const things = segments.flatMap((segment, index) => {
		const name = /^{(\w+)}$/.exec(segment)?.[1];
		// Parameters that follow each other are together the name of one thing.
		if (name === undefined || isName(index + 1)) return [];
		const collection = segments.findLast((_, before) => before < index && !isName(before)) ?? "";
		return [name === "id" || isName(index - 1) ? singular(collection) : words(name)];
	});
	return things.length === 0 ? undefined : `There is no such ${things.join(" or ")}`;
}

const words = (name: string): string =>
	name
		.replaceAll(/([A-Z])/g, "_$1")
		.toLowerCase()
		.replace(/_id$/, "")
		.replaceAll("_", " ");

const singular = (collection: string): string =>
	collection.replace(/ies$/, "y").replace(/s$/, "").replaceAll("-", " ").replace(/^api /, "API ");

/** `requestId` and `locale` are the request's. */
type Asked = { readonly requestId: string; readonly locale: Locale };

/** A failure as status and Error body. */
export const refusalOf = (op: Answering | undefined, asked: Asked, error: unknown): { status: number; body: string } => ({
	status: describe(op, error).status,
	body: JSON.stringify(errorBodyOf(op, asked, error)),
});

const NOTHING_ELSE: Because = {};

/** The Error body of the specification, with what programs and people need in addition. */
function errorBodyOf(op: Answering | undefined, { requestId, locale }: Asked, error: unknown): ErrorBody {
	const { code, description } = describe(op, error);
	const params = error instanceof InvalidInput ? error.params.slice(0, MAX_INVALID_PARAMS) : [];
	const { reason: own, hints, sum } = error instanceof InvalidInput || error instanceof ApiError ? error.because : NOTHING_ELSE;
	const subCode = error instanceof LostRace ? error.subCode : params[0]?.sub_code;
	const reason = own ?? subCode ?? code;
	const user_message = refusalText(locale, [reason, code], sum);
	return {
		code,
		description,
		reason,
		...(user_message !== undefined && { user_message }),
		...(error instanceof LostRace && { sub_code: "CONCURRENT_CHANGE" as const }),
		...((code === "INVALID_PARAMS" || op?.validationErrors) && { identifier: requestId }),
		...((params.length > 0 || code === "INVALID_PARAMS" || op?.validationErrors) && { invalid_params: params }),
		...hints,
	};
}

/** `services`: of the request, as far as it got. `locale`: the caller's, where they are known. */
type Failure = { requestId: string; error: unknown; services?: Services | undefined; locale?: Locale | undefined };

/** The response to a failure. Unexpected errors are logged; their details never reach the caller. */
export function refuse(c: Context, op: Answering | undefined, { requestId, error, services, locale }: Failure): Draft {
	const { status, body } = refusalOf(op, { requestId, locale: locale ?? localeOf(c.req.header("accept-language")) }, error);
	if (error instanceof ConfigurationError) {
		const { message, variables } = error;
		console.error(JSON.stringify({ level: "error", message, variables, request_id: requestId }));
	} else if (error instanceof DatabaseUnavailable) {
		(services?.log ?? logger({ request_id: requestId })).error("the database does not answer", error, { operation: op?.id });
	} else if (status === 500) (services?.log ?? logger({ request_id: requestId })).error("request failed", error, { operation: op?.id });
	const headers: Record<string, string> = error instanceof ApiError ? { ...error.headers } : {};
	if (status === 401) headers["WWW-Authenticate"] ??= c.req.header("authorization") ? 'Bearer error="invalid_token"' : "Bearer";
	if (status === 429 || status === 503) headers["Retry-After"] ??= "5";
	// The operation's own limit, which the rate-limit policies do not describe.
	if (status === 429 && op?.id) headers.RateLimit ??= `"${op.id}";r=0;t=${headers["Retry-After"]}`;
	return errorDraft(c, status, body, headers, error instanceof InvalidInput ? { identifier: requestId } : {});
}

/**
 * The Error body, or a problem document (RFC 9457) for clients that accept one.
 *
 * @param more members of the problem document that the Error body must not have
 */
export function errorDraft(c: Context, status: number, body: string, headers: Record<string, string>, more: object = {}): Draft {
	if (!c.req.header("accept")?.includes("application/problem+json")) {
		headers["Content-Type"] = "application/json";
		return { status, body, headers };
	}
	const error = JSON.parse(body) as ErrorBody;
	const problem: Problem = {
		type: `${addressOf(c)}/docs/errors#${error.code}`,
		title: error.code,
		status,
		detail: error.code === "BAD_REQUEST" && error.invalid_params?.length ? sentenceOf(error.invalid_params) : error.description,
		remedy: ERRORS[error.code as ErrorCode].remedy,
		instance: c.req.path,
		...more,
		...error,
	};
	headers["Content-Type"] = "application/problem+json";
	return { status, body: JSON.stringify(problem), headers };
}
