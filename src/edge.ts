// The Worker that takes all calls. It runs near each caller and has no database: it forwards every request to the core, which runs near the
// databases. Public answers are kept near their readers for as long as the core lets caches keep them.

import { WorkerEntrypoint } from "cloudflare:workers";
import { type Cores, coreFor } from "./runtime/cores";
import { logger } from "./runtime/log";
import { unreachable } from "./runtime/unreachable";
import { PURGE_HEADER } from "./shared/cache-tags";
import { requestIdFrom } from "./shared/request-id";

type Ways = { readonly Kept: Pick<Kept, "fetch" | "purge"> };

/** Runs for what the platform's cache, which is in front of it (wrangler.edge.toml), has not kept. */
export class Kept extends WorkerEntrypoint<Cores> {
	override fetch(request: Request): Promise<Response> {
		const asked = new Request(request);
		// Copies that are kept for minutes say what the database says, not what an isolate of the core remembers of it.
		if (this.ctx.cache) asked.headers.set("cache-control", "no-cache");
		return this.env.CORE.fetch(asked);
	}

	async purge(tags: string[]): Promise<void> {
		const purged = await this.ctx.cache?.purge({ tags });
		if (purged?.success === false) throw new Error(purged.errors.map(({ code, message }) => `${code} ${message}`).join());
	}
}

/** Reads for which the core ignores credentials. */
const PUBLIC = /^\/v1\/(?:branding\/|app\/settings$)/;
const isForAnybody = ({ method, url, headers }: Request): boolean =>
	/^(?:GET|HEAD)$/.test(method) && ((!headers.has("authorization") && !headers.has("x-api-key")) || PUBLIC.test(new URL(url).pathname));

/** What is kept is asked for without credentials, past which caches would go. Its headers are those of the request for which it was made. */
async function fromKept(request: Request, requestId: string, { Kept }: Ways): Promise<Response> {
	const asked = new Request(request);
	for (const name of ["authorization", "x-api-key", "x-d1-bookmark"]) asked.headers.delete(name);
	asked.headers.set("x-request-id", requestId);
	const answer = await Kept.fetch(asked).then((kept) => new Response(kept.body, kept));
	answer.headers.set("X-Request-Id", requestId);
	if (answer.headers.has("server-timing") && /^(?:HIT|STALE|UPDATING)$/.test(answer.headers.get("cf-cache-status") ?? ""))
		answer.headers.set("Server-Timing", 'd1;desc="trips=0 read=0 written=0 statements=0";dur=0');
	return answer;
}

export default {
	async fetch(request: Request, env: Cores, { exports }: { readonly exports: Ways }): Promise<Response> {
		const requestId = requestIdFrom(request.headers.get("x-request-id") ?? "");
		const asked = isForAnybody(request) ? fromKept(request, requestId, exports) : coreFor(request, env).fetch(request);
		const answer = await asked.catch((error: unknown) => unreachable(request, requestId, error));
		const tags = answer.headers.get(PURGE_HEADER);
		if (tags === null) return answer;
		await exports.Kept.purge(tags.split(",")).catch((error: unknown) =>
			logger({ request_id: requestId }).error("what is kept was not purged", error, { tags }),
		);
		const changed = new Response(answer.body, answer);
		changed.headers.delete(PURGE_HEADER);
		return changed;
	},
};
