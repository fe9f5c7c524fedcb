// Serves operations over Hono. The order is the contract's: size and version, credentials, limits, standing,
// input, then the handler; so nobody learns anything of the input's rules without being let in.

import type { Context, Hono } from "hono";
import { ConfigurationError } from "../config";
import { CheckViolation, readBookmark, StaleWrite, UniqueViolation } from "../db/session";
import { logger } from "../log";
import { type CommitOptions, type Services, servicesFor } from "../services";
import { HostileJson, type Json, parseJson } from "../shared/json";
import type { Caller } from "./access";
import { authenticate, type Credentials, type Directory, identityOf, WrongGuess } from "./authentication";
import { ApiError, badInput, ERRORS, ErrorBody, type ErrorCode, InvalidInput } from "./errors";
import { etagOf, namesEtag } from "./etag";
import { findRecord, onceFor, readKey, recordOf } from "./idempotency";
import type { Answer } from "./idempotency-key";
import { addressOf, overQuota, QUOTA_CONSTRAINT, useOf } from "./limits";
import { type AnyOperation, badInputCode, honoursIdempotencyKey, Reply } from "./operation";
import { invalidParams, type Part } from "./validation";

const MAX_BODY_BYTES = 256 * 1024;

export type Ports = {
	directory: Directory;
	/** Refuses a client before it is authenticated (426). */
	gate?: (request: Request, op: AnyOperation, services: Services) => Promise<void>;
	/** Refuses callers over their limit (429); answers with headers that tell the limit. */
	limit?: (request: Request, op: AnyOperation, caller: string, services: Services) => Promise<Record<string, string>>;
};

type App = Hono<{ Bindings: Env }>;

export function mount(app: App, operations: readonly AnyOperation[], ports: Ports): App {
	for (const op of operations.toSorted(bySpecificity)) {
		app.on(op.method, op.path.replaceAll(/{(\w+)}/g, ":$1"), (c) => serve(op, c, ports));
	}
	const routes = operations.map((op) => ({ op, pattern: new RegExp(`^${op.path.replaceAll(".", "\\.").replaceAll(/{\w+}/g, "[^/]+")}$`) }));
	app.notFound((c) => {
		const environment = c.env.ENVIRONMENT ?? "production";
		const here = routes.filter(({ op, pattern }) => pattern.test(c.req.path) && (!op.only || op.only.some((only) => only === environment)));
		const methods = new Set(here.map(({ op }) => op.method));
		if (methods.size === 0) return refuse(c, undefined, requestIdOf(c), new ApiError("NOT_FOUND"));
		const allow = ["OPTIONS", ...(methods.has("GET") ? ["HEAD"] : []), ...methods].join(", ");
		if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: allow, "X-Request-Id": requestIdOf(c) } });
		return refuse(c, undefined, requestIdOf(c), new ApiError("METHOD_NOT_ALLOWED", { headers: { Allow: allow } }));
	});
	app.onError((error, c) => refuse(c, undefined, requestIdOf(c), error));
	return app;
}

/** Hono takes the first route that fits, so literal segments come before parameters. */
const bySpecificity = (a: AnyOperation, b: AnyOperation) => (weight(a.path) < weight(b.path) ? -1 : 1);
const weight = (path: string) => path.replaceAll(/{\w+}/g, "\uffff");

const requestIdOf = (c: Context): string => {
	const sent = c.req.header("x-request-id") ?? "";
	return /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : crypto.randomUUID();
};

async function serve(op: AnyOperation, c: Context<{ Bindings: Env }>, ports: Ports): Promise<Response> {
	const requestId = requestIdOf(c);
	let services: Services | undefined;
	let response: Response;
	const limits: Record<string, string> = {};
	try {
		services = await servicesFor({
			env: c.env,
			ctx: c.executionCtx,
			url: c.req.url,
			clientAddress: addressOf(c.req.raw),
			requestId,
			constraint: constraintOf(op, c.req.header("x-d1-bookmark")),
		});
		if (op.only && !op.only.some((environment) => environment === services?.config.ENVIRONMENT)) throw new ApiError("NOT_FOUND");
		response = await answer(op, c, services, ports, limits);
	} catch (error) {
		response = refuse(c, op, requestId, error, services);
	}
	response.headers.set("X-Request-Id", requestId);
	for (const [name, value] of Object.entries(limits)) response.headers.set(name, value);
	if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
	if (services) report(op, response, services);
	return response;
}

