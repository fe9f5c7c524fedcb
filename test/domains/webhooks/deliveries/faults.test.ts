import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Databases } from "../../../../src/db/databases";
import { placesOf } from "../../../../src/db/places";
import { getHealth } from "../../../../src/domains/health/operations";
import { startAttempts } from "../../../../src/domains/webhooks/deliveries/attempt.job";
import { claim, openClaims } from "../../../../src/domains/webhooks/deliveries/attempt.store";
import { endExpired, purgeWebhooks, requeueDue, tendHeld } from "../../../../src/domains/webhooks/deliveries/job";
import { listDeliveries } from "../../../../src/domains/webhooks/deliveries/operations";
import { getWebhookStats } from "../../../../src/domains/webhooks/diagnosis/operations";
import { deleteWebhook, listWebhooks, updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { listEvents } from "../../../../src/domains/webhooks/feed/operations";
import { recoverWebhook } from "../../../../src/domains/webhooks/recovery/operations";
import { type JobServices, jobServices } from "../../../../src/runtime/services";
import { DAY_MS } from "../../../../src/shared/time";
import { sweepAtStart } from "../../../../src/wiring/cron";
import { call } from "../../../support/client";
import { everyDatabase, wrapped } from "../../../support/databases";
import { answerOutbound, worker } from "../../../support/outbound";
import {
	attemptAt,
	attemptLog,
	consumeNow,
	deliveriesOf,
	endpoint,
	fakeWorld,
	givenWebhookOwner,
	onlyDelivery,
	planOf,
	quietQueue,
	quietQueues,
	raiseQuietly,
	services,
	type World,
} from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});
afterEach(() => {
	vi.restoreAllMocks();
});

async function givenDelivery(timeout = "PT5S") {
	const owner = await givenWebhookOwner();
	const webhook = await owner.register({ timeout });
	await raiseQuietly(owner.organization.id);
	const delivery = await onlyDelivery(webhook.id);
	return { ...owner, webhook, delivery, path: { webhook_id: webhook.id } };
}

/** Sweeps as the cron does, with the real queues unless others are given. */
async function sweepNow(bindings: Env = env): Promise<void> {
	const ctx = createExecutionContext();
	await worker.scheduled(createScheduledController(), bindings, ctx);
	await waitOnExecutionContext(ctx);
}

const expireClaims = () => everyDatabase.exec("update webhook_deliveries set claimed_until = 1 where claimed_until is not null");

