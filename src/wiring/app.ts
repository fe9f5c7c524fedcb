// All operations, as one Hono app, which loads a part of the domains when one of its paths is first called.

import type { Context } from "hono";
import { type AppEnv, commonHeaders } from "../http/answers/response";
import { limit } from "../http/limits";
import { type App, mount, requestIdOf } from "../http/mount";
import type { Ports } from "../http/ports";
import { originOf } from "../shared/origin";
import { callerLookup } from "./caller-lookup";
import type { DocumentName } from "./documents";
import { parts } from "./domains";
import { operationsOf, serves } from "./loading";
import { gate } from "./version-gate";

export function createApp(servicesFor: Ports["servicesFor"]): Pick<App, "fetch"> {
	const { app, add } = mount({ servicesFor, callerLookup, gate, limit, holding, validationErrorsUnder: VALIDATION_ERRORS_UNDER });
	app.get("/openapi.json", async (c) =>
		c.body(await document("openapi.json", c), 200, { ...pageHeaders(c), "Content-Type": "application/json" }),
	);
	app.get("/docs", async (c) =>
		c.html(await document("docs.html", c), 200, { ...pageHeaders(c), "Content-Security-Policy": DOCS_CONTENT_POLICY }),
	);
	app.post("/v1/sandbox/receiver/:webhookId", async (c) => {
		const status = await (await import("./own-receiver")).receive(c, servicesFor);
		return new Response(null, { status, headers: commonHeaders(c.env, requestIdOf(c)) });
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

/** Loaded when it is needed, like every domain. */
export const holding: NonNullable<Ports["holding"]> = async (op, sent) =>
	(await import("../domains/approvals/holding.operations")).holding(op, sent);

/** The specification gives every error of branding and invoice financing the validation variant's members. */
const VALIDATION_ERRORS_UNDER = ["/v1/branding", "/v1/financing"];

const DOCS_CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const pageHeaders = (c: Context<AppEnv>) => ({
	...commonHeaders(c.env, requestIdOf(c)),
	"Cache-Control": "public, max-age=300",
});

/** What a build has made ahead is read from its assets, and the code that makes it is not in the build. */
async function document(name: DocumentName, c: Context<AppEnv>): Promise<string> {
	const { documentOf } = await (import.meta.env?.PROD ? import("./built-documents") : import("./documents"));
	return documentOf(name, addressOf(c), c.env);
}

const addressOf = (c: Context<AppEnv>): string => c.env.BASE_URL ?? originOf(c.req.url);
