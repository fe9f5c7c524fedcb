// Stands before the built edge in `npm run bench -- global`, as a module next to it: lets time pass before each request to the core, and is the
// platform's cache in front of `Kept`, which this runtime does not have. The first number of the header `x-far` has the milliseconds.

import edge, { Kept as Behind } from "./index.js";

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** By path and query; the bench ends before anything is too old. */
const kept = new Map();

class Kept extends Behind {
	async fetch(request) {
		const { pathname, search } = new URL(request.url);
		const known = kept.get(pathname + search);
		if (known) return new Response(known.body, { headers: { ...known.headers, "cf-cache-status": "HIT", "x-trips": "0" } });
		const answer = await super.fetch(request);
		if (answer.status !== 200 || !answer.headers.get("cache-control")?.startsWith("public")) return answer;
		kept.set(pathname + search, { body: await answer.text(), headers: Object.fromEntries(answer.headers) });
		return this.fetch(request);
	}
}

// biome-ignore lint/style/noDefaultExport: the entry point of a Worker
export default {
	fetch(request, env, ctx) {
		const [toCore] = (request.headers.get("x-far") ?? "0").split(" ").map(Number);
		const CORE = {
			async fetch(asked) {
				await wait(toCore);
				return env.CORE.fetch(asked);
			},
		};
		return edge.fetch(request, { CORE }, { exports: { Kept: new Kept(ctx, { CORE }) } });
	},
};
