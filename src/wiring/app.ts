// All operations, as one Hono app, which loads a part of the domains when one of its paths is first called.

import type { Context } from "hono";
import { limit } from "../http/limits";
import { type App, mount, type Ports, requestIdOf } from "../http/mount";
import type { openapi } from "../http/openapi";
import { existsIn } from "../http/operation";
import { type AppEnv, commonHeaders } from "../http/response";
import { BoundedCache } from "../shared/cache";
import { originOf } from "../shared/origin";
import { callerLookup } from "./caller-lookup";
import { allEventTypes, allOperations, operationsOf, parts, serves } from "./domains";
import { gate } from "./version-gate";

export function createApp(servicesFor: Ports["servicesFor"]): Pick<App, "fetch"> {
	const { app, add } = mount({ servicesFor, callerLookup, gate, limit, validationErrorsUnder: VALIDATION_ERRORS_UNDER });
	app.get("/openapi.json", async (c) => c.json(await documentOf(c), 200, pageHeaders(c)));
	app.get("/docs", async (c) => {
		const [{ reference }, document] = await Promise.all([import("../http/reference"), documentOf(c)]);
		return c.html(reference(document), 200, { ...pageHeaders(c), "Content-Security-Policy": DOCS_CONTENT_POLICY });
	});
	const waiting = new Set(parts);

	/** All parts that may serve the path are mounted before it is routed, because a literal path goes before one with parameters. */
	async function mountPartsAt(path: string): Promise<void> {
		for (const part of waiting) {
			if (!serves(part, path)) continue;
			const operations = await operationsOf(part);
			// Another request may have mounted it meanwhile.
			if (waiting.delete(part)) add(operations);
		}
	}

	return {
		fetch: async (request, ...rest) => {
			if (waiting.size > 0) await mountPartsAt(app.getPath(request));
			return app.fetch(request, ...rest);
		},
	};
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
async function documentOf(c: Context<AppEnv>) {
	const { BASE_URL: baseUrl = originOf(c.req.url), ENVIRONMENT: environment = "production" } = c.env;
	const key = `${environment} ${baseUrl}`;
	const known = documents.get(key, 0)?.value;
	if (known) return known;
	const [{ openapi }, operations, eventTypes] = await Promise.all([import("../http/openapi"), allOperations(), allEventTypes()]);
	const existing = operations.filter((op) => existsIn(op, environment));
	const document = openapi(existing, eventTypes, baseUrl);
	documents.set(key, document, 0);
	return document;
}
