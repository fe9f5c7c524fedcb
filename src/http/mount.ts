// Serves operations over Hono. The order is the contract's: size and version, credentials, limits, standing,
// input, then the handler; so nobody learns anything of the input's rules without being let in.

import type { Context, Hono } from "hono";
import { CheckViolation, readBookmark, StaleWrite, UniqueViolation } from "../db/database";
import type { CommitOptions, Edge, Services } from "../runtime/services";
import { ApiError, InvalidInput } from "../shared/errors";
import type { Caller } from "./access";
import type { Credentials } from "./acting-organization";
import { authenticate, identityOf, OrganizationMismatch } from "./authentication";
import type { Directory } from "./directory";
import { etagOf, namesEtag } from "./etag";
import { findRecord, onceFor, readKey, recordOf } from "./idempotency";
import type { Answer } from "./idempotency-key";
import { readBody, readInput } from "./input";
import { addressOf, overQuota, QUOTA_CONSTRAINT, useOf } from "./limits";
import { type AnyOperation, honoursIdempotencyKey, Reply } from "./operation";
import { errorBodyOf, refuse, tell } from "./refusal";

export type Ports = {
	servicesFor: (edge: Edge) => Promise<Services>;
	directory: Directory;
	/** Refuses a client before it is authenticated (426). */
	gate?: (request: Request, op: AnyOperation, services: Services) => Promise<void>;
	/** Refuses callers over their limit (429); answers with headers that tell the limit. */
	limit?: (request: Request, op: AnyOperation, caller: string, services: Services) => Promise<Record<string, string>>;
};

type App = Hono<{ Bindings: Env }>;

export function mount(app: App, operations: readonly AnyOperation[], ports: Ports): App {
	app.use(async (c, next) => {
		await next();
		if (!c.res.headers.has("X-Request-Id")) c.res.headers.set("X-Request-Id", requestIdOf(c));
	});
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
		if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: allow } });
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
		services = await ports.servicesFor({
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
			? await readKey(c.req.header("idempotency-key"), actorOf(op, identity, credentials), op.method, c.req.path, body)
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
			// In a session of its own: the check of the caller goes on waiting for the handler's read, or for the replay.
			const earlier = resumed ? await findRecord(services.primary(), key, services.realNow) : undefined;
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
				const decided = !(error instanceof InvalidInput) && status !== 401 && status !== 403 && status !== 429 && status < 500;
				return { keep: decided, answer: { status, body } };
			}
		});
		// A replay runs no handler, so nobody has looked yet whether the caller is still let in.
		await runDeferredCheck(services);
		return refusal ?? respond(c, op, full ?? kept, { ...headers, ...(replayed && replayHeader) });
	} catch (error) {
		// Who is refused anyway learns nothing of what is wrong with his input.
		if (!(error instanceof ApiError && error.code === "TOO_MANY_REQUESTS")) await runDeferredCheck(services);
		throw error;
	}
}

/** Refuses a caller whom no read has checked. One who is let in for another organization than was thought is let in. */
async function runDeferredCheck({ db }: Services): Promise<void> {
	try {
		await db.runDeferredCheck();
	} catch (error) {
		if (!(error instanceof OrganizationMismatch)) throw error;
	}
}

/** Whose a key is: somebody who acts for two organizations is two callers. */
const actorOf = ({ access }: AnyOperation, identity: string, { organizationHeader }: Credentials): string =>
	access.organization?.from === "header" && organizationHeader !== undefined
		? `${identity} for ${organizationHeader.toLowerCase()}`
		: identity;

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
			await services.db.runDeferredCheck();
			return committed?.output === output && committed ? committed.done : finish(op, output);
		} catch (error) {
			if (error instanceof UniqueViolation && error.columns === "idempotency_records.scope" && key) {
				const record = await findRecord(services.db, key, services.realNow);
				if (record) return { full: record, kept: record, headers: replayHeader };
			}
			const again = error instanceof StaleWrite || error instanceof OrganizationMismatch;
			if (!again) throw error;
			if (attempt === 2) throw new ApiError("INVALID_STATE");
			if (error instanceof OrganizationMismatch) input = { ...input, caller: await callAgain() };
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

function report(op: AnyOperation, response: Response, { config, db, log }: Services): void {
	const { trips, rowsRead, rowsWritten, durationMs } = db.meter;
	if (db.bookmark) response.headers.set("X-D1-Bookmark", db.bookmark);
	if (config.ENVIRONMENT !== "production") {
		response.headers.append("Server-Timing", `d1;desc="trips=${trips} read=${rowsRead} written=${rowsWritten}";dur=${durationMs}`);
	}
	if (config.ENVIRONMENT === "local") return;
	log.info("request", { operation: op.id, status: response.status, d1_trips: trips, d1_rows_read: rowsRead, d1_rows_written: rowsWritten });
}
