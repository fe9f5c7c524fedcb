// The console's files, from the assets that the build has made of `src/console`. Every page of it is the same document.

import type { Context } from "hono";
import type { AppEnv } from "../http/answers/response";
import type { Ports } from "../http/ports";

const TYPES: Readonly<Record<string, string>> = {
	js: "text/javascript; charset=utf-8",
	css: "text/css; charset=utf-8",
	svg: "image/svg+xml",
};

export async function consoleFile(
	c: Context<AppEnv>,
	servicesFor: Ports["servicesFor"],
	common: Readonly<Record<string, string>>,
): Promise<Response> {
	const headers = { ...common, "Cross-Origin-Resource-Policy": "same-origin", "X-Content-Type-Options": "nosniff" };
	const file = /^\/console\/assets\/[\w-]+\.(\w+)$/.exec(c.req.path);
	const asset = await c.env.ASSETS?.fetch(`https://assets.invalid${file ? c.req.path : "/console/index.html"}`);
	const type = file ? TYPES[file[1] ?? ""] : "text/html; charset=utf-8";
	if (!asset?.ok || !type) return new Response(null, { status: 404, headers });
	if (file) {
		// Its name has a hash of its content.
		return new Response(asset.body, {
			headers: { ...headers, "Content-Type": type, "Cache-Control": "public, max-age=31536000, immutable" },
		});
	}
	const { config } = await servicesFor({ env: c.env, ctx: c.executionCtx, url: c.req.url });
	const issuers = config.CONSOLE_SIGN_IN.flatMap(({ issuer, origins }) => [new URL(issuer).origin, ...origins]);
	return new Response(asset.body, {
		headers: {
			...headers,
			"Content-Type": type,
			"Cache-Control": "no-cache",
			"Content-Security-Policy": policyWith(issuers),
			// With `same-origin` the window of a sign-in would look closed as soon as it shows the issuer's page.
			"Cross-Origin-Opener-Policy": "same-origin-allow-popups",
			"Permissions-Policy": NO_PERMISSIONS,
		},
	});
}

/** Scripts and styles of our own alone, and no markup made of texts: Trusted Types refuse it in the whole page. */
const policyWith = (issuers: readonly string[]): string =>
	[
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"img-src 'self'",
		`connect-src ${["'self'", ...new Set(issuers)].join(" ")}`,
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	].join("; ");

const NO_PERMISSIONS = ["camera", "display-capture", "geolocation", "microphone", "payment", "usb", "serial", "hid", "midi"]
	.map((feature) => `${feature}=()`)
	.join(", ");
