// `npm run bench -- start [runs]`: how much processor time the runtime takes until it is ready and has answered a first request, with the
// build that is deployed and with a Worker that answers nothing, in turns. It fails above the budget.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundle, configIn, modulesOf } from "../src/dev/bundle.ts";
import { localVariables } from "../src/dev/local-variables.ts";
import { startOwnService } from "../src/dev/own-service.ts";
import { loadRuntime } from "../src/dev/runtime.ts";
import { repository } from "../src/dev/service.ts";
import { processorMs } from "./memory.ts";

const RUNS = Number(process.argv[2] ?? 7);
/** In ms, beyond the bare Worker. */
const BUDGET = { path: "/.well-known/jwks.json", ms: 110 };
/** Without credentials: the last two are refused before they read. */
const FIRST_REQUESTS = [BUDGET.path, "/v1/me", "/v1/webhooks"];

const statePath = mkdtempSync(path.join(tmpdir(), "start-"));
// Applies the migrations.
await (await startOwnService(statePath)).stop();
const outdir = await bundle(repository);
const runtime = await loadRuntime();
const { modulesRules: _, assets: __, ...options } = runtime.configured(configIn(outdir)).options;
const { d1Databases, queueProducers, ratelimits } = options;
const bare = { modules: true, script: "export default { fetch: () => new Response() }", d1Databases, queueProducers, ratelimits };
const service = { ...options, ...modulesOf(outdir), bindings: { ...(options.bindings as object), ...localVariables() } };

/** The processor time of a runtime when it is ready, and after a first request. */
async function start(worker: object, first: string): Promise<[number, number]> {
	const running = runtime.run([worker], { host: "127.0.0.1", port: 0, resourcePersistencePath: path.join(statePath, "v3") });
	try {
		const url = await running.ready;
		const ready = processorMs() ?? Number.NaN;
		await (await fetch(new URL(first, url))).arrayBuffer();
		return [ready, processorMs() ?? Number.NaN];
	} finally {
		await running.dispose();
	}
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

console.log(`processor time of the runtime beyond a bare Worker, medians of ${RUNS} processes`);
for (const first of FIRST_REQUESTS) {
	const runs: { ready: number; answered: number }[] = [];
	for (let run = 0; run < RUNS; run++) {
		const [own, ownAnswered] = await start(service, first);
		const [base, baseAnswered] = await start(bare, first);
		runs.push({ ready: own - base, answered: ownAnswered - baseAnswered });
	}
	const answered = median(runs.map((run) => run.answered));
	console.log(`${first.padEnd(30)} ready ${median(runs.map((run) => run.ready)).toFixed(0)} ms, and answered ${answered.toFixed(0)} ms`);
	if (first === BUDGET.path && !(answered <= BUDGET.ms)) {
		console.error(`over the budget of ${BUDGET.ms} ms`);
		process.exitCode = 1;
	}
}
rmSync(statePath, { recursive: true, force: true });
process.exit();
