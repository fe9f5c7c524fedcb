// Answers from memory, before configuration, clock and credentials are read: for public resources that must be served even while the
// database is down.

import type { Context } from "hono";
import { ApiError } from "../../shared/errors";
import type { Draft } from "../answer";
import type { AnyOperation } from "../operation";
import { refuse } from "./refusal";
import { type AppEnv, representation } from "./response";

/** The operation's answer from memory; undefined when the operation itself must be served. */
export async function answerFromCache(
	op: AnyOperation,
	c: Context<AppEnv>,
	{ requestId, failed }: { requestId: string; failed: boolean },
): Promise<Draft | undefined> {
	const realNow = Date.now();
	const cached = await op.cached?.({
		env: c.env,
		path: c.req.param() as Record<string, string>,
		hasQuery: c.req.url.includes("?"),
		realNow,
		anew: c.req.header("cache-control")?.includes("no-cache") ?? false,
		failed,
	});
	if (cached === undefined) return undefined;
	if (cached === "ABSENT") return refuse(c, op, { requestId, error: new ApiError("NOT_FOUND") });
	const headers: Record<string, string> = {};
	if (cached.readAt !== undefined) headers.Age = `${Math.max(0, Math.floor((realNow - cached.readAt) / 1000))}`;
	// Nobody keeps what may be of any age.
	if (op.cacheControl !== undefined && !failed) headers["Cache-Control"] = op.cacheControl;
	// After a failure the service itself reports what the request has cost.
	if (!failed && (c.env.ENVIRONMENT ?? "production") !== "production")
		headers["Server-Timing"] = 'd1;desc="trips=0 read=0 written=0 statements=0";dur=0';
	return representation(c, cached.body, cached.etag, headers);
}
