// Webhooks under test: a fake DNS resolver and fake receivers that answer as the test defines, endpoints, events and deliveries.

import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { and, eq, getTableColumns, isNull, lte, sql } from "drizzle-orm";
import { expect } from "vitest";
import type { Write } from "../../src/db/database";
import { DIRECTORY_HOME } from "../../src/db/places";
import { shortId } from "../../src/db/short-ids";
import { userAdmitted } from "../../src/domains/users/model/events";
import { claim } from "../../src/domains/webhooks/deliveries/claim.procedure";
import type { Target } from "../../src/domains/webhooks/deliveries/due.store";
import { DeliveryRun, type RunOptions } from "../../src/domains/webhooks/deliveries/engine.job";
import { createWebhook } from "../../src/domains/webhooks/endpoints/operations";
import { listEvents } from "../../src/domains/webhooks/feed/operations";
import { attemptOf, type Receipt } from "../../src/domains/webhooks/keeping/receipts.store";
import { attemptsOf } from "../../src/domains/webhooks/store";
import { GRACE_MS } from "../../src/domains/webhooks/wake.store";
import { raise } from "../../src/events/raise";
import { webhookDeliveries, webhookEndpoints } from "../../src/events/table";
import { atInstant } from "../../src/runtime/making-services";
import type { Lane, WebhookQueue } from "../../src/runtime/ports";
import type { JobServices, Services } from "../../src/runtime/services";
import { homeOf } from "../../src/shared/ids";
import { toTimestamp } from "../../src/shared/time";
import { allDeliveries } from "./all-deliveries";
import { call, expectOk } from "./client";
import { everyDatabase } from "./databases";
import { db, givenMember, givenOrganization, oneTrip } from "./factories";
import { answerOutbound, servicesFor, worker } from "./outbound";

export type Received = { url: string; headers: Headers; body: string; at: number };
type Answering = (request: Received, signal: AbortSignal) => Response | Promise<Response>;

/** What the DNS resolver answers for each name: addresses, or a failure. */
type Names = { [name: string]: readonly string[] | "NXDOMAIN" | "SERVFAIL" | "TIMEOUT" };

export class World {
	readonly received: Received[] = [];
	readonly lookups: string[] = [];
	readonly redirects: unknown[] = [];
	names: Names = {};
	/** Runs while a name is looked up. */
	resolving: (name: string) => Promise<void> = async () => {};
	answer: Answering = () => new Response(null, { status: 204 });

	/** The requests that one address received. */
	to(url: string): Received[] {
		return this.received.filter((request) => request.url === url);
	}

	async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
		const request = new Request(input, init);
		const url = new URL(request.url);
		if (url.pathname === "/dns-query") return this.#resolve(url);
		const received = {
			url: url.href,
			headers: request.headers,
			body: new TextDecoder("utf-8", { ignoreBOM: true, fatal: false }).decode(await request.arrayBuffer()),
			at: Date.now(),
		};
		this.received.push(received);
		this.redirects.push(init?.redirect);
		const signal = init?.signal ?? new AbortController().signal;
		return Promise.race([
			this.answer(received, signal),
			new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
		]);
	}

	async #resolve(url: URL): Promise<Response> {
		const name = url.searchParams.get("name") ?? "";
		const type = url.searchParams.get("type") ?? "";
		this.lookups.push(`${type} ${name}`);
		await this.resolving(name);
		const known = this.names[name] ?? ["1.1.1.1"];
		if (known === "TIMEOUT") throw new DOMException("timed out", "TimeoutError");
		if (known === "SERVFAIL") return Response.json({ Status: 2 });
		if (known === "NXDOMAIN") return Response.json({ Status: 3 });
		const addresses = known.filter((address) => address.includes(":") === (type === "AAAA"));
		return Response.json({ Status: 0, Answer: addresses.map((data) => ({ name, type: type === "A" ? 1 : 28, TTL: 0, data })) });
	}
}

/** A fake resolver and receivers that answer every outbound request until the test ends. */
export function fakeWorld(): World {
	const world = new World();
	answerOutbound((input, init) => world.fetch(input, init));
	return world;
}

type Registered = {
	name?: string;
	url?: string;
	events?: string[];
	timeout?: string;
	description?: string;
	max_in_flight?: number;
	rate_limit?: number | null;
	ordering?: "NONE" | "ENTITY";
	batch?: { max_events: number; max_wait?: string } | null;
	auto_recover?: boolean;
	filter?: { member: string; in?: (string | number | boolean)[]; min?: number; max?: number }[] | null;
	headers?: Record<string, string>;
};

