// `npm run bench -- startup`: what it takes of a processor to start an isolate of each Worker, next to one of bare Hono. As many isolates of one
// Worker as make a difference start in one runtime, and a runtime with one of them is taken off.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BuiltWorker, bundle, configIn, modulesOf } from "../src/dev/bundle.ts";
import { loadRuntime } from "../src/dev/runtime.ts";
import { quieten, repository } from "../src/dev/service.ts";
import { companion } from "./companion.ts";
import { processorMs } from "./processor.ts";

const ISOLATES = 4;
const ROUNDS = 3;

const statePath = mkdtempSync(path.join(tmpdir(), "startup-"));
quieten(statePath);
const outdir = await bundle(repository);
const { configured, run } = await loadRuntime();

function built(worker: BuiltWorker): object {
	const { modulesRules: _, assets: __, ...options } = configured(configIn(outdir, worker)).options;
	return { ...options, ...modulesOf(outdir, worker), queueConsumers: [], serviceBindings: {} };
}

const workers = [
	["bare Hono", { ...companion("bare", statePath), d1Databases: {} }],
	["the edge", built("edge")],
	["the core", built("worker")],
] as const;

/** What the runtime has taken once it serves with so many isolates of the Worker. */
async function takenBy(worker: object, isolates: number): Promise<number> {
	const all = Array.from({ length: isolates }, (_, index) => ({
		...worker,
		name: `isolate-${index}`,
		routes: [`isolate-${index}.invalid/*`],
	}));
	const runtime = run(all, { host: "127.0.0.1", port: 0, resourcePersistencePath: path.join(statePath, "data") });
	try {
		await runtime.ready;
		return processorMs() ?? Number.NaN;
	} finally {
		await runtime.dispose();
	}
}

try {
	console.log(`| Start of an isolate, the median of ${ROUNDS} | ms of a processor |\n| --- | ---: |`);
	for (const [name, worker] of workers) {
		const found: number[] = [];
		for (let round = 0; round < ROUNDS; round++)
			found.push(((await takenBy(worker, ISOLATES + 1)) - (await takenBy(worker, 1))) / ISOLATES);
		console.log(`| ${name} | ${found.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]?.toFixed(1)} |`);
	}
} finally {
	rmSync(statePath, { recursive: true, force: true });
}
process.exit();
