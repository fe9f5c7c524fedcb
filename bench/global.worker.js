// Stands before the built core in `npm run bench -- global`, as a module next to it: lets time pass before each trip, as it does between
// places that are far from each other. The header `x-far` has the milliseconds to the core, to a database and to an object.

import service from "./index.js";

export * from "./index.js";

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Does something that is so far away. A trip follows those that have ended before it began; `trips.after`: how many follow each other. */
async function far(ms, trips, act) {
	const place = trips.after + 1;
	await wait(ms);
	try {
		return await act();
	} finally {
		trips.after = Math.max(trips.after, place);
	}
}

/** What leaves a statement that belongs to no session. */
const SENDS = new Set(["first", "run", "all", "raw"]);

const statement = (real, ms, trips) =>
	new Proxy(real, {
		get(target, name) {
			const value = target[name];
			if (typeof value !== "function") return value;
			if (name === "bind") return (...values) => statement(target.bind(...values), ms, trips);
			return SENDS.has(name) ? (...given) => far(ms, trips, () => value.apply(target, given)) : value.bind(target);
		},
	});

const database = (real, ms, trips) => ({
	prepare: (sql) => statement(real.prepare(sql), ms, trips),
	withSession(constraint) {
		const session = real.withSession(constraint);
		return {
			prepare: (sql) => session.prepare(sql),
			getBookmark: () => session.getBookmark(),
			batch: (statements) => far(ms, trips, () => session.batch(statements)),
		};
	},
});

const objects = (real, ms, trips) => ({
	getByName: (name) => ({ claim: (...given) => far(ms, trips, () => real.getByName(name).claim(...given)) }),
});

// biome-ignore lint/style/noDefaultExport: the entry point of a Worker
export default {
	async fetch(request, env, ctx) {
		const [, toDatabase, toObject] = (request.headers.get("x-far") ?? "0 0 0").split(" ").map(Number);
		const trips = { after: 0 };
		const bindings = {
			...env,
			DB: database(env.DB, toDatabase, trips),
			IDEMPOTENCY_KEYS: objects(env.IDEMPOTENCY_KEYS, toObject, trips),
		};
		const response = await service.fetch(request, bindings, ctx);
		const counted = new Response(response.body, response);
		counted.headers.set("x-trips", String(trips.after));
		return counted;
	},
};
