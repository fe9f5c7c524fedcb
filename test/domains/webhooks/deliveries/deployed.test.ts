// What a batch of messages costs and does under the settings of a deployment: six connections, twenty messages.
// @module-tag thorough

import { beforeEach, describe, expect, it, vi } from "vitest";
import { userAdmitted } from "../../../../src/domains/users/model/events";
import { consume } from "../../../../src/domains/webhooks/deliveries/consumer.job";
import { raise, raiseAll } from "../../../../src/events/raise";
import { Connections } from "../../../../src/runtime/connections";
import { atInstant } from "../../../../src/runtime/making-services";
import type { Poked } from "../../../../src/runtime/ports";
import type { JobServices } from "../../../../src/runtime/services";
import { allDeliveries } from "../../../support/all-deliveries";
import { eventually } from "../../../support/eventually";
import { metered } from "../../../support/metering";
import { answerOutbound } from "../../../support/outbound";
import { fakeWorld, givenWebhookOwner, onlyDelivery, raiseQuietly, services, type World } from "../../../support/webhooks";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

const deployed = <S extends JobServices>(made: S): S => ({
	...made,
	config: { ...made.config, WEBHOOK_PACE: "deployed" as const },
	connections: new Connections({ ENVIRONMENT: "local", WEBHOOK_PACE: "deployed" }),
});

/** Runs a consumer on messages for these endpoints, then on those that it queued for now, until nothing is due. */
async function consumeAll(made: JobServices, webhookIds: readonly string[]): Promise<void> {
	let due = webhookIds;
	while (due.length > 0) {
		const poked = await consumeOnce(made, due);
		due = poked.flatMap(({ webhookId, delaySeconds = 0 }) => (delaySeconds > 0 ? [] : [webhookId]));
	}
}

/**
 * Runs a consumer on messages for these endpoints until all that it began has ended. Returns the messages that it queued.
 *
 * @param onReturn called when the consumer returns, while what lingers goes on
 */
async function consumeOnce(
	made: JobServices,
	webhookIds: readonly string[],
	profile: (made: JobServices) => JobServices = deployed,
	onReturn = () => {},
): Promise<Poked[]> {
	const poked: Poked[] = [];
	const background: Promise<unknown>[] = [];
	const queue = { poke: async (some: readonly Poked[]) => void poked.push(...some) };
	const afterwards: JobServices["afterwards"] = (work) => void background.push(work(there).catch(() => {}));
	const there: JobServices = { ...profile(made), queue, afterwards };
	const messages = webhookIds.map((webhookId) => ({ body: { webhookId, lane: "QUICK" }, ack() {}, retry() {} }));
	await consume({ messages } as unknown as MessageBatch, there);
	onReturn();
	await Promise.all(background);
	return poked;
}

/** Registers so many endpoints. Returns their ids. */
async function registered({ register }: Awaited<ReturnType<typeof givenWebhookOwner>>, count: number, name: string, timeout = "PT5S") {
	const ids: string[] = [];
	for (let i = 0; i < count; i++) ids.push((await register({ url: `https://${name}${i}.example/in`, timeout })).id);
	return ids;
}

async function givenEndpoints(count: number, timeout?: string) {
	const owner = await givenWebhookOwner();
	return { organization: owner.organization, webhooks: await registered(owner, count, "e", timeout) };
}

const delivered = async () => (await allDeliveries()).filter(({ status }) => status === "DELIVERED").length;

type Commits = { calls: readonly (readonly unknown[])[]; results: readonly { value: unknown }[] };

/** How many deliveries each claim among the commits has claimed: the last statement but one reads them. */
const claimsIn = async ({ calls, results }: Commits): Promise<number[]> => {
	const claims = calls.flatMap(([writes], index) => {
		const { sql } = (writes as { sql?: unknown }[]).at(-2) ?? {};
		return typeof sql === "string" && sql.includes('"afterFailed"') ? [results[index]?.value as Promise<readonly unknown[][]>] : [];
	});
	return (await Promise.all(claims)).map((answers) => answers.at(-2)?.length ?? 0);
};

