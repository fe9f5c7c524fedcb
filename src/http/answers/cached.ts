// Answers from caches, before configuration, clock and credentials are read: for public resources that must be served even while the
// database is down.

import type { Context } from "hono";
import { ApiError } from "../../shared/errors";
import { originOf } from "../../shared/origin";
import type { Draft } from "../answer";
import type { AnyOperation } from "../operation";
import { refuse } from "./refusal";
import { type AppEnv, representation } from "./response";

/** The operation's answer from its cache; undefined when the operation itself must be served. */
export async function answerFromCache(
	op: AnyOperation,
	c: Context<AppEnv>,
	{ requestId, failed }: { requestId: string; failed: boolean },
): Promise<Draft | undefined> {
	const cached = await op.cached?.({
		env: c.env,
		baseUrl: (c.env.BASE_URL ?? originOf(c.req.url)).replace(/\/+$/, ""),
		path: c.req.param() as Record<string, string>,
		hasQuery: c.req.url.includes("?"),
		realNow: Date.now(),
		failed,
		afterwards: (work) => c.executionCtx.waitUntil(work()),
	});
	if (cached === undefined) return undefined;
	if (cached === "ABSENT") return refuse(c, op, { requestId, error: new ApiError("NOT_FOUND") });
	const headers: Record<string, string> = op.cacheControl === undefined ? {} : { "Cache-Control": op.cacheControl };
	// After a failure the service itself reports what the request has cost.
	if (!failed && (c.env.ENVIRONMENT ?? "production") !== "production")
		headers["Server-Timing"] = 'd1;desc="trips=0 read=0 written=0 statements=0";dur=0';
	return representation(c, cached.body, cached.etag, headers);
}