describe("queue messages", () => {
	it("that arrive twice, together or in sequence, cause one request", async () => {
		const { webhook, delivery } = await givenDelivery();
		await Promise.all([consumeNow([delivery.id, delivery.id]), consumeNow([delivery.id]), consumeNow([delivery.id], "webhook-retries")]);
		await consumeNow([delivery.id]);
		expect(world.received).toHaveLength(1);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED", attempts: 1 });
	});

	it("that arrive early, late or out of order attempt only what is due", async () => {
		world.answer = () => new Response(null, { status: 500 });
		const { organization, webhook, delivery } = await givenDelivery();
		await raiseQuietly(organization.id);
		const ids = (await deliveriesOf(webhook.id)).map(({ id }) => id);
		await consumeNow(ids.toReversed());
		await consumeNow([delivery.id], "webhook-retries");
		expect(world.received).toHaveLength(2);
		expect((await deliveriesOf(webhook.id)).map(({ attempts }) => attempts)).toEqual([1, 1]);
	});

	it("that are lost cost a minute: the sweep queues them again", async () => {
		const { webhook } = await givenDelivery();
		await sweepNow();
		await vi.waitFor(async () => expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED" }), 5_000);
		expect(world.received).toHaveLength(1);
	});

	it("that name no known delivery are acknowledged and hold up no others", async () => {
		const { webhook, delivery } = await givenDelivery();
		const result = await consumeNow([null, "not an id", crypto.randomUUID(), delivery.id]);
		expect(result.explicitAcks.toSorted()).toEqual(["m0", "m1", "m2", "m3"]);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED" });
	});

	it("are retried one by one when D1 fails", async () => {
		const { delivery } = await givenDelivery();
		await everyDatabase.exec("alter table webhook_attempts rename to gone");
		const result = await consumeNow([delivery.id, null]);
		expect(result.retryMessages).toEqual([{ msgId: "m0" }]);
		expect(result.explicitAcks).toEqual(["m1"]);
		expect(world.received).toEqual([]);
	});
});

describe("a crash", () => {
	it("during an attempt shows as INTERRUPTED once the claim expires, and the delivery is due again at once", async () => {
		const { webhook, delivery } = await givenDelivery();
		const [claimed] = await claim(await services(), [delivery.id], "FIRST");
		expect(claimed).toMatchObject({ id: delivery.id, position: 1 });
		expect(await attemptLog(delivery.id)).toMatchObject([{ number: 1, outcome: null }]);
		await sweepNow(quietQueues());
		await consumeNow([delivery.id]);
		expect(world.received).toEqual([]);
		await expireClaims();
		await sweepNow(quietQueues());
		expect(await attemptLog(delivery.id)).toMatchObject([{ number: 1, outcome: "INTERRUPTED", durationMs: null }]);
		const due = await onlyDelivery(webhook.id);
		expect(due).toMatchObject({ status: "PENDING", attempts: 1, claimedUntil: null });
		expect(due.nextAttemptAt).toBeLessThanOrEqual(Date.now());
		await attemptAt(webhook.id);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED", attempts: 2 });
	});

	it("of the local process is found by the next process once the claim expires, without a cron", async () => {
		const { webhook, delivery } = await givenDelivery();
		await claim(await services(), [delivery.id], "FIRST");
		await everyDatabase
			.prepare("update webhook_deliveries set claimed_until = ?")
			.bind(Date.now() + 200)
			.run();
		await sweepAtStart({ ...(await services()), queue: quietQueue });
		expect(await attemptLog(delivery.id)).toMatchObject([{ outcome: "INTERRUPTED" }]);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "PENDING", claimedUntil: null });
	});

	it("leaves the claim in place for the endpoint's timeout plus ten seconds", async () => {
		const { delivery } = await givenDelivery("PT30S");
		const before = Date.now();
		await claim(await services(), [delivery.id], "FIRST");
		const { claimedUntil } = (await deliveriesOf(delivery.webhookId))[0] ?? {};
		expect(claimedUntil).toBeGreaterThanOrEqual(before + 40_000);
		expect(claimedUntil).toBeLessThan(Date.now() + 41_000);
	});

	it("during the sixth attempt ends the delivery as FAILED", async () => {
		const { webhook, delivery } = await givenDelivery();
		await everyDatabase.exec("update webhook_deliveries set attempts = 5, round_attempts = 5");
		await claim(await services(), [delivery.id], "FIRST");
		await expireClaims();
		await sweepNow(quietQueues());
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "FAILED", attempts: 6 });
		expect((await endpoint(webhook.id)).failuresInRow).toBe(1);
	});

	it("does not let a late answer overwrite the recorded outcome or count twice", async () => {
		const { webhook, delivery } = await givenDelivery();
		world.answer = async () => {
			await expireClaims();
			await sweepNow(quietQueues());
			return new Response(null, { status: 204 });
		};
		await attemptAt(webhook.id);
		expect(await attemptLog(delivery.id)).toMatchObject([{ outcome: "INTERRUPTED" }]);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "PENDING", attempts: 1 });
	});
});

describe("a storage failure after a 2xx", () => {
	/** Makes D1 refuse the first `times` commits of outcomes. */
	function refuse(times: number) {
		const trigger =
			"create trigger refuse before update on webhook_deliveries when new.attempt_outcome is not null begin select raise(abort, 'refused'); end";
		let left = times;
		world.answer = async () => {
			await everyDatabase.exec(trigger);
			return new Response(null, { status: 204 });
		};
		const logged = vi.spyOn(console, "error").mockImplementation((line: unknown) => {
			if (!String(line).includes("stored")) return;
			left--;
			if (left === 0) void everyDatabase.exec("drop trigger refuse");
		});
		return logged;
	}

	it("is retried until the outcome is stored, without a second request", async () => {
		const { webhook } = await givenDelivery();
		refuse(1);
		await attemptAt(webhook.id);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "DELIVERED", attempts: 1 });
		expect(world.received).toHaveLength(1);
	});

	it("that lasts is logged, and leads to INTERRUPTED and another attempt of the same delivery", async () => {
		const { webhook, delivery } = await givenDelivery();
		const logged = refuse(Number.POSITIVE_INFINITY);
		await attemptAt(webhook.id);
		expect(logged.mock.calls.flat().join()).toContain(`"delivery_id":"${delivery.id}","outcome":"DELIVERED"`);
		await everyDatabase.exec("drop trigger refuse");
		await expireClaims();
		world.answer = () => new Response(null, { status: 204 });
		await sweepNow(quietQueues());
		await attemptAt(webhook.id);
		expect((await attemptLog(delivery.id)).map(({ outcome }) => outcome)).toEqual(["INTERRUPTED", "DELIVERED"]);
		expect(new Set(world.received.map(({ headers }) => headers.get("x-service-delivery-id")))).toEqual(new Set([delivery.id]));
	}, 15_000);
});

