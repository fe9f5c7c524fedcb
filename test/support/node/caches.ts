// The cache of a data centre in Node: answers of GET by their address, until they expire.

import { realNow } from "./clock";

type Kept = { readonly status: number; readonly headers: [string, string][]; readonly body: ArrayBuffer; readonly until: number };

const MAX_AGE = /\b(?:s-maxage|max-age)=(\d+)/;

function secondsOf(response: Response): number {
	const control = response.headers.get("cache-control") ?? "";
	if (/\b(no-store|private|no-cache)\b/.test(control)) return 0;
	const shared = /\bs-maxage=(\d+)/.exec(control) ?? MAX_AGE.exec(control);
	return Number(shared?.[1] ?? 0);
}

const requestOf = (asked: RequestInfo | URL): Request => (asked instanceof Request ? asked : new Request(asked));

export class DataCentreCache {
	readonly #kept = new Map<string, Kept>();

	async put(asked: RequestInfo | URL, response: Response): Promise<void> {
		const request = requestOf(asked);
		if (request.method !== "GET") throw new TypeError("Cannot cache response to non-GET request.");
		if (response.status === 206) throw new TypeError("Cannot cache response to a range request (206 Partial Content).");
		if (response.headers.get("vary")?.includes("*")) throw new TypeError("Cannot cache response with 'Vary: *' header.");
		if (response.bodyUsed) throw new TypeError("Body has already been used.");
		const body = await response.arrayBuffer();
		const seconds = secondsOf(response);
		if (seconds === 0 || response.headers.has("set-cookie")) return;
		const headers = [...response.headers] as [string, string][];
		this.#kept.set(request.url, { status: response.status, headers, body, until: realNow() + seconds * 1_000 });
	}

	async match(asked: RequestInfo | URL, { ignoreMethod = false } = {}): Promise<Response | undefined> {
		const request = requestOf(asked);
		if (request.method !== "GET" && !ignoreMethod) return undefined;
		const kept = this.#kept.get(request.url);
		if (!kept || kept.until <= realNow()) return undefined;
		const response = new Response(kept.body, { status: kept.status, headers: kept.headers });
		response.headers.set("cf-cache-status", "HIT");
		return response;
	}

	async delete(asked: RequestInfo | URL): Promise<boolean> {
		return this.#kept.delete(requestOf(asked).url);
	}

	clear(): void {
		this.#kept.clear();
	}
}