describe("a batch of twenty deliveries", () => {
	it.each([
		["twenty events, one endpoint", 20, 1],
		["one event, twenty endpoints", 1, 20],
	])("takes at most half a round trip for each: %s", async (_, events, endpoints) => {
		const { organization, webhooks } = await givenEndpoints(endpoints);
		for (let i = 0; i < events; i++) await raiseQuietly(organization.id);
		let waits = 0;
		world.answer = async () => {
			await scheduler.wait((waits++ * 37) % 60);
			return new Response(null, { status: 204 });
		};
		const { services: made, meter } = await metered(organization.id);
		const commits = vi.spyOn(made.at(organization.id).db, "commit");
		await consumeAll(made, webhooks);
		const claimed = await claimsIn(commits.mock);
		expect(claimed.reduce((sum, count) => sum + count, 0)).toBe(20);
		expect(claimed).not.toContain(0);
		expect(world.received).toHaveLength(20);
		expect(await delivered()).toBe(20);
		expect(meter.trips).toBeLessThanOrEqual(10);
	});
});

describe("an invocation", () => {
	it("has four connections for look-ups and attempts in all databases, and gives claims back that find none", async () => {
		const { organization, webhooks } = await givenEndpoints(9);
		await raiseQuietly(organization.id);
		let open = 0;
		let most = 0;
		const letGo = Promise.withResolvers<void>();
		answerOutbound(async (input, init) => {
			most = Math.max(most, ++open);
			return world.fetch(input, init).finally(() => open--);
		});
		world.answer = async () => {
			await letGo.promise;
			return new Response(null, { status: 204 });
		};
		const { services: made } = await metered(organization.id);
		const consumed = consumeOnce(made, webhooks);
		await eventually(async () => expect((await allDeliveries()).filter(({ claim }) => claim === null)).toHaveLength(5), 100);
		expect(most).toBe(4);
		const back = (await allDeliveries()).filter(({ claim }) => claim === null);
		for (const row of back) expect(row).toMatchObject({ attempts: 0, roundAttempts: 0, attemptPosition: 0, attemptStartedAt: null });
		letGo.resolve();
		const poked = await consumed;
		expect(poked.map(({ webhookId }) => webhookId).toSorted()).toEqual(back.map(({ webhookId }) => webhookId).toSorted());
		await consumeAll(made, webhooks);
		expect((await allDeliveries()).map(({ status, attempts }) => [status, attempts])).toEqual(Array(9).fill(["DELIVERED", 1]));
	});

	it("returns while receivers hang, and records what becomes of them in the background", async () => {
		const { organization, register } = await givenWebhookOwner();
		const hanging = await register({ url: "https://hanging.example/in", timeout: "PT1.9S" });
		const quick = await register({ url: "https://quick.example/in" });
		await raiseQuietly(organization.id);
		const open = new Set<string>();
		world.answer = async ({ url }, signal) => {
			if (url === quick.url) return new Response(null, { status: 204 });
			open.add(url);
			signal.addEventListener("abort", () => open.delete(url));
			return new Promise<Response>(() => {});
		};
		const { services: made } = await metered(organization.id);
		let openAtReturn = 0;
		await consumeOnce(made, [hanging.id, quick.id], deployed, () => {
			openAtReturn = open.size;
		});
		expect(openAtReturn).toBe(1);
		expect(await onlyDelivery(quick.id)).toMatchObject({ status: "DELIVERED" });
		expect(await onlyDelivery(hanging.id)).toMatchObject({ status: "PENDING", attemptOutcome: "TIMEOUT", claim: null });
	});

	it("returns with a full batch, behind which others wait, before its ends are recorded", async () => {
		const { organization, webhooks } = await givenEndpoints(20);
		await raiseQuietly(organization.id);
		const { services: made } = await metered(organization.id);
		const { db } = made.at(organization.id);
		const commit = db.commit.bind(db);
		const returned = Promise.withResolvers<void>();
		db.commit = (async (writes: Parameters<typeof commit>[0]) => {
			if (world.received.length > 0) await returned.promise;
			return commit(writes);
		}) as typeof db.commit;
		await consumeOnce(made, webhooks, deployed, () => returned.resolve());
		expect(await delivered()).toBe(20);
	});

	it("gives back what waits for a connection where the platform would end it in the background", async () => {
		const { organization, webhooks } = await givenEndpoints(8, "PT26S");
		await raiseQuietly(organization.id);
		const letGo = Promise.withResolvers<void>();
		world.answer = async () => {
			await letGo.promise;
			return new Response(null, { status: 204 });
		};
		const { services: made } = await metered(organization.id);
		const poked = await consumeOnce(made, webhooks, deployed, () => letGo.resolve());
		expect(world.received).toHaveLength(4);
		expect(poked).toHaveLength(4);
		await consumeAll(made, webhooks);
		expect((await allDeliveries()).map(({ status, attempts }) => [status, attempts])).toEqual(Array(8).fill(["DELIVERED", 1]));
	});
});

