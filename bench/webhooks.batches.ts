// Parts of `npm run bench -- webhooks`: deliveries a second of one endpoint without batches and with them, and the pace of a recovery while
// others read.

import { setTimeout as sleep } from "node:timers/promises";
import type { Certificate } from "../src/dev/certificate.ts";
import { startReceiver } from "../src/dev/receiver.ts";
import { type Client, percentile, progress, times, until } from "./webhooks.client.ts";

type Row = { what: string; value: string; goal: string };

const ms = (value: number): string => `${Math.round(value).toLocaleString("en")} ms`;
const EVENTS = ["invoice.uploaded"];
/** Events of one upload. */
const PER_UPLOAD = 100;

const BACKLOG = 4_000;
/** How long the receiver takes to answer. */
const ANSWERS_AFTER_MS = 20;

/** A backlog at one endpoint, which its rate has held up until it is lifted. */
export async function batches(client: Client, certificate: Certificate): Promise<Row[]> {
	const rates: number[] = [];
	for (const size of [null, 10, 100]) {
		progress(`  ${size === null ? "no batches" : `batches of ${size}`}`);
		const receiver = await startReceiver({ certificate, delayMs: ANSWERS_AFTER_MS });
		const organization = await client.organization(`batch-${size ?? 1}`);
		const batch = size === null ? null : { max_events: size };
		const fields = { events: EVENTS, timeout: "PT30S", max_in_flight: 50, rate_limit: 1, batch, url: receiver.url };
		const webhook_id = await client.webhook(organization, fields);
		await times(BACKLOG / PER_UPLOAD, 2, () => client.upload(organization, PER_UPLOAD));
		const before = receiver.deliveries.length;
		await client.api.updateWebhook({ path: { webhook_id }, organization, body: { rate_limit: null } });
		await until(
			() => receiver.deliveries.length >= BACKLOG,
			240_000,
			() => `${receiver.deliveries.length} of ${BACKLOG} arrived`,
		);
		const [first, last] = [receiver.deliveries[before], receiver.deliveries.at(-1)].map((one) => one?.receivedAt.getTime() ?? Number.NaN);
		rates.push(((receiver.deliveries.length - before) * 1000) / ((last ?? 0) - (first ?? 0)));
		await receiver.close();
	}
	const [alone = Number.NaN, ...batched] = rates.map(Math.round);
	return [
		{
			what: `a backlog of ${BACKLOG.toLocaleString("en")} at one endpoint that answers after ${ANSWERS_AFTER_MS} ms, without batches, in batches of 10, of 100`,
			value: `${alone} a second, ${batched.map((rate) => `${rate} (${(rate / alone).toFixed(1)} times)`).join(", ")}`,
			goal: "10 times",
		},
	];
}

/** How long the bench waits for what was missed. */
const PATIENCE_MS = 780_000;
const MILLION = 1_000_000;
const READS_ALONE = 50;

/** So many events that an endpoint missed, recovered in batches, and the pages of the feed that another organization reads meanwhile. */
export async function recovery(client: Client, certificate: Certificate, missed: number): Promise<Row[]> {
	const receiver = await startReceiver({ certificate });
	const organization = await client.organization("recovery");
	const reader = await client.organization("reader");
	await client.upload(reader, PER_UPLOAD);
	await times(missed / PER_UPLOAD, 2, () => client.upload(organization, PER_UPLOAD));
	const reads: number[] = [];
	const read = async () => {
		const began = performance.now();
		await client.api.listEvents({ organization: reader, query: { size: 100 } });
		reads.push(performance.now() - began);
	};
	for (let i = 0; i < READS_ALONE; i++) await read();
	const alone = percentile(reads.splice(0), 0.95);
	const webhook_id = await client.webhook(organization, {
		events: EVENTS,
		timeout: "PT30S",
		batch: { max_events: 100 },
		url: receiver.url,
	});
	const began = Date.now();
	const body = { since: new Date(began - 3_600_000).toISOString() };
	await client.api.recoverWebhook({ path: { webhook_id }, organization, body });
	let done = false;
	const reading = (async () => {
		for (; !done; await sleep(50)) await read();
	})();
	await until(
		() => receiver.deliveries.length >= missed,
		PATIENCE_MS,
		() => `${receiver.deliveries.length} of ${missed} arrived, ${Math.round((Date.now() - began) / 1000)} s`,
	);
	done = true;
	await reading;
	const tookMs = (receiver.deliveries.at(-1)?.receivedAt.getTime() ?? Number.NaN) - began;
	await receiver.close();
	const perMillion = (tookMs / receiver.deliveries.length) * MILLION;
	return [
		{
			what: `${missed.toLocaleString("en")} missed events recovered in batches of 100, until the last arrival`,
			value: `${(tookMs / 1000).toFixed(1)} s (${receiver.deliveries.length}); at this pace a million in ${Math.round(perMillion / 60_000)} min`,
			goal: "a million in an hour",
		},
		{ what: "a page of another organization's feed meanwhile, p95", value: `${ms(percentile(reads, 0.95))}, alone ${ms(alone)}`, goal: "" },
	];
}