/** Decisions of a write are made on what the primary says; a client's bookmark only ever serves its reads. */
function constraintOf(op: AnyOperation, bookmark: string | undefined): string {
	if (op.method !== "GET" || op.reads === "primary") return "first-primary";
	return readBookmark(bookmark) ?? (op.reads === "unconstrained" ? "first-unconstrained" : "first-primary");
}

async function answer(op: AnyOperation, c: Context, services: Services, ports: Ports, limits: Record<string, string>): Promise<Response> {
	const bytes = op.method === "GET" ? undefined : await readBody(c.req.raw);
	await ports.gate?.(c.req.raw, op, services);
	const credentials: Credentials = {
		method: op.method,
		authorization: c.req.header("authorization"),
		apiKey: c.req.header("x-api-key"),
		signature: c.req.header("x-service-signature"),
		bytes,
		organizationHeader: c.req.header("x-organization-id"),
		organizationInPath: c.req.param("organizationId"),
	};
	try {
		const caller = await authenticate(op.access, credentials, services, ports.directory);
		const identity = await identityOf(caller, credentials);
		Object.assign(limits, await ports.limit?.(c.req.raw, op, identity, services));
		const { input, body } = readInput(op, c, bytes);
		const key = honoursIdempotencyKey(op)
			? await readKey(c.req.header("idempotency-key"), identity, op.method, c.req.path, body)
			: undefined;
		const execute = () =>
			run(op, { ...input, caller, ifMatch: c.req.header("if-match") }, identity, services, key, () =>
				authenticate(op.access, credentials, services, ports.directory),
			);
		if (!key) {
			const { full, headers } = await execute();
			return respond(c, op, full, headers);
		}
		let full: Answer | undefined;
		let refusal: Response | undefined;
		let headers: Record<string, string> = {};
		const { answer: kept, replayed } = await onceFor(services.env.IDEMPOTENCY_KEYS, key, async (resumed) => {
			const earlier = resumed ? await findRecord(services.db, key, services.realNow) : undefined;
			if (earlier) {
				headers = replayHeader;
				return { keep: true, answer: earlier };
			}
			try {
				const done = await execute();
				({ full, headers } = done);
				return { keep: true, answer: done.kept };
			} catch (error) {
				refusal = refuse(c, op, services.requestId, error, services);
				const { status } = refusal;
				const body = JSON.stringify(errorBodyOf(op, services.requestId, error));
				return { keep: status < 500 && status !== 401 && status !== 403 && status !== 429, answer: { status, body } };
			}
		});
		// A replay runs no handler, so nobody has looked yet whether the caller is still let in.
		await services.db.settle();
		return refusal ?? respond(c, op, full ?? kept, { ...headers, ...(replayed && replayHeader) });
	} catch (error) {
		// Who is refused anyway learns nothing of what is wrong with his input.
		if (!(error instanceof ApiError && error.code === "TOO_MANY_REQUESTS")) await services.db.settle();
		throw error;
	}
}

const replayHeader: Record<string, string> = { "Idempotent-Replayed": "true" };

type Done = { full: Answer; kept: Answer; headers: Record<string, string> };

