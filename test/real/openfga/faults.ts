// What the service answers and logs when OpenFGA fails, or is set up wrongly: the real server's own refusals, for requests that the proxy has
// changed, and failures that the proxy makes.

import { setTimeout as sleep } from "node:timers/promises";
import type { Changed, Fault, Gate } from "./server.ts";
import type { Person, Place, Results } from "./world.ts";

const ULID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const changed =
	(change: (path: string, body: { [name: string]: unknown }) => Changed): Fault =>
	({ path, body }) =>
		change(path, JSON.parse(body));
const ofStore = (id: string) => changed((path) => ({ path: path.replace(/stores\/[^/]+/, `stores/${id}`) }));
const ofModel = (id: string) => changed((_, body) => ({ body: JSON.stringify({ ...body, authorization_model_id: id }) }));
const answering =
	(status: number, text: string, headers: Record<string, string> = {}): Fault =>
	(_, response) => {
		response.writeHead(status, headers).end(text);
		return undefined;
	};
/** The first request of a call meets it, and the others do not. */
const once = (fault: Fault): Fault => {
	let met = false;
	return (request, response) => {
		if (met) return undefined;
		met = true;
		return fault(request, response);
	};
};
const later =
	(ms: number): Fault =>
	async () => {
		await sleep(ms);
		return undefined;
	};

type Row = { readonly fault: Fault; readonly status: number; readonly reason?: string; readonly code?: string };

const FAULTS: Readonly<Record<string, Row>> = {
	"connection lost": { fault: (_, response) => void response.destroy(), status: 503, reason: "unreachable" },
	"it hangs": { fault: later(4_000), status: 503, reason: "timed out" },
	"slow, 1.5 s": { fault: later(1_500), status: 200 },
	"slow, 2.5 s": { fault: later(2_500), status: 503, reason: "timed out" },
	"429 always": { fault: answering(429, "{}", { "retry-after": "1" }), status: 503, reason: "status 429" },
	"429 once": { fault: once(answering(429, "{}", { "retry-after": "1" })), status: 200 },
	"503": { fault: answering(503, "{}"), status: 503, reason: "status 503" },
	"200 with HTML": { fault: answering(200, "<html></html>"), status: 503, reason: "malformed answer" },
	"302": { fault: answering(302, "", { location: "https://elsewhere.example" }), status: 503, reason: "status 302" },
	"wrong token": { fault: () => ({ authorization: "Bearer wrong" }), status: 503, reason: "status 401", code: "unauthenticated" },
	"no token": { fault: () => ({ authorization: null }), status: 503, reason: "status 401", code: "bearer_token_missing" },
	"unknown store": { fault: ofStore(ULID), status: 503, reason: "status 400", code: "authorization_model_not_found" },
	"store id is no ULID": { fault: ofStore("nonsense"), status: 503, reason: "status 400", code: "validation_error" },
	"unknown model": { fault: ofModel(ULID), status: 503, reason: "status 400", code: "authorization_model_not_found" },
	"model id is no ULID": { fault: ofModel("nonsense"), status: 503, reason: "status 400", code: "validation_error" },
	"model lacks a relation": {
		fault: changed((_, body) => ({
			body: JSON.stringify({ ...body, tuple_key: { ...(body.tuple_key as object), relation: "webhooks_paint" } }),
		})),
		status: 503,
		reason: "status 400",
		code: "validation_error",
	},
};

type World = { readonly place: Place; readonly proxy: Gate; readonly owner: Person; readonly organization: string };

const failuresIn = (log: readonly string[]) =>
	log.filter((line) => line.includes("authorization provider failed")).map((line) => JSON.parse(line.slice(line.indexOf("{"))));

export async function faults(results: Results, { place, proxy, owner, organization }: World): Promise<void> {
	results.part("faults");
	const table: Record<string, unknown> = {};
	let n = 0;
	for (const [name, { fault, status, reason, code }] of Object.entries(FAULTS)) {
		const logged = place.log.length;
		const asked = proxy.asked.length;
		proxy.fault = fault;
		const began = performance.now();
		const body = { name: `Acme ${++n}` };
		const answer = await place.ask("PATCH", `/v1/organizations/${organization}`, { as: owner.token, body });
		const ms = Math.round(performance.now() - began);
		const tries = proxy.asked.length - asked;
		// No read of the owner has succeeded, so that none is remembered.
		const read = status === 200 ? undefined : await place.ask("GET", "/v1/audit", { as: owner.token, organization });
		const byOperator = await place.ask("GET", `/v1/organizations/${organization}/members`, { as: place.operator });
		const me = await place.ask("GET", "/v1/me", { as: owner.token });
		proxy.fault = undefined;
		const [entry = {}] = failuresIn(place.log.slice(logged));
		const after = answer.headers.get("retry-after");
		const { code: said } = (answer.body ?? {}) as { code?: string };
		const found = [answer.status, said === undefined || said === "SERVICE_UNAVAILABLE", after !== null, entry.reason, entry.provider_code];
		results.is(name, found, status === 200 ? [200, true, false, undefined, undefined] : [status, true, true, reason, code]);
		if (read) results.is(`${name}: a read`, [read.status, read.headers.get("retry-after") !== null], [503, true]);
		results.is(`${name}: operators and /v1/me go on`, [byOperator.status, me.status], [200, 200]);
		table[name] = {
			...{ status: answer.status, code: said ?? "", "retry-after": after ?? "", ms, tries, reason: entry.reason ?? "" },
			...{ provider_code: entry.provider_code ?? "", provider_message: String(entry.provider_message ?? "").slice(0, 60) },
		};
	}
	console.table(table);
}
