// How a queue hands on what it is sent. Runs in workerd, and in Node over what stands there for queues.

import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import deployed from "../../src/worker";
import { eventually } from "../support/eventually";

type Handed = MessageBatch<{ n: number }>;
const { queue } = deployed;
const batches: Handed[] = [];
let judge: (batch: Handed) => void | Promise<void>;

beforeEach(() => {
	batches.length = 0;
	judge = () => {};
	deployed.queue = async (batch) => {
		batches.push(batch as unknown as Handed);
		await judge(batch as unknown as Handed);
	};
});
afterEach(() => {
	deployed.queue = queue;
});

const producer = env.WEBHOOK_QUEUE as unknown as Queue<{ n: number }>;
const bodies = (some: readonly Handed[] = batches) => some.flatMap(({ messages }) => messages.map(({ body }) => body.n));
const numbered = (count: number, more: object = {}) => Array.from({ length: count }, (_, n) => ({ body: { n }, ...more }));
/** Once nothing more comes. */
const arrived = (count: number) => eventually(() => expect(bodies().length).toBeGreaterThanOrEqual(count), 2);

describe("a queue", () => {
	it("hands on a copy of each message, with an id, the first attempt and the name of the queue", async () => {
		const before = Date.now();
		await producer.send({ n: 7 });
		await arrived(1);
		const [{ queue: name, messages }] = batches as [Handed];
		expect([name, messages.length]).toEqual(["webhook-deliveries", 1]);
		expect(messages[0]).toMatchObject({ body: { n: 7 }, attempts: 1, id: expect.stringMatching(/./), timestamp: expect.any(Date) });
		expect(Math.abs(Number(messages[0]?.timestamp) - before)).toBeLessThan(60_000);
	});

	it("hands on at most twenty at once, in their order, one batch after the other", async () => {
		let underWay = 0;
		let most = 0;
		judge = async () => {
			most = Math.max(most, ++underWay);
			await scheduler.wait(2);
			underWay--;
		};
		await producer.sendBatch(numbered(45));
		await arrived(45);
		expect(batches.map(({ messages }) => messages.length)).toEqual([20, 20, 5]);
		expect([bodies(), most]).toEqual([Array.from({ length: 45 }, (_, n) => n), 1]);
	});

	it("hands on again what is retried, and not what is acknowledged or not judged", async () => {
		judge = ({ messages }) => {
			for (const message of messages) {
				if (message.body.n === 0) message.ack();
				if (message.body.n === 1 && message.attempts === 1) message.retry();
			}
		};
		await producer.sendBatch(numbered(3));
		await arrived(4);
		expect(batches.map((batch) => bodies([batch]))).toEqual([[0, 1, 2], [1]]);
		expect(batches[1]?.messages[0]?.attempts).toBe(2);
		expect(batches[1]?.messages[0]?.id).toBe(batches[0]?.messages[1]?.id);
	});

	it("hands on all again where the consumer throws", async () => {
		judge = () => {
			if (batches.length === 1) throw new Error("broken");
		};
		await producer.sendBatch(numbered(2));
		await arrived(4);
		expect(batches.map((batch) => bodies([batch]).sort())).toEqual([
			[0, 1],
			[0, 1],
		]);
	});

	it("hands on at last to the queue of dead letters what is retried ten times in vain", async () => {
		judge = (batch) => {
			if (batch.queue === "webhook-deliveries") batch.retryAll();
		};
		await producer.sendBatch(numbered(100));
		const dead = () => batches.filter((batch) => batch.queue === "webhook-dead-letters");
		await eventually(() => expect(bodies(dead())).toHaveLength(100), 5);
		expect(batches.length - dead().length).toBeGreaterThanOrEqual(20);
		const last = batches
			.filter((batch) => batch.queue === "webhook-deliveries")
			.flatMap(({ messages }) => messages.map(({ attempts }) => attempts));
		expect(Math.max(...last)).toBe(11);
		expect(dead()[0]?.messages[0]?.attempts).toBe(1);
	});

	it("keeps a message back for the seconds that are asked, of sending and of retrying", async () => {
		judge = ({ messages }) => {
			for (const message of messages) if (message.body.n === 0 && message.attempts === 1) message.retry({ delaySeconds: 1 });
		};
		const began = performance.now();
		await producer.sendBatch([{ body: { n: 0 } }, { body: { n: 1 }, delaySeconds: 1 }]);
		await arrived(1);
		expect(bodies()).toEqual([0]);
		await arrived(3);
		expect(bodies().slice(1).sort()).toEqual([0, 1]);
		expect(performance.now() - began).toBeGreaterThanOrEqual(900);
	});

	it("refuses what is too much: a hundred messages and one, one of 128,000 bytes, 288,000 together", async () => {
		const sized = (bytes: number) => ({ body: { n: 0, text: "x".repeat(bytes) } });
		await expect(producer.sendBatch(numbered(101))).rejects.toThrow();
		await expect(producer.send(sized(128_000).body)).rejects.toThrow();
		await expect(producer.sendBatch([sized(100_000), sized(100_000), sized(100_000)])).rejects.toThrow();
		expect(batches).toEqual([]);
	});
});

describe("a batch that a test makes", () => {
	const message = (n: number) => ({ id: `m${n}`, timestamp: new Date(1_000), attempts: 1, body: { n } });

	it("reports what was acknowledged and retried, once the work of its context has ended", async () => {
		const batch = createMessageBatch<{ n: number }>("a-queue", [message(1), message(2), message(3)]);
		const ctx = createExecutionContext();
		ctx.waitUntil(scheduler.wait(1).then(() => batch.messages[0]?.ack()));
		batch.messages[1]?.retry();
		batch.messages[1]?.ack();
		expect(await getQueueResult(batch, ctx)).toMatchObject({
			...{ outcome: "ok", ackAll: false, retryBatch: { retry: false } },
			...{ explicitAcks: ["m1"], retryMessages: [{ msgId: "m2" }] },
		});
		expect(batch.messages.map(({ id, timestamp, attempts }) => [id, timestamp.getTime(), attempts])[0]).toEqual(["m1", 1_000, 1]);
	});

	it("is judged as a whole by the first that does so", async () => {
		const batch = createMessageBatch("a-queue", [message(1)]);
		batch.ackAll();
		batch.retryAll();
		expect(await getQueueResult(batch, createExecutionContext())).toMatchObject({
			ackAll: true,
			retryBatch: { retry: false },
			explicitAcks: [],
		});
	});
});
