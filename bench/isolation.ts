// `npm run bench`: how long events take from their commit to their arrival at healthy receivers, alone and beside receivers
// that never answer: one at a steady pace, then twenty in a burst. Real HTTPS on loopback, about two minutes in all
// (`npm run bench -- steady` or `burst` runs half of it). It prints figures and asserts nothing.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Receiver, startReceiver } from "../src/dev/receiver.ts";
import { startService } from "../src/dev/service.ts";

const HEALTHY = 4;
const EVENTS_PER_SECOND = 5;
const SECONDS = 20;
const BURST = 100;
const HANGING_IN_BURST = 20;
const BURST_BOUND_MS = 40_000;

type Figures = { sent: number; arrived: number; p50: number; p95: number; p99: number; max: number };

const statePath = mkdtempSync(path.join(tmpdir(), "isolation-"));
const service = await startService({ port: 0, statePath, onLog: (log) => void (log.level === "error" && console.error(log.message)) });
const only = process.argv[2];
try {
	if (only !== "burst") {
		const alone = await steady(false);
		const beside = await steady(true);
		show(alone, beside, "one receiver hangs for 30 s");
	}
	if (only !== "steady") {
		const alone = await burst(false);
		const beside = await burst(true);
		show(alone, beside, `${BURST} events at once, ${HANGING_IN_BURST} receivers hang`, `${BURST} events at once, all receivers answer`);
	}
} finally {
	await service.stop();
	rmSync(statePath, { recursive: true, force: true });
}
process.exit(0);

function show(alone: Figures, beside: Figures, name: string, nameAlone = "healthy receivers alone"): void {
	console.table([
		{ run: nameAlone, ...alone },
		{ run: name, ...beside },
	]);
	console.log(`p95 with / without hanging receivers: ${(beside.p95 / alone.p95).toFixed(2)} (target: at most 2)`);
}

/** Events at a steady pace, each for one healthy receiver and, on request, for one that hangs. */
function steady(withHanging: boolean): Promise<Figures> {
	return measure(withHanging ? 1 : 0, true, ["user.admitted"], async ({ token, organization, healthy, hanging }) => {
		const sending: Promise<unknown>[] = [];
		for (let tick = 0; tick < EVENTS_PER_SECOND * SECONDS; tick++) {
			// The hanging receiver first, so that a service that waits for it delays the healthy one.
			for (const id of [...hanging, healthy[tick % HEALTHY]]) {
				sending.push(post(`/v1/webhooks/${id}/test`, token, undefined, organization));
			}
			await sleep(1000 / EVENTS_PER_SECOND);
		}
		await Promise.all(sending);
		return EVENTS_PER_SECOND * SECONDS;
	});
}

/** Many events at once, each for every receiver. The number of deliveries is the same with and without hanging receivers. */
function burst(hang: boolean): Promise<Figures> {
	return measure(HANGING_IN_BURST, hang, ["api_key.created"], async ({ token, organization }) => {
		const path = `/v1/organizations/${organization}/api-keys`;
		await Promise.all(Array.from({ length: BURST }, (_, i) => post(path, token, { name: `k${i}`, scopes: ["loans:write"] })));
		return BURST * HEALTHY;
	});
}

type Bench = { token: string; organization: string; healthy: readonly string[]; hanging: readonly string[] };

/** Measures the healthy receivers beside `others` more, which hang or answer too. */
async function measure(
	others: number,
	hang: boolean,
	events: readonly string[],
	raise: (bench: Bench) => Promise<number>,
): Promise<Figures> {
	const receivers = await Promise.all(Array.from({ length: HEALTHY }, () => startReceiver()));
	const dead = await Promise.all(Array.from({ length: others }, () => startReceiver({ hang })));
	const token = await operator();
	const slug = `bench-${Date.now().toString(36)}`;
	const organization = text(await post("/v1/platform/organizations", token, { name: "Bench", slug }), "id");
	const register = async (receiver: Receiver) =>
		text(await post("/v1/webhooks", token, { name: receiver.url, url: receiver.url, events, timeout: "PT30S" }, organization), "id");
	// The hanging receivers first: deliveries of one event are queued in the order of their endpoints.
	const hangingIds = await Promise.all(dead.map(register));
	const healthy = await Promise.all(receivers.map(register));

	const sent = await raise({ token, organization, healthy, hanging: hangingIds });
	const arrivals = () => receivers.flatMap(({ deliveries }) => deliveries).filter(({ attempt }) => attempt === 1);
	for (const began = Date.now(); arrivals().length < sent && Date.now() - began < BURST_BOUND_MS; ) await sleep(100);
	// An envelope's `sent_at` is the instant of the commit, by the clock of this machine.
	const delays = arrivals()
		.map(({ body, receivedAt }) => receivedAt.getTime() - Date.parse(JSON.parse(body).sent_at))
		.sort((a, b) => a - b);
	await Promise.all([...receivers, ...dead].map((receiver) => receiver.close()));
	const percentile = (share: number) => delays[Math.max(0, Math.ceil(delays.length * share) - 1)] ?? Number.NaN;
	return {
		sent,
		arrived: delays.length,
		p50: percentile(0.5),
		p95: percentile(0.95),
		p99: percentile(0.99),
		max: percentile(1),
	};
}

async function operator(): Promise<string> {
	return text(await post("/v1/sandbox/tokens", undefined, { kind: "operator", subject: "bench", expires_in: 3600 }), "token");
}

async function post(pathname: string, token: string | undefined, body: unknown, organization?: string): Promise<unknown> {
	const response = await fetch(`${service.url}${pathname}`, {
		method: "POST",
		headers: {
			...(body !== undefined && { "content-type": "application/json" }),
			...(token && { authorization: `Bearer ${token}` }),
			...(organization && { "x-organization-id": organization }),
		},
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	const answer: unknown = await response.json();
	if (!response.ok) throw new Error(`${pathname} answered ${response.status} ${JSON.stringify(answer)}`);
	return answer;
}

function text(body: unknown, name: string): string {
	const value = typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;
	if (typeof value !== "string") throw new Error(`the answer has no ${name}`);
	return value;
}
