// Simulates webhooks in virtual time: events, endpoints in order and with batches, that fail, heal, hang, change their URL and are deleted, a quota
// that is reached, an archive that fails, lost and duplicate messages, crashes and jumps of the clock, all drawn from a seed. The service's own code runs; only receivers, queue and clock are simulated.

import { expect } from "vitest";
import { randomBy } from "../../src/dev/random";
import { attemptOnce } from "../../src/domains/webhooks/deliveries/attempt.job";
import { claim } from "../../src/domains/webhooks/deliveries/claim.procedure";
import { consume } from "../../src/domains/webhooks/deliveries/consumer.job";
import { targetsOf } from "../../src/domains/webhooks/deliveries/due.store";
import { endExpired, startDue, tendHeld } from "../../src/domains/webhooks/deliveries/job";
import { retryDelivery } from "../../src/domains/webhooks/deliveries/operations";
import { sendingsOf } from "../../src/domains/webhooks/deliveries/sending.policy";
import { deleteWebhook, updateWebhook } from "../../src/domains/webhooks/endpoints/operations";
import { healEndpoints } from "../../src/domains/webhooks/healing/job";
import { archiveDeliveries } from "../../src/domains/webhooks/keeping/archive.job";
import { carryOnRecoveries } from "../../src/domains/webhooks/recovery/job";
import { recoverWebhook } from "../../src/domains/webhooks/recovery/operations";
import { createSigningKey, revokeSigningKey } from "../../src/domains/webhooks/signing/operations";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../../src/events/table";
import { jobFrom } from "../../src/runtime/making-services";
import type { Lane } from "../../src/runtime/ports";
import type { JobServices } from "../../src/runtime/services";
import { HOUR_MS, MINUTE_MS, toTimestamp } from "../../src/shared/time";
import { deliveriesIn } from "../../src/webhook-verify/verify";
import { call, expectOk } from "./client";
import { moveClock } from "./clock";
import { everyDatabase } from "./databases";
import { db } from "./factories";
import { endsOf, requestsEnded } from "./serve";
import { ARCHIVED, archivedAmong, withArchive } from "./simulation.archive";
import { answerAs, drawnEndpoint, type Endpoint, MODES } from "./simulation.endpoints";
import { ENTITIES, raiseAbout, TYPES } from "./simulation.events";
import { SimulatedQueue } from "./simulation.queue";
import { expectDelivered, expectNoOlderOpen } from "./simulation.verdict";
import { digestOf, fakeWorld, givenWebhookOwner, type Received, services, type World } from "./webhooks";

export type SimulationOptions = { seed: number; endpoints: number; days: number; events: number };

