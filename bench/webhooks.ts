// `npm run bench -- webhooks`: how fast and how evenly events reach their receivers, over real HTTPS on loopback, in one table. Service,
// receivers and callers share the machine. Prints figures and asserts nothing. Runs each part in an unbounded profile and within the bounds of a
// deployment, about seven minutes each; `webhooks <part>` runs one part in both, `webhooks <part> unbounded` or `deployed` in one,
// and `webhooks recovery deployed 200000` recovers as many events.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { loopbackCertificate } from "../src/dev/certificate.ts";
import { type Receiver, startReceiver } from "../src/dev/receiver.ts";
import { batches, recovery } from "./webhooks.batches.ts";
import { type Client, type Profile, percentile, progress, startBadReceivers, startClient, times, until } from "./webhooks.client.ts";

type Row = { what: string; value: string; goal: string };
type Bench = { client: Client; statePath: string; profile: Profile };

const certificate = loopbackCertificate();
const SIMULTANEOUS = 32;
const MEMORY = "/dev/shm";
/** Between two parts. */
const CALM_MS = 5_000;
const FAST = { events: ["invoice.uploaded"], timeout: "PT30S", max_in_flight: 50 };

/** From the commit to the first arrival, in ms: `sent_at` is the instant of the commit, by the clock of this machine. */
const delaysOf = (receivers: readonly Pick<Receiver, "deliveries">[]): number[] =>
	receivers.flatMap(({ deliveries }) =>
		deliveries
			.filter(({ attempt }) => attempt === 1)
			.map(({ body, receivedAt }) => receivedAt.getTime() - Date.parse(JSON.parse(body).sent_at)),
	);

const ms = (value: number): string => `${Math.round(value).toLocaleString("en")} ms`;

type Raising = {
	name: string;
	/** Events of one request. */
	per: number;
	/** Concurrent requests. */
	atOnce: number;
	raise: (client: Client, to: { organization: string; webhook: string }) => Promise<unknown>;
};
const ONE_BY_ONE: Raising = {
	name: "one by one",
	per: 1,
	atOnce: SIMULTANEOUS,
	raise: (client, { organization, webhook }) => client.test(webhook, organization),
};
const uploadsOf = (per: number, atOnce: number): Raising => ({
	name: `by uploads of ${per} invoices`,
	per,
	atOnce,
	raise: (client, { organization }) => client.upload(organization, per),
});

async function throughput({ client }: Bench, raising: Raising, count: number, goal: string): Promise<Row[]> {
	const receiver = await startReceiver({ certificate });
	const organization = await client.organization("throughput");
	const webhook = await client.webhook(organization, { ...FAST, url: receiver.url });
	const raise = () => raising.raise(client, { organization, webhook });
	const warmedUp = 200;
	await times(warmedUp / raising.per, raising.atOnce, raise);
	const arrived = (expected: number) =>
		until(
			() => receiver.deliveries.length >= expected,
			60_000,
			() => `${receiver.deliveries.length} of ${expected} arrived`,
		);
	await arrived(warmedUp);
	const began = Date.now();
	await times(count / raising.per, raising.atOnce, raise);
	await arrived(warmedUp + count);
	const last = receiver.deliveries.at(-1)?.receivedAt.getTime() ?? Number.NaN;
	await receiver.close();
	const value = `${Math.round((count * 1000) / (last - began))} a second`;
	return [
		{ what: `raised and delivered, ${count.toLocaleString("en")} events, raised ${raising.name}, ${raising.atOnce} at once`, value, goal },
	];
}

async function steady({ client }: Bench, perSecond: number, raising: Raising, goal: string): Promise<Row[]> {
	const seconds = 10;
	const receiver = await startReceiver({ certificate });
	const organization = await client.organization(`steady-${perSecond}`);
	const webhook = await client.webhook(organization, { ...FAST, url: receiver.url });
	const requests: Promise<unknown>[] = [];
	const began = Date.now();
	const sent = perSecond * seconds;
	for (let i = 0; i < sent; i += raising.per) {
		const wait = began + (i * 1000) / perSecond - Date.now();
		if (wait > 0) await sleep(wait);
		requests.push(raising.raise(client, { organization, webhook }));
	}
	await Promise.all(requests);
	await until(
		() => receiver.deliveries.length >= sent,
		30_000,
		() => `${receiver.deliveries.length} of ${sent} arrived`,
	);
	const delays = delaysOf([receiver]);
	await receiver.close();
	const value = `${ms(percentile(delays, 0.95))} (p50 ${ms(percentile(delays, 0.5))}, ${delays.length} of ${sent})`;
	return [{ what: `commit to arrival at ${perSecond} a second, raised ${raising.name}, p95`, value, goal }];
}