/** Runs the handler, once more when what it had read was changed meanwhile, and turns its output into the answer. */
async function run(
	op: AnyOperation,
	input: { caller: Caller; ifMatch: string | undefined },
	identity: string,
	services: Services,
	key: { scope: string; fingerprint: string } | undefined,
	callAgain: () => Promise<Caller>,
): Promise<Done> {
	let committed: { output: unknown; done: Done } | undefined;
	const commit: Services["commit"] = async (writes, output, { unique }: CommitOptions = {}) => {
		const done = finish(op, output);
		try {
			const record = key ? [recordOf(services.db.orm, key, done.kept, services.realNow)] : [];
			await services.db.commit([...writes, useOf(services.db.orm, op, identity, services), ...record]);
		} catch (error) {
			if (error instanceof CheckViolation && error.constraint === QUOTA_CONSTRAINT) throw overQuota(op, services);
			const refusal = error instanceof UniqueViolation ? unique?.[error.columns] : undefined;
			if (refusal === "STALE") throw new StaleWrite("stale write", { cause: error });
			throw typeof refusal === "string" ? new ApiError(refusal) : (refusal ?? error);
		}
		committed = { output, done };
		return output;
	};
	for (let attempt = 1; ; attempt++) {
		try {
			const output = await op.handle(input as never, { ...services, commit });
			await services.db.settle();
			return committed?.output === output && committed ? committed.done : finish(op, output);
		} catch (error) {
			if (error instanceof UniqueViolation && error.columns === "idempotency_records.scope" && key) {
				const record = await findRecord(services.db, key, services.realNow);
				if (record) return { full: record, kept: record, headers: replayHeader };
			}
			const again = error instanceof StaleWrite || error instanceof WrongGuess;
			if (!again) throw error;
			if (attempt === 2) throw new ApiError("INVALID_STATE");
			if (error instanceof WrongGuess) input = { ...input, caller: await callAgain() };
		}
	}
}

function finish(op: AnyOperation, output: unknown): Done {
	const reply = output instanceof Reply ? output : new Reply(output);
	const status = reply.status ?? op.status ?? (op.response ? 200 : 204);
	if (!op.response) return { full: { status, body: null }, kept: { status, body: null }, headers: reply.headers };
	// Parsing drops every member that the schema does not name, so a column can never leak.
	const body = op.response.parse(reply.body);
	const full = { status, body: JSON.stringify(body) };
	const { shownOnce } = op;
	const kept = shownOnce ? { status, body: JSON.stringify(body, (name, value) => (shownOnce.includes(name) ? undefined : value)) } : full;
	return { full, kept, headers: reply.headers };
}

async function respond(c: Context, op: AnyOperation, { status, body }: Answer, extra: Record<string, string>): Promise<Response> {
	const headers = new Headers(extra);
	if (op.cacheControl && status < 300) headers.set("Cache-Control", op.cacheControl);
	if (body === null) return new Response(null, { status, headers });
	if (status >= 400) return tell(c, status, body, headers);
	headers.set("Content-Type", "application/json");
	if (op.method === "GET" && status === 200) {
		const etag = await etagOf(body);
		headers.set("ETag", etag);
		if (namesEtag(c.req.header("if-none-match"), etag)) {
			headers.delete("Content-Type");
			return new Response(null, { status: 304, headers });
		}
	}
	return new Response(body, { status, headers });
}

function readInput(
	op: AnyOperation,
	c: Context,
	bytes: Uint8Array | undefined,
): { input: Record<string, unknown>; body: Json | undefined } {
	const input: Record<string, unknown> = {};
	const parse = (part: Part & keyof typeof op.request, value: unknown, unreadable = false) => {
		const result = op.request[part].safeParse(value);
		if (!result.success) throw new InvalidInput(invalidParams(part, result.error, value), unreadable);
		input[part] = result.data;
	};
	if (op.request.path) parse("path", c.req.param());
	if (op.request.query) {
		const sent = Object.entries(c.req.queries());
		parse("query", Object.fromEntries(sent.map(([name, values]) => [name, values.length === 1 ? values[0] : values])));
	}
	const body = bytes && bytes.length > 0 ? readJson(op, c, bytes) : undefined;
	if (op.request.body) parse("body", body, body === undefined);
	return { input, body };
}

