// Stands for the platform's cache in front of the edge's entry point `Kept`, as its documentation says: it keeps what answers let it keep, by
// path and query, until that is purged or too old, and gives what is too old where the entry point fails, for as long as `stale-if-error` says.

import { createExecutionContext } from "cloudflare:test";
import edge, { Kept } from "../../src/edge";
import { environmentWith } from "./environments";
import { worker } from "./outbound";
import { follow, ORIGIN, type Vars } from "./serve";

type Entry = {
	readonly status: number;
	readonly headers: Headers;
	readonly body: string;
	readonly tags: readonly string[];
	readonly keptAt: number;
	readonly freshMs: number;
	readonly staleMs: number;
	/** From when on it is given no longer, even where the entry point fails; without `stale-if-error` the platform gives it at any age. */
	readonly lastMs: number;
};

/** The edge with the platform's cache, and a core that can be stopped. */
export class Edge {
	/** What the core was asked. */
	readonly asked: string[] = [];
	/** The headers with which the cache was asked. */
	readonly reached: Headers[] = [];
	isCoreStopped = false;
	/** What the platform answers to a purge. */
	purged: { success: boolean; errors: { code: number; message: string }[] } = { success: true, errors: [] };
	readonly #entries = new Map<string, Entry>();

	async fetch(path: string, init: RequestInit = {}, vars?: Vars): Promise<Response> {
		const ctx = follow(createExecutionContext());
		const CORE = {
			fetch: async (request: Request) => {
				if (this.isCoreStopped) throw new Error("the core is stopped");
				this.asked.push(`${request.method} ${new URL(request.url).pathname}`);
				return worker.fetch(request as Parameters<typeof worker.fetch>[0], environmentWith(vars), ctx);
			},
		};
		const cache = {
			purge: async ({ tags }: { tags: string[] }) => {
				if (this.purged.success) this.#purge(tags);
				return this.purged;
			},
		};
		const own = createExecutionContext();
		Object.defineProperty(own, "cache", { value: cache, configurable: true });
		const kept = new Kept(own, { CORE });
		const inFront = {
			fetch: (request: Request) => this.#fromCache(request, kept, ctx),
			purge: (tags: string[]) => kept.purge(tags),
		};
		return edge.fetch(new Request(`${ORIGIN}${path}`, init), { CORE }, { exports: { Kept: inFront } });
	}

	async #fromCache(request: Request, kept: Kept, ctx: ExecutionContext): Promise<Response> {
		this.reached.push(request.headers);
		const { pathname, search } = new URL(request.url);
		const key = `${pathname}${search}`;
		const entry = this.#entries.get(key);
		const age = entry ? Date.now() - entry.keptAt : 0;
		if (entry && age < entry.freshMs) return answerOf(entry, request, "HIT");
		const renew = () => this.#renew(key, request, kept);
		if (entry && age < entry.freshMs + entry.staleMs) {
			ctx.waitUntil(renew().catch(() => {}));
			return answerOf(entry, request, "UPDATING");
		}
		const old = entry && age < entry.lastMs ? entry : undefined;
		const renewed = await renew().catch((error: unknown) => {
			if (old) return undefined;
			throw error;
		});
		if (old && (!renewed || renewed.status >= 500)) return answerOf(old, request, "STALE");
		return renewed as Response;
	}

	async #renew(key: string, request: Request, kept: Kept): Promise<Response> {
		// The whole answer is asked for, with any copy that the client has of it.
		const asked = new Request(request.url, { headers: request.headers });
		asked.headers.delete("if-none-match");
		const response = await kept.fetch(asked);
		const said = response.headers.get("cache-control") ?? "";
		if (/private|no-store/.test(said) || response.status !== 200)
			return request.method === "HEAD" ? new Response(null, response) : response;
		const seconds = (name: string, unsaid = 0) => Number(new RegExp(`(?:^|[ ,])${name}=(\\d+)`).exec(said)?.[1] ?? unsaid);
		const headers = new Headers(response.headers);
		headers.delete("cache-tag");
		const entry = {
			status: response.status,
			headers,
			body: await response.text(),
			tags: (response.headers.get("cache-tag") ?? "").split(","),
			keptAt: Date.now() - Number(response.headers.get("age") ?? 0) * 1_000,
			freshMs: seconds("max-age") * 1_000,
			staleMs: seconds("stale-while-revalidate") * 1_000,
			lastMs: (seconds("max-age") + seconds("stale-if-error", Number.POSITIVE_INFINITY)) * 1_000,
		};
		this.#entries.set(key, entry);
		return answerOf(entry, request, "MISS");
	}

	#purge(tags: readonly string[]): void {
		for (const [key, entry] of this.#entries) if (entry.tags.some((tag) => tags.includes(tag))) this.#entries.delete(key);
	}
}

function answerOf({ status, headers, body }: Entry, request: Request, how: string): Response {
	const told = new Headers(headers);
	told.set("cf-cache-status", how);
	const etag = headers.get("etag");
	if (etag !== null && request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers: told });
	return new Response(request.method === "HEAD" ? null : body, { status, headers: told });
}