async function burst({ client }: Bench, raising: Raising, goal: string): Promise<Row[]> {
	const count = 1_000;
	const receiver = await startReceiver({ certificate });
	const organization = await client.organization("burst");
	const webhook = await client.webhook(organization, { ...FAST, url: receiver.url });
	await times(count / raising.per, count, () => raising.raise(client, { organization, webhook }));
	await until(
		() => receiver.deliveries.length >= count,
		60_000,
		() => `${receiver.deliveries.length} of ${count} arrived`,
	);
	const delays = delaysOf([receiver]);
	await receiver.close();
	const value = `${ms(percentile(delays, 0.99))} (${delays.length} of ${count})`;
	return [{ what: `burst of 1,000 events, raised ${raising.name}, commit to arrival, p99`, value, goal }];
}

/** Events that are raised as fast as sixteen callers can, by a request each. */
async function flood({ client }: Bench): Promise<Row[]> {
	const [count, warmedUp] = [1_500, 100];
	const receiver = await startReceiver({ certificate });
	const organization = await client.organization("flood");
	await client.webhook(organization, { ...FAST, url: receiver.url });
	const arrived = (expected: number) =>
		until(
			() => receiver.deliveries.length >= expected,
			60_000,
			() => `${receiver.deliveries.length} of ${expected} arrived`,
		);
	await times(warmedUp, 16, () => client.upload(organization, 1));
	await arrived(warmedUp);
	const began = Date.now();
	await times(count, 16, () => client.upload(organization, 1));
	const raisedMs = Date.now() - began;
	await arrived(warmedUp + count);
	const own = receiver.deliveries.slice(warmedUp);
	const delays = delaysOf([{ deliveries: own }]);
	const [tenth, last] = [own[9], own.at(-1)].map((delivery) => (delivery?.receivedAt.getTime() ?? Number.NaN) - began) as [number, number];
	await receiver.close();
	const what = `a flood of ${count.toLocaleString("en")} events, 16 at once, each by a request`;
	const perSecond = (ms: number) => `${Math.round((count * 1000) / ms)} a second`;
	return [
		{ what: `${what}: from its beginning to the tenth arrival`, value: ms(tenth), goal: "under 1 s" },
		{ what: `${what}: commit to arrival, p95`, value: `${ms(percentile(delays, 0.95))} (p50 ${ms(percentile(delays, 0.5))})`, goal: "" },
		{ what: `${what}: raised; raised and delivered`, value: `${perSecond(raisedMs)}; ${perSecond(last)}`, goal: "350 a second" },
	];
}

/** Raises events that stay pending because the endpoint does not answer, kills the service, and measures from the next start. */
async function backlog(bench: Bench): Promise<Row[]> {
	const count = 10_000;
	const receiver = await startReceiver({ certificate, hang: true });
	const organization = await bench.client.organization("backlog");
	const webhook = await bench.client.webhook(organization, { ...FAST, url: receiver.url });
	let raised = 0;
	const said = setInterval(() => progress(`  ${raised} of ${count} raised`), 5_000);
	await times(count, SIMULTANEOUS, async () => {
		await bench.client.test(webhook, organization);
		raised++;
	});
	clearInterval(said);
	await bench.client.end("SIGKILL");
	receiver.behaviour.hang = false;
	const before = receiver.deliveries.length;
	await sleep(2_000);
	const began = Date.now();
	bench.client = await startClient(bench.statePath, bench.profile);
	const arrived = new Set<string>();
	const pending = () => {
		for (const { id, answered } of receiver.deliveries.slice(before)) if (answered !== undefined) arrived.add(id);
		return count - arrived.size;
	};
	await until(
		() => pending() === 0,
		180_000,
		() => `${arrived.size} of ${count} arrived`,
	);
	const tookMs = (receiver.deliveries.at(-1)?.receivedAt.getTime() ?? Number.NaN) - began;
	await receiver.close();
	const value = `${(tookMs / 1000).toFixed(1)} s (${arrived.size} of ${count})`;
	return [{ what: "backlog of 10,000 after a kill, from the start to the last arrival", value, goal: "within 60 s" }];
}

const HEALTHY = 4;
const BLACK_HOLES = 500;
const FAILING = 50;
/** How often each of them gets an event. */
const EVERY_MS = 5_000;

