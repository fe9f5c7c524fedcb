// What a life reaches: providers and receivers that take everything, queues, and time. It outlives the isolates of a plan.

import type { Fetch } from "../../src/runtime/ports";
import type { Late, Surroundings } from "./life";
import type { Platform } from "./platform";

export type Message = { readonly queue: string; readonly body: unknown; readonly dueAt: number; attempts: number };
export type Asked = { readonly host: string; readonly reference: string; readonly body: string };

/**
 * What Daraja answers at once. It knows a prompt by no reference, so that a prompt is sent once, or not at all; nobody pays any; and it
 * lists one payment. A question for the balance that is lost is not repeated: the check says that nobody has answered. About addresses to
 * register it reports nothing, which is what the call answers after a fault too: people repeat it.
 */
const DARAJA: { readonly [path: string]: object } = {
	"/oauth/v1/generate": { access_token: "token", expires_in: "3599" },
	"/mpesa/stkpush/v1/processrequest": { ResponseCode: "0", CheckoutRequestID: "ws_CO_1" },
	"/mpesa/reversal/v1/request": { ResponseCode: "0" },
	"/mpesa/accountbalance/v1/query": { ResponseCode: "0" },
	"/mpesa/stkpushquery/v1/query": { errorCode: "500.001.1001", errorMessage: "The transaction is being processed" },
	"/mpesa/c2b/v2/registerurl": {},
	"/pulltransactions/v1/register": { ResponseStatus: "1000" },
	"/pulltransactions/v1/query": {
		ResponseCode: "1000",
		Response: [[{ transactionId: "SPULLED001", amount: "10.00", billreference: "none" }]],
		TotalPages: 1,
	},
};

const QUEUES = ["WEBHOOK_QUEUE", "WEBHOOK_SLOW_QUEUE"];

export class Outside implements Surroundings {
	readonly env: Env;
	readonly late: Late[] = [];
	/** What was asked of providers and receivers. A call that only reads is left out, and what Daraja answers at once: it has no effect that lasts. */
	readonly asked: Asked[] = [];
	messages: Message[] = [];
	readonly #platform: Platform;

	constructor(platform: Platform, vars: object, now: number) {
		this.#platform = platform;
		platform.setTime(now);
		const queues = QUEUES.map((name) => [name, this.#queue(name)]);
		this.env = { ...platform.env, ...Object.fromEntries(queues), ...vars };
	}

	get now(): number {
		return Date.now();
	}

	pass(ms: number): void {
		this.#platform.setTime(this.now + ms);
	}

	async passTo(at: number): Promise<void> {
		if (at > this.now) this.pass(at - this.now);
		await this.#platform.ring(this.now);
	}

	quiet(): Promise<void> {
		return this.#platform.quiet();
	}

	evict(binding: string, name: string): void | Promise<void> {
		return this.#platform.evict(binding, name);
	}

	stored(): Promise<readonly string[]> {
		return this.#platform.stored();
	}

	readonly fetch: Fetch = async (input, init) => {
		const request = new Request(input, init as RequestInit);
		const url = new URL(request.url);
		if (url.pathname === "/dns-query") return resolved(url);
		if (url.host === "sandbox.safaricom.co.ke" && DARAJA[url.pathname]) return Response.json(DARAJA[url.pathname]);
		if (request.method === "GET") return new Response(null, { status: 204 });
		const body = await request.text();
		const { headers } = request;
		const reference = headers.get("idempotency-key") ?? headers.get("webhook-id") ?? "";
		this.asked.push({ host: url.host, reference, body });
		if (url.host === "names.example") return Response.json({ known: true, name: "Anna Odhiambo" });
		if (url.host === "swaps.example") return Response.json({ swapped: false });
		return new Response(null, { status: 204 });
	};

	/** The messages that are due, each queue's apart. They are gone until somebody puts them back. */
	take(): Map<string, Message[]> {
		const due = this.messages.filter(({ dueAt }) => dueAt <= this.now);
		this.messages = this.messages.filter(({ dueAt }) => dueAt > this.now);
		return Map.groupBy(due, ({ queue }) => queue);
	}

	#queue(queue: string) {
		const put = (body: unknown, delaySeconds = 0) =>
			void this.messages.push({ queue, body, dueAt: this.now + delaySeconds * 1_000, attempts: 1 });
		return {
			send: async (body: unknown, options: QueueSendOptions = {}) => put(body, options.delaySeconds),
			sendBatch: async (messages: readonly MessageSendRequest[]) => {
				for (const { body, delaySeconds } of messages) put(body, delaySeconds);
			},
		};
	}
}

function resolved(url: URL): Response {
	const [name, type] = [url.searchParams.get("name") ?? "", url.searchParams.get("type") ?? ""];
	return Response.json({ Status: 0, Answer: type === "A" ? [{ name, type: 1, TTL: 0, data: "1.1.1.1" }] : [] });
}
