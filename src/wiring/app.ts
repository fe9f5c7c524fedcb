// All operations, as one Hono app, which loads a part of the domains when one of its paths is first called.

import type { Context } from "hono";
import { isVersion, judgeVersion, storeOf } from "../domains/app-settings/policy";
import { addressOf } from "../http/answers/address";
import { type AppEnv, commonHeaders } from "../http/answers/response";
import { limit } from "../http/limits";
import { type App, mount, requestIdOf } from "../http/mount";
import type { AnyOperation } from "../http/operation";
import type { Ports } from "../http/ports";
import type { Services } from "../runtime/services";
import { ApiError } from "../shared/errors";
import { callerLookup } from "./caller-lookup";
import type { DocumentName } from "./documents";
import { parts } from "./domains";
import { operationsOf, serves } from "./loading";

export function createApp(servicesFor: Ports["servicesFor"]): Pick<App, "fetch"> {
	const { app, add } = mount({ servicesFor, callerLookup, gate, limit, holding, validationErrorsUnder: VALIDATION_ERRORS_UNDER });
	app.get("/openapi.json", (c) => answerDocument(c, "openapi.json"));
	app.get("/docs", (c) => answerDocument(c, "docs/index.html"));
	app.get("/docs/:page", (c) => answerPage(c, c.req.param("page")));
	app.get("/docs/guides/:guide", (c) => answerPage(c, `guides/${c.req.param("guide")}`));
	// Its operation `/console/config.json` is a literal path, which goes before these.
	for (const path of CONSOLE_PATHS) {
		app.get(path, async (c) => (await import("./console")).consoleFile(c, servicesFor, commonHeaders(c.env, requestIdOf(c))));
	}
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

/** As deep as its pages and its files lie. */
const CONSOLE_PATHS = ["/console", "/console/", "/console/:page", "/console/:page/:id", "/console/:page/:id/:part"];

/** Loaded when it is needed, like every domain. */
export const holding: NonNullable<Ports["holding"]> = async (op, sent) =>
	(await import("../domains/approvals/holding.operations")).holding(op, sent);

/** The specification gives every error of branding and invoice financing the validation variant's members. */
const VALIDATION_ERRORS_UNDER = ["/v1/branding", "/v1/financing"];

const DOCS_CONTENT_POLICY = [
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'",
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
].join("; ");

/** What pages load with them. */
const FILE = /^(?:reference\.(?:css|js)|search\.json)$/;

const PAGE = /^(?:guides\/)?[a-z-]+$/;

const answerPage = (c: Context<AppEnv>, page: string): Response | Promise<Response> =>
	FILE.test(page) ? answerDocument(c, `docs/${page}`) : PAGE.test(page) ? answerDocument(c, `docs/${page}.html`) : c.notFound();

const TYPES: Readonly<Record<string, string>> = {
	html: "text/html; charset=UTF-8",
	json: "application/json",
	css: "text/css; charset=UTF-8",
	js: "text/javascript; charset=UTF-8",
};

/** An asset of the build holds what was made ahead, and the code that makes it is not in the build. */
async function answerDocument(c: Context<AppEnv>, name: DocumentName): Promise<Response> {
	const { documentOf } = await (import.meta.env?.PROD ? import("./built-documents") : import("./documents"));
	const text = await documentOf(name, addressOf(c), c.env);
	if (text === undefined) return c.notFound();
	return c.body(text, 200, {
		...commonHeaders(c.env, requestIdOf(c)),
		"Cache-Control": "public, max-age=300, stale-if-error=86100",
		"Content-Type": TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "",
		...(name.endsWith(".html") && { "Content-Security-Policy": DOCS_CONTENT_POLICY }),
	});
}

/** Refuses apps that must upgrade. A client that sends no readable version is not an app. */
async function gate(request: Request, op: AnyOperation, services: Services): Promise<void> {
	const version = request.headers.get("x-app-version");
	if (version === null || op.gated === false || !isVersion(version)) return;
	const { currentSettings } = await import("../domains/app-settings/cache");
	const known = await currentSettings(services);
	// While the minimum is unknown, every version is served.
	if (!known) return;
	const platform = request.headers.get("x-app-platform")?.toUpperCase();
	if (!judgeVersion(known.settings, platform, version, services.now).updateRequired) return;
	const store_url = storeOf(known.settings, platform);
	throw new ApiError("UPGRADE_REQUIRED", store_url === null ? {} : { hints: { store_url } });
}