describe("a poison delivery", () => {
	it("whose secret cannot be opened holds up no others and does not count against the endpoint", async () => {
		const { organization, register, webhook } = await givenDelivery();
		await everyDatabase.exec("update webhook_signing_keys set sealed_secret = 'moved'");
		const healthy = await register({ url: "https://healthy.example/in" });
		await raiseQuietly(organization.id);
		const ids = [...(await deliveriesOf(webhook.id)), ...(await deliveriesOf(healthy.id))].map(({ id }) => id);
		await consumeNow(ids);
		expect(world.received.map(({ url }) => url)).toEqual(["https://healthy.example/in"]);
		expect((await deliveriesOf(healthy.id))[0]?.status).toBe("DELIVERED");
		expect(await endpoint(webhook.id)).toMatchObject({ failing: false, failuresInRow: 0 });
	});

	it("whose secret was moved from another row does not open", async () => {
		const { webhook, register } = await givenDelivery();
		const other = await register();
		await everyDatabase
			.prepare(
				"update webhook_signing_keys set sealed_secret = (select sealed_secret from webhook_signing_keys where webhook_id = ?) where webhook_id = ?",
			)
			.bind(other.id, webhook.id)
			.run();
		await attemptAt(webhook.id);
		expect(world.received).toEqual([]);
	});
});

describe("isolation", () => {
	it("records an outcome at once while another receiver is slow", async () => {
		const { organization, register, webhook } = await givenDelivery("PT2S");
		const healthy = await register({ url: "https://healthy.example/in" });
		await raiseQuietly(organization.id);
		world.answer = ({ url }) => (url.includes("healthy") ? new Response(null, { status: 204 }) : new Promise<Response>(() => {}));
		const ids = [...(await deliveriesOf(webhook.id)).slice(0, 1), ...(await deliveriesOf(healthy.id))].map(({ id }) => id);
		const { ended } = await startAttempts({ ...(await services()), queue: quietQueue }, ids, "FIRST");
		await vi.waitFor(async () => expect((await deliveriesOf(healthy.id))[0]?.status).toBe("DELIVERED"), 1_500);
		expect((await deliveriesOf(webhook.id))[0]?.claimedUntil).not.toBeNull();
		await ended;
		expect((await deliveriesOf(webhook.id))[0]?.claimedUntil).toBeNull();
	});

	it("moves first attempts of a failing endpoint to the retry lane, including those already queued", async () => {
		world.answer = ({ url }) => new Response(null, { status: url.includes("healthy") ? 204 : 500 });
		const { organization, register, webhook, delivery } = await givenDelivery();
		const healthy = await register({ url: "https://healthy.example/in" });
		await raiseQuietly(organization.id);
		await consumeNow([delivery.id]);
		const [, queuedBefore] = await deliveriesOf(webhook.id);
		expect(queuedBefore?.lane).toBe("FIRST");
		await consumeNow([queuedBefore?.id ?? ""]);
		expect((await deliveriesOf(webhook.id)).map(({ lane, attempts }) => [lane, attempts])).toEqual([
			["RETRY", 1],
			["RETRY", 0],
		]);
		await raiseQuietly(organization.id);
		expect((await deliveriesOf(webhook.id))[2]?.lane).toBe("RETRY");
		expect((await deliveriesOf(healthy.id)).map(({ lane }) => lane)).toEqual(["FIRST", "FIRST"]);
	});

	it("moves an endpoint that hangs to the retry lane before its timeout ends", async () => {
		const { webhook } = await givenDelivery("PT4S");
		world.answer = () => new Promise<Response>(() => {});
		const attempt = attemptAt(webhook.id);
		await vi.waitFor(async () => expect((await endpoint(webhook.id)).failing).toBe(true), 3_500);
		expect((await onlyDelivery(webhook.id)).claimedUntil).not.toBeNull();
		await attempt;
	}, 10_000);

	it("never claims more deliveries than it starts at once, and opens at most six connections", async () => {
		const { organization, webhook } = await givenDelivery();
		for (let i = 0; i < 9; i++) await raiseQuietly(organization.id);
		let open = 0;
		let most = 0;
		const inner = world.fetch.bind(world);
		answerOutbound(async (input, init) => {
			most = Math.max(most, ++open);
			await scheduler.wait(5);
			try {
				return await inner(input, init);
			} finally {
				open--;
			}
		});
		const claims: number[] = [];
		world.answer = async () => {
			claims.push((await deliveriesOf(webhook.id)).filter(({ claimedUntil }) => claimedUntil !== null).length);
			return new Response(null, { status: 204 });
		};
		await consumeNow((await deliveriesOf(webhook.id)).map(({ id }) => id));
		expect(world.received).toHaveLength(10);
		expect(most).toBeLessThanOrEqual(6);
		expect(Math.max(...claims)).toBeLessThanOrEqual(3);
	});
});

