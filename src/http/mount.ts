// Serves operations over Hono: each request by a `Call`, and what no operation serves by the router's own refusals.

import type { Context } from "hono";
import { HonoBase } from "hono/hono-base";
import { ApiError } from "../shared/errors";
import { requestIdFrom } from "../shared/request-id";
import type { Draft } from "./answer";
import { CORS_HEADERS, preflightHeaders } from "./answers/cors";
import { refuse } from "./answers/refusal";
import { type AppEnv, commonHeaders } from "./answers/response";
import { Call, noSuchPath } from "./call";
import { type AnyOperation, existsIn, METHODS } from "./operation";
import type { Ports } from "./ports";
import { OperationRouter } from "./router";

export type App = HonoBase<AppEnv>;

/** `add` may be called between requests. */
export function mount(ports: Ports): { readonly app: App; add(operations: readonly AnyOperation[]): void } {
	const app: App = new HonoBase({ router: new OperationRouter() });
	const mounted = new OperationRouter<AnyOperation>();
	app.notFound((c) => {
		const requestId = requestIdOf(c);
		const environment = c.env.ENVIRONMENT ?? "production";
		const matching = METHODS.flatMap((method) => mounted.match(method, c.req.path)[0].map(([op]) => op));
		const here = matching.filter((op) => existsIn(op, environment));
		const validationErrors = under(ports.validationErrorsUnder ?? [], c.req.path);
		return complete(c, requestId, answerWithoutOperation(c, here, { validationErrors, requestId }));
	});
	app.onError((error, c) => {
		const requestId = requestIdOf(c);
		return complete(c, requestId, refuse(c, undefined, { requestId, error }));
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

const under = (paths: readonly string[], path: string): boolean => paths.some((each) => path === each || path.startsWith(`${each}/`));

type Unserved = { validationErrors: boolean; requestId: string };

/** Answers a request that no operation serves. `here`: the operations at its path, which have other methods. */
function answerWithoutOperation(c: Context<AppEnv>, here: readonly AnyOperation[], { validationErrors, requestId }: Unserved): Draft {
	const refused = (error: ApiError) => refuse(c, { validationErrors }, { requestId, error });
	if (here.length === 0) return refused(noSuchPath());
	const methods = here.map(({ method }) => method);
	const open = here.filter(({ cors }) => cors);
	const Allow = ["OPTIONS", ...(methods.includes("GET") ? ["HEAD"] : []), ...methods].join(", ");
	if (c.req.method === "OPTIONS") return { status: 204, body: null, headers: { Allow, ...(open.length > 0 && preflightHeaders(open)) } };
	return refused(
		new ApiError("METHOD_NOT_ALLOWED", {
			description: `The path takes ${methods.join(", ")}`,
			headers: { Allow, ...(open.length > 0 && CORS_HEADERS) },
		}),
	);
}

export const requestIdOf = (c: Context): string => requestIdFrom(c.req.header("x-request-id"));

async function serve(op: AnyOperation, c: Context<AppEnv>, ports: Ports): Promise<Response> {
	const requestId = requestIdOf(c);
	const draft = await new Call(op, c, { ports, requestId }).answer();
	const headers = { ...draft.headers, ...(op.cors && CORS_HEADERS), ...deprecationOf(op) };
	return complete(c, requestId, { ...draft, headers });
}

const complete = (c: Context<AppEnv>, requestId: string, { status, body, headers }: Draft): Response =>
	new Response(body, { status, headers: { ...commonHeaders(c.env, requestId), ...headers } });

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