async function isolation({ client }: Bench): Promise<Row[]> {
	const alone = await healthy(client, "alone");
	progress(`  registering ${BLACK_HOLES} black holes and ${FAILING} failing receivers`);
	const bad = await startBadReceivers();
	const organizations: string[] = [];
	for (let from = 0; from < BLACK_HOLES; from += 90) {
		const organization = await client.organization(`holes-${from}`);
		organizations.push(organization);
		const fields = { events: ["api_key.created"], timeout: "PT30S" };
		await times(Math.min(90, BLACK_HOLES - from), 8, (i) => client.webhook(organization, { ...fields, url: `${bad.silent}/${from + i}` }));
		await times(Math.min(9, FAILING - from / 10), 4, (i) =>
			client.webhook(organization, { ...fields, url: `${bad.failing}/${from}-${i}` }),
		);
	}
	let stopped = false;
	const raising = (async () => {
		while (!stopped) {
			for (const id of organizations) {
				await client.api.createApiKey({ path: { organizationId: id }, body: { name: crypto.randomUUID(), scopes: ["loans:write"] } });
				await sleep(EVERY_MS / organizations.length);
			}
		}
	})();
	await sleep(EVERY_MS);
	const beside = await healthy(client, "next to black holes and failing receivers");
	stopped = true;
	await raising;
	const hung = await bad.end();
	const row = (what: string, of: "first" | "retry") => ({
		what: `${what}, p99 beside ${BLACK_HOLES} black holes and ${FAILING} failing receivers`,
		value: `${ms(beside[of])}, alone ${ms(alone[of])}: ${(beside[of] / alone[of]).toFixed(2)} times (${hung} connections hung)`,
		goal: "at most 2 times",
	});
	return [row("first attempts", "first"), row("retries, after they were due", "retry")];
}

/** The p99 of first attempts and of retries at healthy receivers, which fail every fourth first attempt. */
async function healthy(client: Client, name: string): Promise<{ first: number; retry: number }> {
	progress(`  healthy receivers ${name}`);
	const receivers = await Promise.all(Array.from({ length: HEALTHY }, () => startReceiver({ certificate })));
	const organization = await client.organization(name.split(" ")[0] ?? name);
	const webhooks = await Promise.all(receivers.map(({ url }) => client.webhook(organization, { ...FAST, url })));
	const failed: string[] = [];
	for (let i = 0; i < 400; i++) {
		const at = i % HEALTHY;
		const [receiver, webhook] = [receivers[at], webhooks[at]];
		if (!receiver || !webhook) throw new Error("there are fewer receivers than expected");
		const fails = i % 16 < HEALTHY;
		if (fails) receiver.behaviour.failures++;
		const id = await client.test(webhook, organization);
		if (fails) await receiver.waitFor((delivery) => delivery.id === id, 30_000);
		if (fails) failed.push(id);
		await sleep(30);
	}
	await sleep(1_000);
	const due = new Map<string, number>();
	for (const id of failed) {
		const { next_attempt_at } = await client.api.getDelivery({ path: { id }, organization });
		if (typeof next_attempt_at === "string") due.set(id, Date.parse(next_attempt_at));
	}
	const retries = () => receivers.flatMap(({ deliveries }) => deliveries.filter(({ attempt, id }) => attempt === 2 && due.has(id)));
	await until(
		() => retries().length >= due.size,
		60_000,
		() => `${retries().length} of ${due.size} retries arrived`,
	);
	const late = retries().map(({ id, receivedAt }) => Math.max(1, receivedAt.getTime() - (due.get(id) ?? Number.NaN)));
	const first = percentile(delaysOf(receivers), 0.99);
	await Promise.all(receivers.map((receiver) => receiver.close()));
	return { first, retry: percentile(late, 0.99) };
}

const LOUD_ENDPOINTS = 100;
const LOUD_EVENTS = 20;
const QUIET = 10;
/** Endpoints and events of an organization whose receivers hang, and of one whose receivers fail. */
const ILL_ENDPOINTS = 10;
const ILL_EVENTS = 5;

/**
 * Ten organizations with an event each, alone and during one commit of an organization with many endpoints, while others hang or fail: an
 * event right after the commit, and one after the other until the burst has arrived.
 */
