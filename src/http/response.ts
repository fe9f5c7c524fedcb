// Turns an operation's answer into an HTTP response, and reports what the request cost.

import type { Context } from "hono";
import type { JobServices } from "../runtime/services";
import { etagOf, namesEtag } from "./etag";
import type { Done } from "./execution";
import type { AnyOperation } from "./operation";
import { tell } from "./refusal";

export async function respond(c: Context, op: AnyOperation, { answer: { status, body }, headers: extra }: Done): Promise<Response> {
	const headers = new Headers(extra);
	if (op.cacheControl && status < 300) headers.set("Cache-Control", op.cacheControl);
	if (body === null) return new Response(null, { status, headers });
	if (status >= 400) return tell(c, status, body, headers);
	if (op.method === "GET" && status === 200) return representation(c, body, await etagOf(body), headers);
	headers.set("Content-Type", "application/json");
	return new Response(body, { status, headers });
}

/** 200 with the body, or 304 when the client has it. */
export function representation(c: Context, body: string, etag: string, headers: Headers): Response {
	headers.set("ETag", etag);
	if (namesEtag(c.req.header("if-none-match"), etag)) return new Response(null, { status: 304, headers });
	headers.set("Content-Type", "application/json");
	return new Response(body, { status: 200, headers });
}

/** What the log says about a request beside its answer. */
export type Seen = { identity?: string; organizationId?: string; code?: string };

export async function report(op: AnyOperation, response: Response, services: JobServices, seen: Seen): Promise<void> {
	const { config, databases, log } = services;
	const { trips, rowsRead, rowsWritten, durationMs } = databases.meter;
	const { bookmark } = databases;
	if (bookmark) response.headers.set("X-D1-Bookmark", bookmark);
	// Not on refusals: their cost would show whether something of another organization or user exists.
	if (config.ENVIRONMENT !== "production" && response.ok) {
		response.headers.append("Server-Timing", `d1;desc="trips=${trips} read=${rowsRead} written=${rowsWritten}";dur=${durationMs}`);
	}
	if (config.ENVIRONMENT === "local") return;
	log.info("request", {
		operation: op.id,
		status: response.status,
		code: seen.code,
		// A keyed digest: the same caller's requests can be found, and nobody without the master key can tell who that is.
		actor: seen.identity && (await config.keyring.check("actor", seen.identity)),
		organization: seen.organizationId,
		duration_ms: Date.now() - services.realNow,
		d1_trips: trips,
		d1_rows_read: rowsRead,
		d1_rows_written: rowsWritten,
	});
}