/** A new organization with an owner, and a way to register endpoints. */
export async function givenWebhookOwner() {
	const { write, written } = oneTrip();
	const organization = await givenOrganization(undefined, write);
	home = homeOf(organization.id);
	const owner = await givenMember(organization.id, undefined, {}, write);
	await written();
	const register = async ({
		name = crypto.randomUUID(),
		url = "https://hooks.example/in",
		events = ["user.admitted"],
		...rest
	}: Registered = {}) => {
		const webhook = expectOk(await call(createWebhook, { as: owner.token, body: { name, url, events, ...rest } }));
		return { ...webhook, secret: webhook.signing_keys[0]?.secret ?? "" };
	};
	return { organization, as: owner.token, register };
}

/** Verifies both signatures as a receiver would: with Node's crypto, not with the service's code. */
export function expectSigned({ headers, body }: Received, secrets: readonly string[]): void {
	const header = headers.get("x-service-signature") ?? "";
	const [, t = ""] = /^t=(\d+)/.exec(header) ?? [];
	const digests = secrets.map((secret) => createHmac("sha256", secret).update(`${t}.${body}`, "utf8").digest("hex"));
	expect(header).toBe([`t=${t}`, ...digests.map((digest) => `v1=${digest}`)].join(","));
	const id = headers.get("x-service-batch-id") ?? headers.get("x-service-delivery-id");
	const standard = secrets.map((secret) => {
		const key = Buffer.from(secret.slice("whsec_".length), "base64");
		return `v1,${createHmac("sha256", key).update(`${id}.${t}.${body}`, "utf8").digest("base64")}`;
	});
	expect([headers.get("webhook-id"), headers.get("webhook-timestamp")]).toEqual([id, t]);
	expect(headers.get("webhook-signature")).toBe(standard.join(" "));
}

/** The digest that a signature with this secret has for the request. */
export function digestOf({ headers, body }: Received, secret: string): string {
	const [, t = ""] = /^t=(\d+)/.exec(headers.get("x-service-signature") ?? "") ?? [];
	return createHmac("sha256", secret).update(`${t}.${body}`, "utf8").digest("hex");
}

/** The home of the test's last webhook owner. */
let home = DIRECTORY_HOME;

/** Services as a consumer or the cron gets them, in the home of the last webhook owner, with the clock `aheadMs` ahead. */
export async function services(aheadMs = 0): Promise<JobServices> {
	const ctx = { waitUntil: (work: Promise<unknown>) => void work };
	const made = (await servicesFor({ env, ctx })).at(home);
	return atInstant(made, made.now + aheadMs);
}

/** Commits writes in the home of an id without a message to the queue, so that no consumer attempts the new deliveries. */
export async function commitQuietly(id: string, writes: (quiet: Services) => Write[], aheadMs = 0): Promise<void> {
	const quiet = { ...(await services(aheadMs)), queue: quietQueue }.at(id);
	await quiet.db.commit(writes(quiet));
}

/** Raises `user.admitted` for the organization without a message to the queue. Returns the id of the user in the event. */
export async function raiseQuietly(organizationId: string, aheadMs = 0): Promise<string> {
	const userId = crypto.randomUUID();
	const data = { user_id: userId, admitted_at: toTimestamp(Date.now() + aheadMs) };
	await commitQuietly(organizationId, (quiet) => [raise(quiet, userAdmitted, { organizationId, entityId: userId, data })], aheadMs);
	return userId;
}

export const deliveriesOf = async (ofWebhook: string) => (await allDeliveries()).filter(({ webhookId }) => webhookId === ofWebhook);

export async function onlyDelivery(webhookId: string) {
	const [only, another] = await deliveriesOf(webhookId);
	if (!only || another) throw new Error("expected one delivery");
	return only;
}

export async function attemptLog(deliveryId: string) {
	const attempts = await attemptsOf(db, deliveryId);
	const [receipt] = await db.all<Receipt>(sql`
		select ${deliveryId} as "id", started_at as "startedAt", duration_ms as "durationMs", response_status as "responseStatus", response_body as "responseBody"
		from webhook_receipts where id = ${shortId(deliveryId)}`);
	return receipt ? [attemptOf(receipt)] : attempts;
}

export async function endpoint(webhookId: string) {
	const [row] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, webhookId));
	if (!row) throw new Error("expected the endpoint");
	return row;
}

/** Passes messages for these deliveries' endpoints to the consumer as a queue does, and waits for the attempts that it starts. */
export async function consumeNow(ids: readonly unknown[], lane: Lane = "QUICK") {
	const messages = await messagesFor(ids, lane);
	const batch = createMessageBatch("any-name", messages);
	const ctx = createExecutionContext();
	await worker.queue(batch as never, quietQueues(), ctx);
	return getQueueResult(batch, ctx);
}