describe("an endpoint deleted during an attempt", () => {
	it("leaves the delivery FAILED and its attempt INTERRUPTED", async () => {
		const { as, webhook, delivery, path } = await givenDelivery();
		world.answer = async () => {
			await call(deleteWebhook, { as, path });
			return new Response(null, { status: 204 });
		};
		await attemptAt(webhook.id);
		expect(await onlyDelivery(webhook.id)).toMatchObject({ status: "FAILED", lastError: "WEBHOOK_DELETED", claimedUntil: null });
		expect(await attemptLog(delivery.id)).toMatchObject([{ outcome: "INTERRUPTED" }]);
	});
});

describe("retention", () => {
	const RETENTION_MS = 30 * DAY_MS;
	it("removes old events and finished deliveries, but never a pending delivery, its attempts or its event", async () => {
		const { as, organization, webhook, path } = await givenDelivery();
		await attemptAt(webhook.id);
		await raiseQuietly(organization.id);
		await call(updateWebhook, { as, path, body: { status: "SUSPENDED" } });
		await purgeWebhooks(await services(RETENTION_MS - 60_000));
		expect(await deliveriesOf(webhook.id)).toHaveLength(2);
		await purgeWebhooks(await services(RETENTION_MS + 60_000));
		const [held, another] = await deliveriesOf(webhook.id);
		expect(another).toBeUndefined();
		expect(held?.status).toBe("PENDING");
		expect(
			await everyDatabase
				.prepare("select id from webhook_events")
				.all()
				.then(({ results }) => results),
		).toEqual([{ id: held?.eventId }]);
		expect(await everyDatabase.prepare("select count(*) as n from webhook_attempts").first("n")).toBe(0);
		await call(updateWebhook, { as, path, body: { status: "ACTIVE" } });
		await vi.waitFor(async () => expect((await onlyDelivery(webhook.id)).status).toBe("DELIVERED"));
	});
});

