// All operations, as one Hono app.

import type { Context } from "hono";
import { HonoBase } from "hono/hono-base";
import { limit } from "../http/limits";
import { type App, mount, type Ports, requestIdOf } from "../http/mount";
import { openapi } from "../http/openapi";
import { existsIn } from "../http/operation";
import { reference } from "../http/reference";
import { type AppEnv, commonHeaders } from "../http/response";
import { OperationRouter } from "../http/router";
import { BoundedCache } from "../shared/cache";
import { originOf } from "../shared/origin";
import { callerLookup } from "./caller-lookup";
import { eventTypes, operations } from "./domains";
import { gate } from "./version-gate";

export function createApp(servicesFor: Ports["servicesFor"]): App {
	const app = mount(new HonoBase<AppEnv>({ router: new OperationRouter() }), operations, {
		servicesFor,
		callerLookup,
		gate,
		limit,
		validationErrorsUnder: VALIDATION_ERRORS_UNDER,
	});
	app.get("/openapi.json", (c) => c.json(documentOf(c), 200, pageHeaders(c)));
	app.get("/docs", (c) => c.html(reference(documentOf(c)), 200, { ...pageHeaders(c), "Content-Security-Policy": DOCS_CONTENT_POLICY }));
	return app;
}

/** The specification gives every error of branding and invoice financing the validation variant's members. */
const VALIDATION_ERRORS_UNDER = ["/v1/branding", "/v1/financing"];

const DOCS_CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const pageHeaders = (c: Context<AppEnv>) => ({
	...commonHeaders(c.env, requestIdOf(c)),
	"Cache-Control": "public, max-age=300",
});

/** Made once for each base address, because that takes longer than most operations. A deployed Worker has one. */
const documents = new BoundedCache<ReturnType<typeof openapi>>(4, Number.POSITIVE_INFINITY);

/** The document of the operations that exist in this environment. */
function documentOf(c: Context<AppEnv>) {
	const { BASE_URL: baseUrl = originOf(c.req.url), ENVIRONMENT: environment = "production" } = c.env;
	const key = `${environment} ${baseUrl}`;
	const known = documents.get(key, 0)?.value;
	const existing = () => operations.filter((op) => existsIn(op, environment));
	const document = known ?? openapi(existing(), eventTypes, baseUrl);
	if (!known) documents.set(key, document, 0);
	return document;
}
