// `npm run bench -- global`: how long calls take from places that are far from the database. The built Worker runs on this machine, and lets
// time pass before each call of a database or an object, as it does between these places. It fails when a call makes more trips, one
// after the other, than its budget.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundle, configIn, modulesOf } from "../src/dev/bundle.ts";
import { startOwnService } from "../src/dev/own-service.ts";
import { loadRuntime } from "../src/dev/runtime.ts";
import { repository } from "../src/dev/service.ts";
import { BUDGETS } from "../test/contract/budgets.ts";
import { answerTo, type Call, requestOf, textOf } from "./http.load.ts";
import { applyCall, makeOrganization, makePair, offerCall, operatorToken, repayCall, type Send, signIn, transferCall } from "./people.ts";

/** Round trips in ms: to the database in Western Europe, and to an object of a caller there, which the platform makes near them. */
const PLACES = [
	{ name: "Nairobi", database: 140, object: 140 },
	{ name: "Lagos", database: 100, object: 100 },
	{ name: "São Paulo", database: 195, object: 120 },
	{ name: "Jakarta", database: 190, object: 15 },
] as const;
type Place = (typeof PLACES)[number];

/** What the database and the object themselves take. */
const DATABASE_MS = 5;
const OBJECT_MS = 3;
const ROUNDS = 5;
/** How far everything is where trips are counted: far longer than the work between them. */
const COUNTED_MS = 200;

type Far = { readonly request: number; readonly database: number; readonly object: number };
const counted: Far = { request: 0, database: COUNTED_MS, object: COUNTED_MS };
/** The Worker runs at the caller's place. */
const nearCaller = ({ database, object }: Place): Far => ({ request: 0, database: database + DATABASE_MS, object: object + OBJECT_MS });
/** The Worker runs beside the database, and so do the objects that it calls first. */
const nearDatabase = ({ database }: Place): Far => ({ request: database, database: DATABASE_MS, object: OBJECT_MS });

const outdir = await bundle(repository);
const { configured } = await loadRuntime();
const { options } = configured(configIn(outdir));
const { modulesRules: _, assets: __, ...worker } = options;
const { modulesRoot, modules } = modulesOf(outdir);
const stand = {
	type: "ESModule",
	path: path.join(modulesRoot, "global.worker.js"),
	contents: readFileSync(path.join(import.meta.dirname, "global.worker.js"), "utf8"),
};

/** A Worker of its own is an isolate that has served nobody yet. */
const isolate = (name: string) => ({
	...worker,
	name,
	routes: [`${name}.invalid/*`],
	modulesRoot,
	modules: [stand, ...modules],
	bindings: { ...(worker.bindings as object | undefined), RATE_LIMITS: "off" },
	// Consumers and crons are the service's.
	queueConsumers: [],
});

const ways = [
	{ name: "beside the caller", farFrom: nearCaller },
	{ name: "beside its database", farFrom: nearDatabase },
] as const;
const WARM = "warm";
const coldName = (way: number, place: number) => `cold-${way}-${place}`;
const cold = ways.flatMap((_, way) => PLACES.map((__, place) => coldName(way, place)));

const statePath = mkdtempSync(path.join(tmpdir(), "global-"));
const service = await startOwnService(statePath, { companions: [WARM, ...cold].map(isolate) });

/** The ms that the call takes, and how many of its trips follow each other. */
async function timed(at: string, far: Far, call: Call): Promise<{ ms: number; trips: number }> {
	const { path: pathname, ...request } = requestOf(call);
	const headers = { ...request.headers, "MF-Route-Override": at, "x-far": `${far.request} ${far.database} ${far.object}` };
	const began = performance.now();
	const response = await fetch(`${service.inside}${pathname}`, { ...request, headers });
	const text = await response.text();
	if (!response.ok) throw new Error(`${call.method} ${call.path} answered ${response.status} ${text}`);
	return { ms: performance.now() - began, trips: Number(response.headers.get("x-trips")) };
}

try {
	console.log("preparing an organization, a borrower and two holders of accounts …");
	const send: Send = async (call) => (await answerTo(service.inside, call)).fields;
	const operator = await operatorToken(send);
	const organization = await makeOrganization(send, operator, "global");
	await send({ method: "PUT", path: `/v1/branding/${organization.id}`, token: operator, body: { primary_color: "#1d6fa5" } });
	const user = await signIn(send, operator, organization, "borrower");
	const offer = await send(offerCall(user, organization));
	await send(applyCall(user, textOf(offer, "id")));
	const pair = await makePair(send, operator, organization, "pair");
	let repayments = 0;
	const me: Call = { method: "GET", path: "/v1/me", token: user.token };
	const repay = (): Call => repayCall(operator, textOf(offer, "account_id"), `GLOBAL${++repayments}`);
	const calls = [
		{ name: "a brand", operation: "getBrand", call: (): Call => ({ method: "GET", path: `/v1/branding/${organization.id}` }) },
		{ name: "GET /v1/me", operation: "getMe", call: () => me },
		{ name: "a repayment, with a key", operation: "recordRepayment", call: repay },
		{ name: "a transfer, with a key", operation: "orderTransfer", call: () => transferCall(pair, "global") },
	] as const;

	console.log("\n| Trips one after the other | found | budget |\n| --- | ---: | ---: |");
	for (const { name, operation, call } of calls) {
		await timed(WARM, counted, call());
		const { trips } = await timed(WARM, counted, call());
		const budget = BUDGETS[operation]?.cost[0] ?? Number.NaN;
		console.log(`| ${name} | ${trips} | ${budget} |`);
		if (trips > budget) process.exitCode = 1;
	}

	// The least of them: whatever else the machine does only adds.
	console.log(
		`\n| ms, the least of ${ROUNDS} | ${PLACES.map(({ name }) => name).join(" | ")} |\n| --- |${" ---: |".repeat(PLACES.length)}`,
	);
	for (const [way, { name: where, farFrom }] of ways.entries()) {
		for (const { name, call } of calls) {
			const cells: number[] = [];
			for (const place of PLACES) {
				const found: number[] = [];
				for (let round = 0; round < ROUNDS; round++) found.push((await timed(WARM, farFrom(place), call())).ms);
				cells.push(Math.round(Math.min(...found)));
			}
			console.log(`| ${name}, the Worker ${where} | ${cells.join(" | ")} |`);
		}
		const cells: string[] = [];
		for (const [index, place] of PLACES.entries()) {
			const { ms, trips } = await timed(coldName(way, index), farFrom(place), repay());
			cells.push(`${Math.round(ms)} (${trips} trips)`);
		}
		console.log(`| a repayment, with a key, the Worker ${where} and a new isolate | ${cells.join(" | ")} |`);
	}
} finally {
	await service.stop();
	rmSync(statePath, { recursive: true, force: true });
}
process.exit();