describe("during a burst of another organization", () => {
	it("endpoints of a full batch at which more is due are queued once each, however many of their attempts it ends", async () => {
		const { organization, webhooks } = await givenEndpoints(10);
		for (let i = 0; i < 5; i++) await raiseQuietly(organization.id);
		const { services: made } = await metered(organization.id);
		const poked = await consumeOnce(made, [...webhooks, ...webhooks]);
		expect(world.received).toHaveLength(20);
		expect(poked.map(({ webhookId }) => webhookId).toSorted()).toEqual(webhooks.toSorted());
		await consumeAll(made, webhooks);
		expect(await delivered()).toBe(50);
	});

	it("an event goes out within the first turns, and a burst queues one message for each endpoint", async () => {
		const loud = await givenWebhookOwner();
		const many = await registered(loud, 19, "loud");
		const poked: Poked[] = [];
		const queue = { poke: async (some: readonly Poked[]) => void poked.push(...some) };
		const made = await services();
		const job: JobServices = { ...made, queue, afterwards: (work) => void work(job) };
		const events = Array.from({ length: 3 }, () => ({ entityId: crypto.randomUUID(), data: userAdmitted.example }));
		await job.commit([raiseAll(job, userAdmitted, { organizationId: loud.organization.id, events })]);
		const later = atInstant(job, job.now + 1);
		await job.commit([raise(later, userAdmitted, { organizationId: loud.organization.id, data: userAdmitted.example })]);
		expect(poked.map(({ webhookId }) => webhookId).toSorted()).toEqual(many.toSorted());
		const quiet = await givenWebhookOwner();
		const only = await quiet.register({ url: "https://quiet.example/in" });
		await raiseQuietly(quiet.organization.id);
		const { services: here } = await metered(quiet.organization.id);
		await consumeOnce(here, [...many, only.id]);
		const place = world.received.findIndex(({ url }) => url.includes("quiet"));
		expect(place).toBeGreaterThanOrEqual(0);
		expect(place).toBeLessThan(6);
	});

	it("one organization holds at most half of the connections, so that what the other's endpoint is sent next goes out", async () => {
		const [hanging, quiet] = [await givenWebhookOwner(), await givenWebhookOwner()];
		const ids = await registered(hanging, 9, "hanging");
		ids.push((await quiet.register({ url: "https://quiet.example/in" })).id);
		await raiseQuietly(hanging.organization.id);
		for (let i = 0; i < 12; i++) await raiseQuietly(quiet.organization.id);
		const hang = Promise.withResolvers<void>();
		let [open, most, sent] = [0, 0, 0];
		world.answer = async ({ url }) => {
			if (url.includes("quiet")) {
				if (++sent === 12) hang.resolve();
			} else {
				most = Math.max(most, ++open);
				await hang.promise;
				open--;
			}
			return new Response(null, { status: 204 });
		};
		const { services: here } = await metered(quiet.organization.id);
		await consumeOnce(here, ids);
		expect([most, sent]).toEqual([2, 12]);
	});

	it.each([
		["deployed", deployed],
		["local", (made: JobServices) => made],
	] as const)("organizations whose receivers hang or fail hold up nobody: %s", async (_, profile) => {
		const [loud, slow, failing, quiet] = [
			await givenWebhookOwner(),
			await givenWebhookOwner(),
			await givenWebhookOwner(),
			await givenWebhookOwner(),
		];
		const ids: string[] = [];
		const register = async (owner: typeof loud, name: string, count: number) => {
			ids.push(...(await registered(owner, count, name)));
			await raiseQuietly(owner.organization.id);
		};
		await register(loud, "loud", 9);
		await register(slow, "slow", 4);
		await register(failing, "failing", 1);
		await register(quiet, "quiet", 1);
		const hang = Promise.withResolvers<void>();
		const ended: string[] = [];
		world.answer = async ({ url }) => {
			if (url.includes("slow")) await hang.promise;
			ended.push(new URL(url).hostname.replace(/\d.*/, ""));
			if (ended.length === 11) hang.resolve();
			return new Response(null, { status: url.includes("failing") ? 500 : 204 });
		};
		const { services: here } = await metered(quiet.organization.id);
		await consumeOnce(here, ids, profile);
		expect(ended.slice(0, 11).toSorted()).toEqual(["failing", ...Array(9).fill("loud"), "quiet"]);
		expect(ended.slice(11)).toEqual(Array(4).fill("slow"));
		expect(ended.indexOf("quiet")).toBeLessThan(6);
		expect((await allDeliveries()).map(({ status }) => status).toSorted()).toEqual([...Array(14).fill("DELIVERED"), "PENDING"]);
	});
});
