// Serves operations over Hono. For each request, in this order: body size and app version, credentials, rate limits, input,
// handler. A caller who is refused therefore learns nothing about the input's rules.

import type { Context } from "hono";
import { HonoBase } from "hono/hono-base";
import { readBookmarks, type Sessions } from "../db/databases";
import type { Edge, JobServices, Services } from "../runtime/services";
import { ApiError, LostRace } from "../shared/errors";
import type { Done, Draft } from "./answer";
import { answerFromCopy } from "./answers/copies";
import { CORS_HEADERS, preflightHeaders } from "./answers/cors";
import { codeOf, refusalOf, refuse } from "./answers/refusal";
import { type AppEnv, commonHeaders, report, respond, type Seen } from "./answers/response";
import { type Caller, isPublic } from "./callers/access";
import type { Credentials } from "./callers/acting-organization";
import { authenticate, identityOf, OrganizationMismatch, organizationNamed } from "./callers/authentication";
import type { CallerLookup } from "./callers/caller-lookup";
import { countFailure } from "./callers/failed-credentials";
import { execute } from "./execution";
import { onceFor, readKey } from "./idempotency/idempotency";
import { type Input, readBody, readInput } from "./input";
import { addressOf } from "./limits";
import { type AnyOperation, existsIn, homeFor, honoursIdempotencyKey, METHODS } from "./operation";
import { OperationRouter } from "./router";

export type Ports = {
	servicesFor: (edge: Edge) => Promise<JobServices>;
	callerLookup: CallerLookup;
	/** Refuses an outdated client before authentication (426). */
	gate?: (request: Request, op: AnyOperation, services: Services) => Promise<void>;
	/** Refuses callers over their limit (429); otherwise returns the headers that state the limit. */
	limit?: (request: Request, op: AnyOperation, caller: string, services: Services) => Promise<Record<string, string>>;
	/** Paths under which the router's own errors, too, carry `identifier` and `invalid_params`. */
	validationErrorsUnder?: readonly string[];
};

export type App = HonoBase<AppEnv>;

/** `add` may be called between requests. */
export function mount(ports: Ports): { readonly app: App; add(operations: readonly AnyOperation[]): void } {
	const app: App = new HonoBase({ router: new OperationRouter() });
	const mounted = new OperationRouter<AnyOperation>();
	app.notFound((c) => {
		const environment = c.env.ENVIRONMENT ?? "production";
		const here = METHODS.flatMap((method) => mounted.match(method, c.req.path)[0].map(([op]) => op)).filter((op) =>
			existsIn(op, environment),
		);
		const methods = here.map(({ method }) => method);
		const under = ports.validationErrorsUnder?.some((path) => c.req.path === path || c.req.path.startsWith(`${path}/`));
		const shape = { validationErrors: under === true };
		const requestId = requestIdOf(c);
		if (methods.length === 0) return complete(c, requestId, refuse(c, shape, requestId, noSuchPath()));
		const open = here.filter(({ cors }) => cors);
		const allow = ["OPTIONS", ...(methods.includes("GET") ? ["HEAD"] : []), ...methods].join(", ");
		if (c.req.method === "OPTIONS") {
			return complete(c, requestId, { status: 204, body: null, headers: { Allow: allow, ...(open.length > 0 && preflightHeaders(open)) } });
		}
		const headers = { Allow: allow, ...(open.length > 0 && CORS_HEADERS) };
		return complete(c, requestId, refuse(c, shape, requestId, new ApiError("METHOD_NOT_ALLOWED", { headers })));
	});
	app.onError((error, c) => {
		const requestId = requestIdOf(c);
		return complete(c, requestId, refuse(c, undefined, requestId, error));
	});
	return {
		app,
		add(operations) {
			for (const op of operations) {
				const path = op.path.replaceAll(/{(\w+)}/g, ":$1");
				app.on(op.method, path, (c) => serve(op, c, ports));
				mounted.add(op.method, path, op);
			}
		},
	};
}

const noSuchPath = () => new ApiError("NOT_FOUND", { description: "No operation has this path" });

/** The client's own id where it is well-formed. */
export const requestIdOf = (c: Context): string => {
	const sent = c.req.header("x-request-id") ?? "";
	return /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : crypto.randomUUID();
};

async function serve(op: AnyOperation, c: Context<AppEnv>, ports: Ports): Promise<Response> {
	const requestId = requestIdOf(c);
	const draft = (op.copy && (await answerFromCopy(op, c, requestId, false))) ?? (await serveFromServices(op, c, ports, requestId));
	const headers = { "Cache-Control": "no-store", ...draft.headers, ...(op.cors && CORS_HEADERS), ...deprecationOf(op) };
	return complete(c, requestId, { ...draft, headers });
}

const complete = (c: Context<AppEnv>, requestId: string, { status, body, headers }: Draft): Response =>
	new Response(body, { status, headers: { ...headers, ...commonHeaders(c.env, requestId) } });