describe("every query of the work and the lists", () => {
	/** The statements that reach D1 while something runs, with their values. */
	async function recorded(run: (recording: JobServices) => Promise<unknown>): Promise<[string, unknown[]][]> {
		const queries: [string, unknown[]][] = [];
		const recording = (database: D1Database) =>
			({
				withSession: (constraint: string) => {
					const session = database.withSession(constraint);
					return {
						prepare(query: string) {
							const statement = session.prepare(query);
							const bind = statement.bind.bind(statement);
							const entry: [string, unknown[]] = [query, []];
							queries.push(entry);
							return Object.assign(statement, {
								bind(...values: unknown[]) {
									entry[1] = values;
									return bind(...values);
								},
							});
						},
						batch: (statements: D1PreparedStatement[]) => session.batch(statements),
						getBookmark: () => session.getBookmark(),
					};
				},
			}) as unknown as D1Database;
		const made = await services();
		const bindings = { ...quietQueues(), ...wrapped(recording) };
		await run(jobServices({ ...made, env: bindings }, new Databases(placesOf(bindings)), made.home));
		return queries;
	}

	const caller = (organizationId: string) => ({ kind: "operator" as const, operatorId: "root", organizationId });
	const window = { size: 20, after: undefined, before: undefined };

	it("uses an index, without scanning a table or sorting", async () => {
		const { organization, webhook, delivery } = await givenDelivery();
		const by = caller(organization.id);
		const filters = {
			webhook_id: webhook.id,
			event_type: "user.admitted" as const,
			status: "FAILED" as const,
			created_from: 1,
			created_until: 2,
		};
		const queries = [
			...(await recorded((s) => listEvents.handle({ query: { ...window }, caller: by } as never, s))),
			...(await recorded((s) =>
				listEvents.handle({ query: { ...window, type: "user.admitted", created_from: 1 }, caller: by } as never, s),
			)),
			...(await recorded((s) => listDeliveries.handle({ query: { ...window }, caller: by } as never, s))),
			...(await recorded((s) => listDeliveries.handle({ query: { ...window, ...filters }, caller: by } as never, s))),
			...(await recorded((s) => listWebhooks.handle({ caller: by } as never, s))),
			...(await recorded((s) => getHealth.handle({} as never, s))),
			...(await recorded((s) => getWebhookStats.handle({ path: { webhook_id: webhook.id }, caller: by } as never, s))),
			...(await recorded((s) => recoverWebhook.handle({ path: { webhook_id: webhook.id }, body: { since: 0 }, caller: by } as never, s))),
			...(await recorded(async (s) => (await startAttempts(s, [delivery.id], "FIRST")).ended)),
			...(await recorded((s) => endExpired(s))),
			...(await recorded((s) => requeueDue(s))),
			...(await recorded((s) => tendHeld(s))),
			...(await recorded((s) => purgeWebhooks(s))),
			...(await recorded((s) => s.db.read(openClaims(s)))),
		];
		expect(queries.length).toBeGreaterThan(25);
		for (const [query, values] of queries) {
			const plan = await planOf(query, ...values);
			// Allowed scans: the ids passed to the statement, a constant row, the rows that statistics, recovery and the sweep select first, and one
			// row for each organization that has events.
			const scans = plan.filter(
				(step) =>
					/^SCAN /.test(step) && !/^SCAN (CONSTANT ROW|json_each|\(subquery-\d+\)|d$|due$|held$|recent$|answered$|s$|portion$)/.test(step),
			);
			expect(scans, `${query}\n${plan.join("\n")}`).toEqual([]);
			// Allowed sorts: statistics group 1,000 rows.
			if (!query.includes("group by status")) expect(plan.join("\n"), query).not.toContain("TEMP B-TREE");
		}
	});

	it.each([
		[["webhook_id"], "webhook_deliveries_of_by_status"],
		[["webhook_id", "status"], "webhook_deliveries_of_by_status"],
		[["status"], "webhook_deliveries_by_status"],
		[[], "webhook_deliveries_by_status"],
		[["event_type"], "webhook_deliveries_by_type"],
		[["event_type", "status"], "webhook_deliveries_failed_by_type"],
		[["webhook_id", "event_type", "status"], "webhook_deliveries_of_failed_by_type"],
	] as const)("reads the delivery log filtered by %j through index %s", async (named, index) => {
		const all = { webhook_id: crypto.randomUUID(), event_type: "user.admitted", status: "FAILED" };
		const filters = Object.fromEntries(named.map((name) => [name, all[name]]));
		for (const range of [{}, { created_from: 1, created_until: 2 }]) {
			const query = { ...window, ...filters, ...range };
			const [[statement = "", values = []] = []] = await recorded((s) => listDeliveries.handle({ query, caller: caller("o") } as never, s));
			const plan = await planOf(statement, ...values);
			const reads = plan.filter((step) => !/^(MERGE|LEFT|RIGHT)/.test(step));
			expect(reads, statement).toHaveLength("status" in filters || "event_type" in filters ? 1 : 3);
			for (const step of reads) expect(step).toContain(`USING INDEX ${index} `);
		}
	});
});