export class Simulation {
	readonly #options: SimulationOptions;
	readonly #random: () => number;
	readonly #world: World = fakeWorld();
	readonly #endpoints: Endpoint[] = [];
	readonly #goneUrls = new Set<string>();
	readonly #revoked = new Set<string>();
	/** The ids of the endpoints that must get each event, by the event's id. */
	readonly #audiences = new Map<string, Set<string>>();
	/** The endpoints that may get it as well: those that recover by themselves get what they missed. */
	readonly #missing = new Map<string, Set<string>>();
	/** How often each delivery was answered with a 2xx, and how often a crash prevented the answer from being recorded. */
	readonly #accepted = new Map<string, number>();
	readonly #forgotten = new Map<string, number>();
	readonly #queue = new SimulatedQueue(
		() => Date.now() + this.#offsetMs,
		(probability) => this.#happens(probability),
	);
	#as = "";
	#organizationId = "";
	/** Whether the organization has reached its quota, so that nothing is delivered of what happens. */
	#crowded = false;
	/** Nothing dies any more. */
	#isLastRound = false;
	/** How far the service's clock is ahead. */
	#offsetMs = 0;

	constructor(options: SimulationOptions) {
		this.#options = options;
		this.#random = randomBy(options.seed);
	}

	async run(): Promise<void> {
		const { days, events } = this.#options;
		await this.#register();
		this.#world.answer = (request) => this.#answer(request);
		this.#world.resolving = async (name) => {
			const endpoint = this.#endpoints.find(({ url }) => new URL(url).hostname === name);
			if (endpoint && this.#happens(0.02)) await this.#change(endpoint);
		};
		const steps = days * 4;
		for (let step = 0; step < steps; step++) {
			for (let i = 0; i < Math.ceil(events / steps); i++) if (this.#happens(events / steps)) await this.#raise();
			for (const endpoint of this.#endpoints) {
				if (this.#happens(0.1)) endpoint.mode = this.#one(MODES);
				if (this.#happens(0.03)) await this.#change(endpoint);
			}
			if (this.#happens(0.3)) await this.#retryFailed();
			if (this.#happens(0.15)) await this.#limit(!this.#crowded);
			for (const minutes of [0, 1, 3, 10, 40, 120]) await this.#work(minutes * MINUTE_MS);
			// The clock jumps by more than the hours that pass.
			await this.#pass(3 * HOUR_MS + (this.#happens(0.2) ? this.#random() * 12 * HOUR_MS : 0));
		}
		await this.#heal();
		await expectDelivered({
			endpoints: this.#endpoints,
			types: TYPES,
			audiences: this.#audiences,
			missing: this.#missing,
			accepted: this.#accepted,
			forgotten: this.#forgotten,
			archived: await archivedAmong(this.#accepted.keys(), this.#as),
		});
	}

	#happens = (probability: number): boolean => this.#random() < probability;

	#one<T>(of: readonly T[]): T {
		const chosen = of[Math.floor(this.#random() * of.length)];
		if (chosen === undefined) throw new Error("there is nothing to choose from");
		return chosen;
	}

	async #register(): Promise<void> {
		const { organization, as, register } = await givenWebhookOwner();
		this.#as = as;
		this.#organizationId = organization.id;
		for (let i = 0; i < this.#options.endpoints; i++)
			this.#endpoints.push(await drawnEndpoint(register, `https://e${i}.example/0`, this.#random));
		// The first request of a process starts a sweep, which would attempt deliveries that the simulation does not know about.
		await requestsEnded();
	}

	/** Bindings for requests. */
	get #vars(): Partial<Env> {
		return { ...ARCHIVED, ...this.#queue.bindings };
	}

	async #services(): Promise<JobServices & { done(): Promise<void> }> {
		const background: Promise<unknown>[] = [];
		const afterwards: JobServices["afterwards"] = (work) => void background.push(work(jobFrom(base)).catch(() => {}));
		const made = withArchive(await services(), () => this.#happens(0.2));
		const base: JobServices = { ...made, queue: this.#queue, afterwards };
		return { ...base, done: () => endsOf(background) };
	}

	async #pass(byMs: number): Promise<void> {
		const ms = Math.round(byMs);
		this.#offsetMs += ms;
		await moveClock(ms);
	}

	async #raise(): Promise<void> {
		const active = await db.select({ id: webhookEndpoints.id, status: webhookEndpoints.status }).from(webhookEndpoints);
		const open = new Set(active.filter(({ status }) => status === "ACTIVE").map(({ id }) => id));
		const type = this.#one(TYPES);
		const made = await this.#services();
		const id = made.newId();
		const subscribed = this.#endpoints.filter((endpoint) => endpoint.events.includes(type));
		const audience = subscribed.filter((endpoint) => open.has(endpoint.id) && !this.#crowded);
		this.#missing.set(id, new Set(subscribed.filter(({ heals }) => heals).map((endpoint) => endpoint.id)));
		this.#audiences.set(id, new Set(audience.map((endpoint) => endpoint.id)));
		await made.db.commit([raiseAbout(made, type, this.#one(ENTITIES), { id, organizationId: this.#organizationId })]);
		await made.done();
	}

	async #limit(crowded: boolean): Promise<void> {
		this.#crowded = crowded;
		const changed = crowded ? "quota = 0" : "quota = null";
		await everyDatabase.exec(
			`insert into delivery_holdings (organization_id, quota) values ('${this.#organizationId}', 0) on conflict do update set ${changed}`,
		);
	}

	/** The owner changes the endpoint. The response's promise is expected from then on. */
	async #change(endpoint: Endpoint): Promise<void> {
		if (endpoint.deleted) return;
		const by = { as: this.#as, path: { webhook_id: endpoint.id }, vars: this.#vars };
		const kind = this.#one(["SUSPEND", "RESUME", "RESUME", "RESUME", "MOVE", "ROTATE", "REVOKE", "DELETE"] as const);
		switch (kind) {
			case "SUSPEND":
				if ((await call(updateWebhook, { ...by, body: { status: "SUSPENDED" } })).ok) endpoint.open = false;
				return;
			case "RESUME":
				return this.#resume(endpoint);
			case "MOVE": {
				const old = endpoint.url;
				endpoint.url = `${new URL(old).origin}/${Number(new URL(old).pathname.slice(1)) + 1}`;
				if ((await call(updateWebhook, { ...by, body: { url: endpoint.url } })).ok) this.#goneUrls.add(old);
				else endpoint.url = old;
				return;
			}
			case "ROTATE":
				return this.#addKey(endpoint);
			case "REVOKE": {
				const [id = ""] = endpoint.keys.keys();
				const revoked = await call(revokeSigningKey, { ...by, path: { ...by.path, signing_key_id: id } });
				if (revoked.ok) this.#revoked.add(endpoint.keys.get(id) ?? "");
				if (revoked.ok) endpoint.keys.delete(id);
				return;
			}
			case "DELETE":
				if (!this.#happens(0.3) || !(await call(deleteWebhook, by)).ok) return;
				endpoint.open = false;
				endpoint.deleted = true;
		}
	}

	/** Creates a signing key, unless the endpoint has two already. */
	async #addKey(endpoint: Endpoint): Promise<void> {
		const key = await call(createSigningKey, { as: this.#as, path: { webhook_id: endpoint.id }, vars: this.#vars });
		if (key.ok) endpoint.keys.set(key.body.id, key.body.secret ?? "");
	}

	/** Resumes the endpoint, with a new signing key if the last one was revoked while it was suspended. */
	async #resume(endpoint: Endpoint): Promise<void> {
		if (endpoint.keys.size === 0) await this.#addKey(endpoint);
		endpoint.open = true;
		const by = { as: this.#as, path: { webhook_id: endpoint.id }, vars: this.#vars };
		expectOk(await call(updateWebhook, { ...by, body: { status: "ACTIVE" } }));
	}

	async #retryFailed(): Promise<void> {
		const rows = await db.select({ id: webhookDeliveries.id, status: webhookDeliveries.status }).from(webhookDeliveries);
		const failed = rows.filter(({ status }) => status === "FAILED");
		if (failed.length > 0) await call(retryDelivery, { as: this.#as, path: { delivery_id: this.#one(failed).id }, vars: this.#vars });
	}

	async #answer(request: Received): Promise<Response> {
		const endpoint = this.#endpoints.find(({ url }) => url === request.url);
		if (!endpoint) throw new Error(`a request to ${request.url}, where no endpoint is`);
		expect(endpoint.open, `a request to ${request.url} after it was suspended or deleted`).toBe(true);
		expect(this.#goneUrls.has(request.url), `a request to ${request.url} after the endpoint got another`).toBe(false);
		const header = request.headers.get("x-service-signature") ?? "";
		for (const secret of this.#revoked) expect(header, "a signature with a revoked key").not.toContain(digestOf(request, secret));
		for (const secret of endpoint.keys.values()) expect(header).toContain(digestOf(request, secret));
		const ids = deliveriesIn(request.body).map(({ delivery_id }) => delivery_id);
		expect(request.headers.has("x-service-batch-id"), "a batch").toBe(endpoint.batched);
		if (endpoint.ordered) for (const id of ids) await expectNoOlderOpen(id);
		const { accepted, response } = answerAs(endpoint, ids, this.#random);
		for (const id of accepted) this.#accepted.set(id, (this.#accepted.get(id) ?? 0) + 1);
		return response;
	}

	/** Moves the clock by this much, then runs consumers, crashes and a sweep. */
	async #work(afterMs: number): Promise<void> {
		await this.#pass(afterMs);
		if (this.#happens(0.3) && !this.#isLastRound) await this.#crash();
		for (const lane of ["QUICK", "SLOW"] as const) await this.#consume(lane);
		const made = await this.#services();
		for (const step of [endExpired, healEndpoints, tendHeld, carryOnRecoveries, startDue, archiveDeliveries]) await step(made);
		await made.done();
	}

	/** A run that dies after it has claimed deliveries and has sent some of them. */
	async #crash(): Promise<void> {
		const made = await this.#services();
		const targets = await made.db.read(targetsOf(made, this.#queue.peek(3), 3));
		const { claimed } = await claim(made, { targets, urls: targets.map(({ url }) => url), most: 1_000 });
		for (const sending of sendingsOf(claimed)) {
			if (this.#happens(0.5)) continue;
			for (const [{ id }, { outcome }] of await attemptOnce(made, sending, { next: "SEND", durationMs: 0 }))
				if (outcome === "DELIVERED") this.#forgotten.set(id, (this.#forgotten.get(id) ?? 0) + 1);
		}
		await made.done();
		await everyDatabase.exec("update webhook_deliveries set claimed_until = 1 where claimed_until is not null");
	}

	async #consume(lane: Lane): Promise<void> {
		for (const batch of this.#queue.takeDue(lane)) {
			const made = await this.#services();
			await consume(batch, made);
			await made.done();
		}
	}

	/** Makes every receiver answer, resumes every endpoint and recovers what each has missed, after which all must be delivered. */
	async #heal(): Promise<void> {
		this.#world.resolving = async () => {};
		await this.#limit(false);
		const there = this.#endpoints.filter(({ deleted }) => !deleted);
		for (const endpoint of this.#endpoints) endpoint.mode = "ANSWERS";
		for (const endpoint of there) await this.#resume(endpoint);
		for (let hour = 0; hour < 6; hour++) {
			for (const minutes of [1, 5, 10, 44]) await this.#work(minutes * MINUTE_MS);
			// In the second hour, because a healed endpoint may still be recovering.
			const body = { since: toTimestamp(0) };
			const recover = (id: string) => call(recoverWebhook, { as: this.#as, path: { webhook_id: id }, vars: this.#vars, body });
			if (hour !== 1) continue;
			for (const { id } of there) expectOk(await recover(id));
			// Six interrupted attempts end a delivery, and nobody recovers it again.
			this.#isLastRound = true;
		}
		const subscribed = await db.select({ id: webhookEvents.id, type: webhookEvents.eventType }).from(webhookEvents);
		for (const { id, type } of subscribed)
			for (const endpoint of there) if (endpoint.events.includes(type)) this.#audiences.get(id)?.add(endpoint.id);
	}
}