async function serveFromServices(op: AnyOperation, c: Context<AppEnv>, ports: Ports, requestId: string): Promise<Draft> {
	let services: JobServices | undefined;
	let response: Draft;
	const limits: Record<string, string> = {};
	const seen: Seen = {};
	try {
		services = await ports.servicesFor({
			env: c.env,
			ctx: c.executionCtx,
			url: c.req.url,
			clientAddress: addressOf(c.req.raw),
			requestId,
			sessions: sessionsOf(op, c.req.header("x-d1-bookmark")),
		});
		if (!existsIn(op, services.config.ENVIRONMENT)) throw noSuchPath();
		response = await answer(op, c, services, ports, limits, seen);
	} catch (error) {
		const credentials = isPublic(op.access) ? undefined : credentialsOf(op, c, undefined);
		const refusal = services ? await countFailure(error, credentials, services) : error;
		seen.code = codeOf(op, refusal);
		response = refuse(c, op, requestId, refusal, services);
		if (response.status >= 500) response = (await answerFromCopy(op, c, requestId, true)) ?? response;
	}
	Object.assign(response.headers, limits);
	if (services) await report(op, response, services, seen);
	return response;
}

/** RFC 9745 and RFC 8594. */
function deprecationOf({ deprecated }: AnyOperation): Record<string, string> {
	if (!deprecated) return {};
	const { since, sunset, successor } = deprecated;
	return {
		Deprecation: `@${Math.floor(since / 1000)}`,
		Sunset: new Date(sunset).toUTCString(),
		Link: `<${successor}>; rel="successor-version"`,
	};
}

/** Writes decide on what the primary says; a client's bookmark only serves reads. */
function sessionsOf(op: AnyOperation, bookmarks: string | undefined): Sessions {
	if (op.method !== "GET" || op.reads === "primary") return { constraint: "first-primary" };
	return { constraint: op.reads === "unconstrained" ? "first-unconstrained" : "first-primary", bookmarks: readBookmarks(bookmarks) };
}

async function answer(
	op: AnyOperation,
	c: Context,
	services: JobServices,
	ports: Ports,
	limits: Record<string, string>,
	seen: Seen,
): Promise<Draft> {
	const bytes = op.method === "GET" ? undefined : await readBody(c.req.raw);
	await ports.gate?.(c.req.raw, op, services);
	const credentials = credentialsOf(op, c, bytes);
	try {
		const caller = await authenticate(op.access, credentials, services, ports.callerLookup);
		const identity = await identityOf(caller, credentials);
		if (caller) seen.identity = identity;
		if (caller && "organizationId" in caller) seen.organizationId = caller.organizationId;
		Object.assign(limits, await ports.limit?.(c.req.raw, op, identity, services));
		const { input, body } = readInput(op, c, bytes);
		const keyHeader = honoursIdempotencyKey(op) ? c.req.header("idempotency-key") : undefined;
		const answerTo = async (caller: Caller): Promise<Done> => {
			const there = services.at(homeFor(op, { ...input, caller }, services.home));
			const path = keyHeader === undefined ? {} : await pathByIds(op, input.path, caller, there, ports.callerLookup);
			const key = keyHeader === undefined ? undefined : await readKey(keyHeader, { op, caller, identity, home: there.home, path, body });
			const given = { ...input, caller, ifMatch: c.req.header("if-match") };
			const run = () => execute({ op, input: given, sent: body, identity, services: there, key });
			const done = key ? await onceFor(key, there, run, (error) => refusalOf(op, services.requestId, error)) : await run();
			// A replay skips the handler, so the deferred authorization check has not run yet.
			await services.databases.runDeferredChecks();
			return done;
		};
		const authenticateAgain = () => authenticate(op.access, credentials, services, ports.callerLookup);
		return respond(c, op, await answerToActual(caller, authenticateAgain, answerTo));
	} catch (error) {
		// A caller who must be refused learns nothing about what else is wrong with the request.
		const decided = services.databases.isCheckFailure(error) || (error instanceof ApiError && error.code === "TOO_MANY_REQUESTS");
		if (!decided) await runDeferredCheck(services);
		throw error;
	}
}

const credentialsOf = (op: AnyOperation, c: Context, bytes: Uint8Array | undefined): Credentials => ({
	method: op.method,
	authorization: c.req.header("authorization"),
	apiKey: c.req.header("x-api-key"),
	signature: c.req.header("x-service-signature"),
	bytes,
	organizationHeader: c.req.header("x-organization-id"),
	organizationInPath: c.req.param("organizationId"),
});

/** Runs the check that no read has carried. OrganizationMismatch is not a refusal: the caller is authorized, for another organization. */
async function runDeferredCheck({ databases }: JobServices): Promise<void> {
	try {
		await databases.runDeferredChecks();
	} catch (error) {
		if (!(error instanceof OrganizationMismatch)) throw error;
	}
}

/** Answers again if the cached guess about the caller's acting organization was wrong. */
async function answerToActual(
	guess: Caller,
	authenticateAgain: () => Promise<Caller>,
	answerTo: (caller: Caller) => Promise<Done>,
): Promise<Done> {
	try {
		return await answerTo(guess);
	} catch (error) {
		if (!(error instanceof OrganizationMismatch)) throw error;
	}
	try {
		return await answerTo(await authenticateAgain());
	} catch (error) {
		throw error instanceof OrganizationMismatch ? new LostRace() : error;
	}
}

/** The parsed path, with the organization's id even if the request names it by its slug. */
async function pathByIds(
	op: AnyOperation,
	path: Input["path"] = {},
	caller: Caller,
	services: Services,
	lookups: CallerLookup,
): Promise<Record<string, unknown>> {
	const { organizationId } = path;
	if (typeof organizationId !== "string") return path;
	if (op.access.organization?.from === "path" && caller && "organizationId" in caller) {
		return { ...path, organizationId: caller.organizationId };
	}
	return { ...path, organizationId: await organizationNamed(organizationId, services, lookups) };
}