async function neighbour({ client }: Bench): Promise<Row[]> {
	const [loudReceiver, quietReceiver] = await Promise.all([startReceiver({ certificate }), startReceiver({ certificate })]);
	const loud = await client.organization("loud");
	await times(LOUD_ENDPOINTS, 8, (i) => client.webhook(loud, { ...FAST, max_in_flight: 10, url: `${loudReceiver.url}/${i}` }));
	const quiet: { organization: string; webhook: string }[] = [];
	for (let i = 0; i < QUIET; i++) {
		const organization = await client.organization(`quiet-${i}`);
		quiet.push({ organization, webhook: await client.webhook(organization, { ...FAST, url: `${quietReceiver.url}/${i}` }) });
	}
	const bad = await startBadReceivers();
	const ill: string[] = [];
	for (const [name, url] of [
		["hanging", bad.silent],
		["failing", bad.failing],
	] as const) {
		const organization = await client.organization(name);
		ill.push(organization);
		await times(ILL_ENDPOINTS, 4, (i) => client.webhook(organization, { ...FAST, timeout: "PT5S", url: `${url}/${name}-${i}` }));
	}
	const raiseQuiet = async () => {
		const before = quietReceiver.deliveries.length;
		const arrived = () => quietReceiver.deliveries.slice(before);
		for (const { organization, webhook } of quiet) await client.test(webhook, organization);
		await until(
			() => arrived().length >= QUIET,
			120_000,
			() => `${arrived().length} of ${QUIET} arrived`,
		);
		return delaysOf([{ deliveries: arrived() }]);
	};
	await raiseQuiet();
	const alone = await raiseQuiet();
	const began = Date.now();
	for (const organization of ill) await client.upload(organization, ILL_EVENTS);
	await client.upload(loud, LOUD_EVENTS);
	const beside = await raiseQuiet();
	const all = LOUD_ENDPOINTS * LOUD_EVENTS;
	const later: number[] = [];
	while (loudReceiver.deliveries.length < all && Date.now() - began < 180_000) later.push(...(await raiseQuiet()));
	await until(
		() => loudReceiver.deliveries.length >= all,
		180_000,
		() => `${loudReceiver.deliveries.length} of ${all} of the burst arrived`,
	);
	const tookMs = (loudReceiver.deliveries.at(-1)?.receivedAt.getTime() ?? Number.NaN) - began;
	await Promise.all([loudReceiver.close(), quietReceiver.close(), bad.end()]);
	const p95 = (delays: readonly number[]) => ms(percentile(delays, 0.95));
	const burst = `${LOUD_EVENTS} events to ${LOUD_ENDPOINTS} endpoints`;
	return [
		{
			what: `an event of each of ${QUIET} others beside ${burst} and receivers that hang and fail, p95`,
			value: `${p95(beside)}, later ${p95(later)} of ${later.length}, alone ${p95(alone)}`,
			goal: "at most 1 s above",
		},
		{
			what: `${burst}, until the last arrival`,
			value: `${(tookMs / 1000).toFixed(1)} s (${loudReceiver.deliveries.length} of ${all})`,
			goal: "",
		},
	];
}

const [only, named, missed] = process.argv.slice(2);

/** Events that `recovery` recovers; a third word says how many others. */
const MISSED = 20_000;

const PARTS: Record<string, (bench: Bench) => Promise<Row[]>> = {
	throughput: async (bench) => [
		...(await throughput(bench, uploadsOf(100, 2), 8_000, "at least 400 a second")),
		...(await throughput(bench, ONE_BY_ONE, 2_000, "")),
	],
	steady: async (bench) => [
		...(await steady(bench, 50, ONE_BY_ONE, "under 100 ms")),
		...(await steady(bench, 200, uploadsOf(10, 1), "under 1 s")),
	],
	burst: async (bench) => [...(await burst(bench, uploadsOf(100, 1), "under 3 s")), ...(await burst(bench, ONE_BY_ONE, ""))],
	flood,
	backlog,
	isolation,
	neighbour,
	batches: ({ client }) => batches(client, certificate),
	recovery: ({ client }) => recovery(client, certificate, Number(missed ?? MISSED)),
};

const PROFILES: readonly Profile[] = named === "unbounded" || named === "deployed" ? [named] : ["unbounded", "deployed"];
/** In memory where there is such a directory: each commit waits for the disk, and how long differs from disk to disk and second to second. */
const inMemory = existsSync(MEMORY) && process.env.TMPDIR === undefined;

async function figuresOf(profile: Profile): Promise<Row[]> {
	const statePath = mkdtempSync(path.join(inMemory ? MEMORY : tmpdir(), "webhooks-"));
	const bench: Bench = { client: await startClient(statePath, profile), statePath, profile };
	const rows: Row[] = [];
	try {
		for (const [name, part] of Object.entries(PARTS)) {
			if (only !== undefined && only !== name) continue;
			progress(`${name}, ${profile}`);
			// Messages that the part before left in the queue would delay the first of this one.
			if (rows.length > 0) await sleep(CALM_MS);
			rows.push(...(await part(bench)));
		}
	} finally {
		await bench.client.end("SIGTERM");
		rmSync(statePath, { recursive: true, force: true });
	}
	return rows;
}

const figures = new Map<string, Record<string, string>>();
for (const profile of PROFILES)
	for (const { what, value, goal } of await figuresOf(profile)) figures.set(what, { ...figures.get(what), [profile]: value, goal });
const [cpu] = cpus();
console.log(
	`${cpus().length} cores of ${cpu?.model ?? "an unknown model"}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}; all on this machine, data ${inMemory ? "in memory" : "on disk"}`,
);
console.table(Object.fromEntries(figures));
process.exit(0);
