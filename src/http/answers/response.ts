// Turns an operation's answer into an HTTP response, and reports what the request cost. Until everything is known about it, an answer
// is a draft: plain values, because each change of a platform `Headers` leaves JavaScript.

import type { Context } from "hono";
import type { JobServices } from "../../runtime/services";
import type { Done, Draft } from "../answer";
import { isPublic } from "../callers/access";
import { type AnyOperation, isTagged } from "../operation";
import { etagOf, namesEtag } from "./etag";
import { errorDraft } from "./refusal";
import { PRINTED_TYPE, preferred, TABULAR_TYPES, type TabularType, tableOf } from "./tables";

/** Caches keep an answer that says nothing for hours, so every one says something. */
export const NOT_KEPT = "private, no-store";

/** What Hono knows of the Worker. One name for it everywhere: types that only look the same are slow to compare. */
export type AppEnv = { Bindings: Env };

export async function respond(c: Context, op: AnyOperation, { answer: { status, body }, headers: extra }: Done): Promise<Draft> {
	const headers = { ...extra };
	if (op.cacheControl && status < 300) headers["Cache-Control"] ??= op.cacheControl;
	if (body === null) return { status, body, headers };
	if (status >= 400) return errorDraft(c, status, body, headers);
	if (typesOf(op).length > 0 && status === 200) {
		headers.Vary = "Accept";
		const type = preferred(c.req.header("accept"), typesOf(op));
		const other = type && (await asType(op, type, body));
		if (other !== undefined) return representation(c, other, await etagOf(other), headers, ON_THE_WIRE[type ?? PRINTED_TYPE]);
	}
	if (isTagged(op) && status === 200) return representation(c, body, await tagOf(op, body), headers);
	headers["Content-Type"] = "application/json";
	return { status, body, headers };
}

type OtherType = TabularType | typeof PRINTED_TYPE;

const ON_THE_WIRE: Readonly<Record<OtherType, string>> = {
	"text/csv": "text/csv; charset=utf-8",
	"application/x-ndjson": "application/x-ndjson; charset=utf-8",
	"application/pdf": PRINTED_TYPE,
};

/** As what else than JSON the operation answers. */
const typesOf = ({ tabular, printed }: AnyOperation): readonly OtherType[] => [
	...(tabular ? TABULAR_TYPES : []),
	...(printed ? [PRINTED_TYPE] : []),
];

async function asType(op: AnyOperation, type: OtherType, body: string): Promise<string | undefined> {
	if (type === PRINTED_TYPE) return op.printed?.(JSON.parse(body));
	return op.response ? tableOf(type, op.response, body, op.tabular) : undefined;
}

/** The last answer of each public operation. Most callers get the same one, so its tag is rarely computed again. */
const lastPublic = new WeakMap<AnyOperation, { readonly body: string; readonly etag: string }>();

async function tagOf(op: AnyOperation, body: string): Promise<string> {
	if (!isPublic(op.access)) return etagOf(body);
	const last = lastPublic.get(op);
	if (last?.body === body) return last.etag;
	const etag = await etagOf(body);
	lastPublic.set(op, { body, etag });
	return etag;
}

/** 200 with the body, or 304 when the client has it. */
export function representation(
	c: Context,
	body: string,
	etag: string,
	headers: Record<string, string>,
	contentType = "application/json",
): Draft {
	headers.ETag = etag;
	if (namesEtag(c.req.header("if-none-match"), etag)) return { status: 304, body: null, headers };
	headers["Content-Type"] = contentType;
	return { status: 200, body, headers };
}

/** The headers of every response of the service. An answer that others may keep says so in place of the first. */
export function commonHeaders(env: Pick<Env, "ENVIRONMENT">, requestId: string): Record<string, string> {
	return {
		"Cache-Control": NOT_KEPT,
		"X-Request-Id": requestId,
		"X-Content-Type-Options": "nosniff",
		"Referrer-Policy": "no-referrer",
		// Locally the service is plain HTTP, and the header would hold for every other program on localhost.
		...(env.ENVIRONMENT !== "local" && { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }),
	};
}

/** What the log says about a request in addition to its answer. */
export type Seen = { identity?: string; caller?: string; organizationId?: string; code?: string; from?: From };

/** By which the platform's own logs know the request, and where it arrived. */
export type From = { readonly cf_ray?: string; readonly colo?: string };

const RAY = /^[0-9a-f]{8,32}(-[A-Z]{3})?$/;

export function fromOf({ headers, cf }: Request): From {
	const ray = headers.get("cf-ray") ?? "";
	const colo = (cf as { readonly colo?: unknown } | undefined)?.colo;
	return { ...(RAY.test(ray) && { cf_ray: ray }), ...(typeof colo === "string" && { colo }) };
}

export async function report(op: AnyOperation, { status, headers }: Draft, services: JobServices, seen: Seen): Promise<void> {
	const { config, databases, log } = services;
	const { trips, statements, rowsRead, rowsWritten, durationMs, failures, region } = databases.meter;
	const { bookmark } = databases;
	// Others read what caches keep, with bookmarks of their own.
	if (bookmark && op.cacheControl === undefined) headers["X-D1-Bookmark"] = bookmark;
	// Not on refusals: their cost would show whether something of another organization or user exists.
	if (config.ENVIRONMENT !== "production" && status >= 200 && status < 300) {
		headers["Server-Timing"] =
			`d1;desc="trips=${trips} read=${rowsRead} written=${rowsWritten} statements=${statements}";dur=${durationMs}`;
	}
	if (config.ENVIRONMENT === "local") return;
	const { code = null, caller = "none" } = seen;
	const ms = Date.now() - services.realNow;
	services.providers.metrics?.record({ kind: "request", operation: op.id, status, code, caller, ms, trips, rowsRead, rowsWritten });
	log.info("request", {
		operation: op.id,
		// As declared: what a caller puts into a path may be a secret.
		method: op.method,
		path: op.path,
		status,
		code: seen.code,
		// A keyed digest: the same caller's requests can be found, and nobody without the master key knows who that is.
		actor: seen.identity && (await config.keyring.check("actor", seen.identity)),
		caller: seen.caller,
		organization: seen.organizationId,
		duration_ms: ms,
		...seen.from,
		version: config.RELEASE,
		d1_region: region,
		d1_failures: failures,
		d1_trips: trips,
		d1_rows_read: rowsRead,
		d1_rows_written: rowsWritten,
	});
}