/** A lane's messages for these deliveries: each names the delivery's endpoint, or what is none as it is. */
export async function messagesFor(ids: readonly unknown[], lane: Lane = "QUICK") {
	const rows = await allDeliveries();
	const endpoints = new Map<unknown, string>(rows.map(({ id, webhookId }) => [id, webhookId]));
	return ids.map((id, index) => ({
		id: `m${index}`,
		timestamp: new Date(),
		attempts: 1,
		body: { webhookId: endpoints.get(id) ?? id, lane },
	}));
}

/** Those of these deliveries that may be attempted now. */
export const targetsAmong = async ({ now }: Services, ids: readonly string[]): Promise<Target[]> =>
	(
		await db
			.select({
				...getTableColumns(webhookDeliveries),
				...{ url: webhookEndpoints.url, slow: webhookEndpoints.slow, batchSize: webhookEndpoints.batchSize },
			})
			.from(webhookDeliveries)
			.innerJoin(webhookEndpoints, and(eq(webhookEndpoints.id, webhookDeliveries.webhookId), eq(webhookEndpoints.status, "ACTIVE")))
			.where(and(lte(webhookDeliveries.nextAttemptAt, now + GRACE_MS), isNull(webhookDeliveries.claimedUntil)))
			.orderBy(webhookDeliveries.nextAttemptAt)
	)
		.filter(({ id }) => ids.includes(id))
		.map(({ id, organizationId, webhookId, url, slow, entityId, batchSize }) => ({
			...{ id, organizationId, webhookId, url, batchSize },
			lane: slow ? "SLOW" : "QUICK",
			isOrdered: entityId === null ? 0 : 1,
		}));

/** A queue that drops every message. */
export const quietQueue: WebhookQueue = { poke: async () => {} };

/** Bindings whose queues drop every message, so that the test alone decides what is consumed and when. */
const silence = { sendBatch: async () => ({}), send: async () => ({}) } as never;
export const quietQueues = (): Env => ({ ...env, WEBHOOK_QUEUE: silence, WEBHOOK_SLOW_QUEUE: silence });

/** Attempts the endpoint's due deliveries once, or only the oldest `first` of them, with the clock `aheadMs` ahead. */
export async function attemptAt(webhookId: string, aheadMs = 0, first?: number): Promise<void> {
	const ids = (await deliveriesOf(webhookId)).slice(0, first).map(({ id }) => id);
	const later = await services(aheadMs);
	await attemptAll({ ...later, queue: quietQueue }.at(webhookId), ids);
}

/** Attempts those of these deliveries that are due and, by default, no others. */
export async function attemptAll(services: JobServices, ids: readonly string[], options: RunOptions = { until: 0 }): Promise<void> {
	const run = new DeliveryRun(services, options);
	await run.take(await targetsAmong(services, ids));
	await run.ended();
}

/** Claims the delivery without sending it, like a run that dies in between. */
export async function claimOnly({ id, webhookId }: { id: string; webhookId: string }) {
	const { url } = await endpoint(webhookId);
	return (await claim(await services(), { targets: [{ id, webhookId }], urls: [url], most: 1_000 })).claimed;
}

/** An owner with one endpoint and one pending delivery, of which no queue has a message. */
export async function givenDelivery(timeout = "PT5S") {
	const owner = await givenWebhookOwner();
	const webhook = await owner.register({ timeout });
	await raiseQuietly(owner.organization.id);
	const delivery = await onlyDelivery(webhook.id);
	return { ...owner, webhook, delivery, path: { webhook_id: webhook.id } };
}

/** Makes the next attempt of pending deliveries the sixth, so that one failure finishes them. */
export async function lastAttempts(webhookId: string): Promise<void> {
	await everyDatabase
		.prepare(
			"update webhook_deliveries set attempts = 5, round_attempts = 5, next_attempt_at = created_at where webhook_id = ? and status = 'PENDING'",
		)
		.bind(webhookId)
		.run();
}

/** An owner with an endpoint that answers 500. `fail` makes deliveries FAILED; `raised` returns the data of all events of a type. */
export async function givenFailing(world: World, events = ["user.admitted"]) {
	const owner = await givenWebhookOwner();
	const webhook = await owner.register({ url: "https://dead.example/in", events });
	world.answer = ({ url }) => new Response(null, { status: url.includes("dead") ? 500 : 204 });
	const fail = async (count: number) => {
		for (let i = 0; i < count; i++) await raiseQuietly(owner.organization.id);
		await lastAttempts(webhook.id);
		await attemptAt(webhook.id);
	};
	const raised = async (type: string) => expectOk(await call(listEvents, { as: owner.as, query: { type } })).data.map(({ data }) => data);
	return { ...owner, webhook, path: { webhook_id: webhook.id }, fail, raised };
}
