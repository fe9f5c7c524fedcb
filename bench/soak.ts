// `npm run bench -- soak [minutes]`: how much memory the service uses under half of its top rate, for ten minutes by default. The load
// mixes reads and writes, whose events go to a receiver. It prints figures and asserts nothing.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startOwnService } from "../src/dev/own-service.ts";
import { startReceiver } from "../src/dev/receiver.ts";
import { answerTo } from "./http.load.ts";
import { openIsolate, residentMb } from "./memory.ts";
import { makeOrganization, makePair, operatorToken, registerEndpoint, type Send } from "./people.ts";
import { Load } from "./soak.load.ts";
import { progress } from "./webhooks.client.ts";

const WARM_UP_MS = 5_000;
const TOP_RATE_MS = 20_000;
const SAMPLE_MS = 10_000;
/** A garbage collection changes what is measured, so only each sixth sample makes one. */
const LIVE_EVERY = 6;
const PAIRS = 2;

const minutes = Number(process.argv[2] ?? 10);
if (!(minutes > 0)) {
	console.error(`Not a number of minutes: ${process.argv[2]}`);
	process.exit(1);
}

const statePath = mkdtempSync(path.join(tmpdir(), "soak-"));
const service = await startOwnService(statePath, { inspect: true });
const receiver = await startReceiver();
try {
	const send: Send = async (call) => (await answerTo(service.inside, call)).fields;
	const operator = await operatorToken(send);
	const organization = await makeOrganization(send, operator, "soak");
	const brand = { primary_color: "#1d6fa5" };
	await send({ method: "PUT", path: `/v1/branding/${organization.id}`, token: operator, body: brand });
	await registerEndpoint(send, operator, organization, receiver.url);
	const pairs = await Promise.all(Array.from({ length: PAIRS }, (_, pair) => makePair(send, operator, organization, `pair-${pair}`)));
	if (!service.inspector) throw new Error("the service has no inspector");
	const isolate = await openIsolate(service.inspector);

	const load = new Load({ url: service.inside, operator, organization, pairs });
	const running = load.run();
	progress("measuring the top rate …");
	await sleep(WARM_UP_MS);
	const before = load.answered;
	await sleep(TOP_RATE_MS);
	const top = (load.answered - before) / (TOP_RATE_MS / 1_000);
	load.rate = top / 2;
	progress(`top rate ${Math.round(top)} requests/s; half of it for ${minutes} minutes`);

	const samples: Record<"process" | "isolate" | "live", number[]> = { process: [], isolate: [], live: [] };
	const rates: number[] = [];
	const [answered, writes, began] = [load.answered, load.writes, performance.now()];
	const errorsBefore = countOf(load.errors);
	const count = Math.max(1, Math.round((minutes * 60_000) / SAMPLE_MS));
	for (let sample = 0; sample <= count; sample++) {
		const [seen, since] = [load.answered, performance.now()];
		if (sample > 0) {
			await sleep(SAMPLE_MS);
			rates.push(((load.answered - seen) * 1_000) / (performance.now() - since));
		}
		samples.process.push(residentMb() ?? Number.NaN);
		samples.isolate.push(await isolate.usedMb());
		if (sample % LIVE_EVERY === 0 || sample === count) samples.live.push(await isolate.liveMb());
		progress(
			`${String(sample * (SAMPLE_MS / 1_000)).padStart(5)} s: ${Math.round(rates.at(-1) ?? 0)} requests/s, ${countOf(load.errors) - errorsBefore} errors, process ${mb(samples.process.at(-1))}, isolate ${mb(samples.isolate.at(-1))}, of which live ${mb(samples.live.at(-1))}`,
		);
	}
	const seconds = (performance.now() - began) / 1_000;
	const [sent, written] = [load.answered - answered, load.writes - writes];
	load.stop();
	await running;
	isolate.close();
	const row = (values: readonly number[]) => ({ first: mb(values[0]), highest: mb(Math.max(...values)), last: mb(values.at(-1)) });
	console.table({
		"isolate of the service": row(samples.isolate),
		"isolate after a garbage collection": row(samples.live),
		"process of the runtime, with databases and queues": row(samples.process),
	});
	console.table({
		"top rate": `${Math.round(top)} requests/s`,
		"rate of the soak": `${Math.round(sent / seconds)} requests/s, of which ${Math.round((100 * written) / sent)} % writes`,
		"lowest rate of ten seconds": `${Math.round(Math.min(...rates))} requests/s`,
		requests: sent,
		errors: countOf(load.errors) - errorsBefore,
		"webhook requests received": receiver.deliveries.length,
		duration: `${Math.round(seconds)} s`,
	});
	for (const [error, times] of load.errors) console.error(`${times} times: ${error}`);
} finally {
	await service.stop();
	await receiver.close();
	rmSync(statePath, { recursive: true, force: true });
}
process.exit(0);

function mb(value: number | undefined): string {
	return value === undefined || Number.isNaN(value) ? "unknown" : `${value.toFixed(1)} MB`;
}

function countOf(errors: ReadonlyMap<string, number>): number {
	return [...errors.values()].reduce((sum, times) => sum + times, 0);
}
