// `npm run bench -- global`: how long calls take from places that are far from the database, with one Worker near the caller, as it was, and
// with the two of a deployment: the edge near the caller, and the core next to the database. Both run on this machine as they are built,
// and let time pass before each call of the core, a database or an object, as it does between these places. It fails when a call makes
// more trips, one after the other, than its budget.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BuiltWorker, bundle, configIn, modulesOf } from "../src/dev/bundle.ts";
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

/** In ms: to the core, to a database and to an object. */
type Far = readonly [core: number, database: number, object: number];
const counted: Far = [0, COUNTED_MS, COUNTED_MS];

const outdir = await bundle(repository);
const { configured } = await loadRuntime();

/** A Worker of the build behind the module that lets time pass. A Worker of its own is an isolate that has served nobody yet. */
function isolate(name: string, built: BuiltWorker, stand: string, more: object) {
	const { modulesRules: _, assets: __, ...options } = configured(configIn(outdir, built)).options;
	const { modulesRoot, modules } = modulesOf(outdir, built);
	const contents = readFileSync(path.join(import.meta.dirname, stand), "utf8");
	const first = { type: "ESModule", path: path.join(modulesRoot, stand), contents };
	return { ...options, name, routes: [`${name}.invalid/*`], modulesRoot, modules: [first, ...modules], ...more };
}
const coreNamed = (name: string) => {
	const { bindings } = configured(configIn(outdir)).options as { bindings?: object };
	// Consumers and crons are the service's.
	return isolate(name, "worker", "global.worker.js", { bindings: { ...bindings, RATE_LIMITS: "off" }, queueConsumers: [] });
};
const edgeNamed = (name: string, core: string) => isolate(name, "edge", "global.edge.js", { serviceBindings: { CORE: core } });

/** `entry`: the purpose of requests in the isolates of a number. `warm` is one isolate; each place has a new one. */
const ways = [
	{
		name: "one Worker, near the caller",
		entry: (which: string) => `core-${which}-0`,
		far: ({ database, object }: Place): Far => [0, database + DATABASE_MS, object + OBJECT_MS],
	},
	{
		name: "edge and core",
		entry: (which: string) => `edge-${which}`,
		far: ({ database }: Place): Far => [database, DATABASE_MS, OBJECT_MS],
	},
] as const;
const WARM = "warm";
const TWO = ways[1].entry(WARM);
const whiches = [WARM, ...PLACES.map((_, index) => String(index))];
const companions = whiches.flatMap((which) => [
	coreNamed(`core-${which}-0`),
	coreNamed(`core-${which}-1`),
	edgeNamed(`edge-${which}`, `core-${which}-1`),
]);

const statePath = mkdtempSync(path.join(tmpdir(), "global-"));
const service = await startOwnService(statePath, { companions });

/** The ms that the call takes, and how many of its trips follow each other. */
async function timed(at: string, far: Far, call: Call): Promise<{ ms: number; trips: number }> {
	const { path: pathname, ...request } = requestOf(call);
	const headers = { ...request.headers, "MF-Route-Override": at, "x-far": far.join(" ") };
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
		// First as the edge finds them that keeps nothing yet, but of an isolate that is warm.
		await timed(ways[0].entry(WARM), counted, call());
		const { trips } = await timed(TWO, counted, call());
		const budget = BUDGETS[operation]?.cost[0] ?? Number.NaN;
		console.log(`| ${name} | ${trips} | ${budget} |`);
		if (!(trips <= budget)) process.exitCode = 1;
	}

	// The least of them, because everything else on the machine only adds.
	console.log(
		`\n| ms, the least of ${ROUNDS} | ${PLACES.map(({ name }) => name).join(" | ")} |\n| --- |${" ---: |".repeat(PLACES.length)}`,
	);
	for (const { name: way, entry, far } of ways) {
		for (const { name, call } of calls) {
			const cells: number[] = [];
			for (const place of PLACES) {
				const found: number[] = [];
				for (let round = 0; round < ROUNDS; round++) found.push((await timed(entry(WARM), far(place), call())).ms);
				cells.push(Math.round(Math.min(...found)));
			}
			console.log(`| ${name}: ${way} | ${cells.join(" | ")} |`);
		}
		const cells: string[] = [];
		for (const [index, place] of PLACES.entries()) {
			const { ms, trips } = await timed(entry(String(index)), far(place), repay());
			cells.push(`${Math.round(ms)} (${trips} trips)`);
		}
		console.log(`| a repayment, with a key, of a new isolate: ${way} | ${cells.join(" | ")} |`);
	}
} finally {
	await service.stop();
	rmSync(statePath, { recursive: true, force: true });
}
process.exit();
