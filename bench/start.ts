// `npm run bench -- start [runs]`: how much processor time the start of an isolate and its first request take. Imports the bundle of a
// deployment in Node, in a fresh process for each run. It prints figures and asserts nothing.

import { execFileSync } from "node:child_process";
import path from "node:path";
import { bundle, codeBytes, modulesIn } from "../src/dev/bundle.ts";
import { repository } from "../src/dev/service.ts";
import type { Started } from "./start.load.ts";

const RUNS = Number(process.argv[2] ?? 15);
const GOAL_MS = 50;
/** Without credentials, so the last three are refused before they read from D1. */
const FIRST_REQUESTS = ["/.well-known/jwks.json", "/v1/me", "/v1/webhooks", "/v1/accounts/loan/applications"];
/** Workers forbid code that is generated from text, which changes what zod does. */
const FLAGS = ["--no-warnings", "--experimental-vm-modules", "--disallow-code-generation-from-strings"];

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const print = (what: string, ms: number, note = "") => console.log(`${what.padEnd(60)} ${ms.toFixed(1).padStart(7)} ms${note}`);

const outdir = await bundle(repository);
const kB = codeBytes(outdir) / 1024;
const start = (first: string): Started =>
	JSON.parse(
		execFileSync(process.execPath, [...FLAGS, path.join(import.meta.dirname, "start.load.ts"), outdir, first], { encoding: "utf8" }),
	);
const runs = Array.from({ length: RUNS }, () => FIRST_REQUESTS.map(start));
const all = runs.flat();
console.log(`processor time, medians of ${RUNS} fresh processes, each with another first request`);
print(`V8 compiles the bundle (${kB.toFixed(0)} kB in ${modulesIn(outdir).length} files)`, median(all.map(({ parseMs }) => parseMs)));
print("what every request needs runs", median(all.map(({ runMs }) => runMs)));
print("import, both", median(all.map(({ parseMs, runMs }) => parseMs + runMs)), `   goal ${GOAL_MS} ms`);
for (const [index, first] of FIRST_REQUESTS.entries()) {
	const these = runs.flatMap((run) => run[index] ?? []);
	print(`first request, ${first} (${these[0]?.status})`, median(these.map(({ firstMs }) => firstMs)));
	print("import and that request", median(these.map(({ parseMs, runMs, firstMs }) => parseMs + runMs + firstMs)));
}
