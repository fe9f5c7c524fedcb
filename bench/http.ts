// `npm run bench -- http`: how many requests a second the service answers, against the least that Hono and D1 can do in the same
// process. Three rounds in turns on the deployed bundle, about three minutes. It prints figures and asserts nothing.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startOwnService } from "../src/dev/own-service.ts";
import { companion } from "./companion.ts";
import { type Call, inTurns, type Speed, type Turn } from "./http.load.ts";
import { type Fixture, prepare } from "./http.setup.ts";
import { transferCall } from "./people.ts";

const ROUNDS = 3;
/** Borrowers that apply, and then repay, in each round. */
const BORROWERS = 40;

const comparisons = [
	{ figure: "public read without D1: key set", turn: "key set", against: "bare route", goal: 0.85 },
	{ figure: "public read without D1: app settings", turn: "app settings", against: "bare route", goal: 0.85 },
	{ figure: "cached branding", turn: "branding", against: "bare route", goal: 0.8 },
	{ figure: "one-row read of a user: profile", turn: "profile", against: "bare one-row read", goal: 0.85 },
	{ figure: "one-row read of a user: application", turn: "one application", against: "bare one-row read", goal: 0.85 },
	{ figure: "list of 20 users", turn: "list of 20", against: "bare 20-row read", goal: 0.8 },
	{ figure: "write with a fresh Idempotency-Key", turn: "write with a key", against: "write without a key", goal: 0.8 },
	{ figure: "apply for a loan", turn: "apply", against: "bare write as of an application", goal: 0.5 },
	{ figure: "repayment", turn: "repay", against: "bare write as of a repayment", goal: 0.5 },
	{ figure: "transfer between current accounts", turn: "transfer", against: "bare write as of a transfer", goal: 0.5 },
] as const;

const statePath = mkdtempSync(path.join(tmpdir(), "http-"));
const service = await startOwnService(statePath, {
	companions: [{ ...companion("bare", statePath), d1Databases: { BARE: "bare" } }],
});
try {
	console.log("preparing users, loans and rows …");
	const fixture = await prepare(service.inside, ROUNDS * BORROWERS);
	const speeds = await inTurns(service.inside, turnsOf(fixture), ROUNDS, (text) => console.log(text));
	const median = (name: string, of: (speed: Speed) => number | undefined) => {
		const values = (speeds.get(name) ?? []).map((speed) => of(speed) ?? Number.NaN);
		return values.toSorted((x, y) => x - y)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
	};
	console.log("\nRatios compare requests a second, and the processor time of the runtime, which other programs disturb less.\n");
	console.log("| Figure | requests/s | ms CPU each | against | requests/s | ms CPU each | ratio | by CPU | goal |");
	console.log("| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |");
	for (const { figure, turn, against, goal } of comparisons) {
		const [rate, base] = [turn, against].map((name) => median(name, ({ rate }) => rate)) as [number, number];
		const [cpu, baseCpu] = [turn, against].map((name) => median(name, ({ cpuMs }) => cpuMs)) as [number, number];
		const cells = [figure, Math.round(rate), cpu.toFixed(2), against, Math.round(base), baseCpu.toFixed(2)];
		console.log(`| ${[...cells, (rate / base).toFixed(2), (baseCpu / cpu).toFixed(2), goal].join(" | ")} |`);
	}
} finally {
	await service.stop();
	rmSync(statePath, { recursive: true, force: true });
}
process.exit(0);

function turnsOf({ user, operator, organization, application, borrowers, pairs, rowsOf }: Fixture): Turn[] {
	const get = (pathname: string, token?: string): Call => ({ method: "GET", path: pathname, ...(token && { token }) });
	const bareWrite = (rows: number): Call => ({ worker: "bare", method: "POST", path: `/two-batches?rows=${rows}`, body: {} });
	const write = (): Call => {
		const body = { name: "Bench", slug: `bench-${crypto.randomUUID()}` };
		return { method: "POST", path: "/v1/platform/organizations", token: operator, body };
	};
	const applying = borrowers.values();
	const repaying = borrowers.values();
	let transfers = 0;
	const transfer = (): Call => {
		const pair = pairs[transfers++ % pairs.length];
		if (!pair) throw new Error("there is no pair");
		return transferCall(pair, "bench");
	};
	const taken = <T>({ value, done }: IteratorResult<T>): T => {
		if (done) throw new Error("there are too few borrowers");
		return value;
	};
	return [
		{ name: "bare route", call: () => ({ worker: "bare", ...get("/route") }) },
		{ name: "key set", call: () => get("/.well-known/jwks.json") },
		{ name: "app settings", call: () => get("/v1/app/settings") },
		{ name: "branding", call: () => get(`/v1/branding/${organization}`) },
		{ name: "bare one-row read", call: () => ({ worker: "bare", ...get("/one-row") }) },
		{ name: "profile", call: () => get("/v1/me", user) },
		{ name: "one application", call: () => get(`/v1/accounts/loan/applications/${application}`, user) },
		{ name: "bare 20-row read", call: () => ({ worker: "bare", ...get("/twenty-rows") }) },
		{ name: "list of 20", call: () => get("/v1/platform/users?size=20", operator) },
		{ name: "write without a key", call: write },
		{ name: "write with a key", call: () => ({ ...write(), key: crypto.randomUUID() }) },
		{ name: "bare write as of an application", call: () => bareWrite(rowsOf.apply), times: BORROWERS },
		{ name: "apply", call: () => taken(applying.next()).apply, times: BORROWERS },
		{ name: "bare write as of a repayment", call: () => bareWrite(rowsOf.repay), times: BORROWERS },
		{ name: "repay", call: () => taken(repaying.next()).repay, times: BORROWERS },
		{ name: "bare write as of a transfer", call: () => bareWrite(rowsOf.transfer), times: BORROWERS },
		{ name: "transfer", call: transfer, times: BORROWERS },
	];
}
