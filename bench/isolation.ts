// `npm run bench`: how long events take from their commit to their arrival at healthy receivers, without and with a
// receiver beside them that never answers. Real HTTPS on loopback, bounded to about a minute; prints figures, asserts nothing.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Receiver, startReceiver } from "../src/dev/receiver.ts";
import { startService } from "../src/dev/service.ts";

const HEALTHY = 4;
const EVENTS_PER_SECOND = 5;
const SECONDS = 20;

type Figures = { sent: number; arrived: number; p50: number; p95: number; p99: number; max: number };

const statePath = mkdtempSync(path.join(tmpdir(), "isolation-"));
const service = await startService({ port: 0, statePath, onLog: (log) => void (log.level === "error" && console.error(log.message)) });
try {
	const alone = await measure(false);
	const beside = await measure(true);
	const row = (name: string, f: Figures) => ({ run: name, ...f });
	console.table([row("healthy receivers alone", alone), row("one receiver hangs for 30 s", beside)]);
	console.log(`p95 with / without: ${(beside.p95 / alone.p95).toFixed(2)} (to stay within 2)`);
} finally {
	await service.stop();
	rmSync(statePath, { recursive: true, force: true });
}
process.exit(0);

async function measure(withHanging: boolean): Promise<Figures> {
	const receivers = await Promise.all(Array.from({ length: HEALTHY }, () => startReceiver()));
	const hanging = withHanging ? await startReceiver({ hang: true }) : undefined;
	const token = await operator();
	const organization = await post("/v1/platform/organizations", token, { name: "Bench", slug: `bench-${Date.now().toString(36)}` });
	const register = async (receiver: Receiver, index: number) =>
		text(
			await post(
				"/v1/webhooks",
				token,
				{ name: `r${index}`, url: receiver.url, events: ["webhook.test"], timeout: "PT30S" },
				text(organization, "id"),
			),
			"id",
		);
	const healthy = await Promise.all(receivers.map(register));
	const dead = hanging && (await register(hanging, HEALTHY));

	const sending: Promise<unknown>[] = [];
	for (let tick = 0; tick < EVENTS_PER_SECOND * SECONDS; tick++) {
		// The hanging one first: whoever waits for it is behind it.
		for (const id of [...(dead ? [dead] : []), healthy[tick % HEALTHY]]) {
			sending.push(post(`/v1/webhooks/${id}/test`, token, undefined, text(organization, "id")));
		}
		await sleep(1000 / EVENTS_PER_SECOND);
	}
	await Promise.all(sending);
	await sleep(3_000);
	// An envelope's `sent_at` is the instant of the commit, by the same machine's clock.
	const delays = receivers
		.flatMap(({ deliveries }) => deliveries)
		.filter(({ attempt }) => attempt === 1)
		.map(({ body, receivedAt }) => receivedAt.getTime() - Date.parse(JSON.parse(body).sent_at))
		.sort((a, b) => a - b);
	await Promise.all([...receivers, ...(hanging ? [hanging] : [])].map((receiver) => receiver.close()));
	const percentile = (share: number) => delays[Math.max(0, Math.ceil(delays.length * share) - 1)] ?? Number.NaN;
	return {
		sent: EVENTS_PER_SECOND * SECONDS,
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