function readJson(op: AnyOperation, c: Context, bytes: Uint8Array): Json | undefined {
	const type = c.req.header("content-type");
	if (op.request.body && type !== undefined && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
		throw unreadable("header.Content-Type", "must be application/json");
	}
	try {
		return parseJson(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
	} catch (error) {
		if (!op.request.body) return undefined;
		throw unreadable("body", error instanceof HostileJson ? error.message : "is not UTF-8");
	}
}

const unreadable = (path: string, reason: string) => badInput(path, reason, "INVALID_FORMAT", true);

/** At most 256 KiB, counted as it arrives: a length that a client declares proves nothing. */
async function readBody(request: Request): Promise<Uint8Array> {
	const tooLarge = () => new ApiError("PAYLOAD_TOO_LARGE");
	if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
	if (!request.body) return new Uint8Array();
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of request.body) {
		length += chunk.length;
		if (length > MAX_BODY_BYTES) throw tooLarge();
		chunks.push(chunk);
	}
	const bytes = new Uint8Array(length);
	let at = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, at);
		at += chunk.length;
	}
	return bytes;
}

/** The code and status that an operation answers a failure with. */
function describe(op: AnyOperation | undefined, error: unknown): { code: ErrorCode; status: number; description: string } {
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

/** What is wrong, in the Error body of the specification. */
function errorBodyOf(op: AnyOperation | undefined, requestId: string, error: unknown): ErrorBody {
	const { code, description } = describe(op, error);
	const params = error instanceof InvalidInput ? [...error.params] : [];
	return {
		code,
		description,
		...((code === "INVALID_PARAMS" || op?.validationErrors) && { identifier: requestId, invalid_params: params }),
	};
}

/** The answer to a failure. What was not foreseen is logged, never told. */
function refuse(c: Context, op: AnyOperation | undefined, requestId: string, error: unknown, services?: Services): Response {
	const { status } = describe(op, error);
	if (error instanceof ConfigurationError) console.error(JSON.stringify({ level: "error", message: error.message, request_id: requestId }));
	else if (status === 500) (services?.log ?? logger({ request_id: requestId })).error("request failed", error, { operation: op?.id });
	const headers = new Headers(error instanceof ApiError ? error.headers : {});
	headers.set("X-Request-Id", requestId);
	headers.set("Cache-Control", "no-store");
	if (status === 401) headers.set("WWW-Authenticate", c.req.header("authorization") ? 'Bearer error="invalid_token"' : "Bearer");
	if ((status === 429 || status === 503) && !headers.has("Retry-After")) headers.set("Retry-After", "5");
	// A limit of the operation's own, which no policy of the rate limits tells of.
	if (status === 429 && op && !headers.has("RateLimit")) headers.set("RateLimit", `"${op.id}";r=0;t=${headers.get("Retry-After")}`);
	return tell(c, status, JSON.stringify(errorBodyOf(op, requestId, error)), headers);
}

/** The Error body as it is, or as RFC 9457's for those who ask for it. */
function tell(c: Context, status: number, body: string, headers: Headers): Response {
	if (!c.req.header("accept")?.includes("application/problem+json")) {
		headers.set("Content-Type", "application/json");
		return new Response(body, { status, headers });
	}
	const error = ErrorBody.parse(JSON.parse(body));
	const problem = { type: "about:blank", title: error.code, status, detail: error.description, instance: c.req.path, ...error };
	headers.set("Content-Type", "application/problem+json");
	return new Response(JSON.stringify(problem), { status, headers });
}

function report(op: AnyOperation, response: Response, { config, db, log }: Services): void {
	const { trips, rowsRead, rowsWritten, durationMs } = db.meter;
	if (db.bookmark) response.headers.set("X-D1-Bookmark", db.bookmark);
	if (config.ENVIRONMENT !== "production") {
		response.headers.append("Server-Timing", `d1;desc="trips=${trips} read=${rowsRead} written=${rowsWritten}";dur=${durationMs}`);
	}
	if (config.ENVIRONMENT === "local") return;
	log.info("request", { operation: op.id, status: response.status, d1_trips: trips, d1_rows_read: rowsRead, d1_rows_written: rowsWritten });
}
