// The world that webhooks meet, faked at its edge: a resolver whose answers change, and receivers that answer as told.

import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, vi } from "vitest";
import { startAttempts } from "../../src/domains/webhooks/deliveries/attempt.job";
import { createWebhook } from "../../src/domains/webhooks/endpoints/operations";
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from "../../src/domains/webhooks/table";
import { raise } from "../../src/events/raise";
import { atInstant, type JobServices } from "../../src/runtime/services";
import type { Json } from "../../src/shared/json";
import { servicesFor } from "../../src/wiring/services";
import worker from "../../src/worker";
import { call, expectOk } from "./client";
import { db, givenMember, givenOrganization } from "./factories";

export type Received = { url: string; headers: Headers; body: string; at: number };
type Answering = (request: Received, signal: AbortSignal) => Response | Promise<Response>;

/** Addresses by name; a function answers as a resolver would, or breaks like one. */
type Names = { [name: string]: readonly string[] | "NXDOMAIN" | "SERVFAIL" | "TIMEOUT" };

export class World {
	readonly received: Received[] = [];
	readonly lookups: string[] = [];
	readonly redirects: unknown[] = [];
	names: Names = {};
	/** What happens while a name is looked up. */
	resolving: (name: string) => Promise<void> = async () => {};
	answer: Answering = () => new Response(null, { status: 204 });

	/** Requests that came for one address. */
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

/** Replaces `fetch` for consumers, Durable Objects and requests alike. */
export function fakeWorld(): World {
	const world = new World();
	vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => world.fetch(input as RequestInfo, init as RequestInit));
	return world;
}

type Registered = { name?: string; url?: string; events?: string[]; timeout?: string; description?: string };

/** A new organization with an owner, and a way to register endpoints. */
export async function givenWebhookOwner() {
	const organization = await givenOrganization();
	const owner = await givenMember(organization.id);
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

/** What a receiver computes, with an implementation that is not ours. */
export function expectSigned({ headers, body }: Received, secrets: readonly string[]): void {
	const header = headers.get("x-service-signature") ?? "";
	const [, t = ""] = /^t=(\d+)/.exec(header) ?? [];
	const digests = secrets.map((secret) => createHmac("sha256", secret).update(`${t}.${body}`, "utf8").digest("hex"));
	expect(header).toBe([`t=${t}`, ...digests.map((digest) => `v1=${digest}`)].join(","));
}

/** The rows of a plan that read something, for tests that no list and no work scans or sorts. */
export async function planOf(query: string, ...values: unknown[]): Promise<string[]> {
	const { results } = await env.DB.prepare(`explain query plan ${query}`)
		.bind(...values)
		.all<{ detail: string }>();
	return results.map(({ detail }) => detail);
}

/** Services as a consumer or the cron has them, `aheadMs` of the service's clock. */
export async function services(aheadMs = 0): Promise<JobServices> {
	const ctx = { waitUntil: (work: Promise<unknown>) => void work };
	const made = await servicesFor({ env, ctx });
	return atInstant(made, made.now + aheadMs);
}

/** Raises `user.admitted` for the organization. Its deliveries stay where they are: the queue is told nothing. */
export async function raiseQuietly(organizationId: string, data: { [name: string]: Json } = {}, aheadMs = 0): Promise<void> {
	const quiet = await services(aheadMs);
	const entityId = crypto.randomUUID();
	await quiet.db.commit([
		raise({ ...quiet, env: quietQueues() }, { type: "user.admitted", organizationId, entityId, data: { user_id: entityId, ...data } }),
	]);
}

export const deliveriesOf = (webhookId: string) =>
	db
		.select()
		.from(webhookDeliveries)
		.where(eq(webhookDeliveries.webhookId, webhookId))
		.orderBy(webhookDeliveries.createdAt, webhookDeliveries.id);

export async function onlyDelivery(webhookId: string) {
	const [only, another] = await deliveriesOf(webhookId);
	if (!only || another) throw new Error("expected one delivery");
	return only;
}

export const attemptLog = (deliveryId: string) =>
	db.select().from(webhookAttempts).where(eq(webhookAttempts.deliveryId, deliveryId)).orderBy(webhookAttempts.position);

export async function endpoint(webhookId: string) {
	const [row] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, webhookId));
	if (!row) throw new Error("expected the endpoint");
	return row;
}

/** Hands the deliveries to the consumer as a queue would, and waits for what it set off. */
export async function consumeNow(ids: readonly unknown[], queue = "webhook-deliveries") {
	const messages = ids.map((deliveryId, index) => ({ id: `m${index}`, timestamp: new Date(), attempts: 1, body: { deliveryId } }));
	const batch = createMessageBatch(queue, messages);
	const ctx = createExecutionContext();
	await worker.queue(batch as never, quietQueues(), ctx);
	return getQueueResult(batch, ctx);
}

/** The bindings with queues that swallow, so that a test alone decides what is consumed when. */
const silence = { sendBatch: async () => ({}), send: async () => ({}) } as never;
export const quietQueues = (): Env => ({ ...env, WEBHOOK_QUEUE: silence, WEBHOOK_RETRY_QUEUE: silence });

/** Makes one attempt of everything, or of the first so many, that is due at that time of the service's clock. */
export async function attemptAt(webhookId: string, aheadMs = 0, first?: number): Promise<void> {
	const ids = (await deliveriesOf(webhookId)).slice(0, first).map(({ id }) => id);
	const later = await services(aheadMs);
	const { ended } = await startAttempts({ ...later, env: quietQueues() }, ids, undefined);
	await ended;
}
