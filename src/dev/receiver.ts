// A webhook receiver as an integrator would write one. It verifies signatures with its own code and shares none with the service, so
// that a mistake in the service's code shows.

import { createHmac, timingSafeEqual } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { Certificate } from "./certificate.ts";

export type Refusal = "MISSING" | "MALFORMED" | "TOO_OLD" | "NO_SECRET" | "NO_MATCH";
export type Verdict = { readonly valid: true } | { readonly valid: false; readonly reason: Refusal };

/** Whether this header signs these bytes with one of these secrets. A malformed header is refused, never thrown. */
export function verifySignature(
	header: string | undefined,
	body: Uint8Array,
	secrets: readonly string[],
	{ now = Date.now(), toleranceMs = 300_000 }: { readonly now?: number; readonly toleranceMs?: number } = {},
): Verdict {
	if (header === undefined || header === "") return { valid: false, reason: "MISSING" };
	const pairs = header.split(",").map((part) => /^([a-z0-9]+)=([^=]*)$/.exec(part) ?? []);
	const timestamps = pairs.filter(([, name]) => name === "t").map(([, , value]) => value ?? "");
	const signatures = pairs.filter(([, name]) => name === "v1").map(([, , value]) => value ?? "");
	const [t] = timestamps;
	const malformed = pairs.some((pair) => pair.length === 0) || signatures.some((signature) => !/^[0-9a-f]{64}$/.test(signature));
	if (malformed || timestamps.length !== 1 || t === undefined || !/^\d{1,12}$/.test(t) || signatures.length === 0) {
		return { valid: false, reason: "MALFORMED" };
	}
	if (now - Number(t) * 1000 > toleranceMs) return { valid: false, reason: "TOO_OLD" };
	// An unset variable must neither let requests in nor throw.
	const usable = secrets.filter((secret) => typeof secret === "string" && secret !== "");
	if (usable.length === 0) return { valid: false, reason: "NO_SECRET" };
	const expected = usable.map((secret) => createHmac("sha256", secret).update(`${t}.`).update(body).digest());
	const matches = signatures.some((signature) => expected.some((digest) => timingSafeEqual(digest, Buffer.from(signature, "hex"))));
	return matches ? { valid: true } : { valid: false, reason: "NO_MATCH" };
}

export interface Delivery {
	/** By which duplicates are recognised. */
	readonly id: string;
	readonly eventType: string;
	/** The batch whose request carried it; undefined for a request of its own. */
	readonly batch: string | undefined;
	readonly signature: string | undefined;
	readonly headers: IncomingMessage["headers"];
	readonly body: string;
	readonly receivedAt: Date;
	/** Counts the requests that carried it, from 1. */
	readonly attempt: number;
	/** The id was processed before, so this request was only acknowledged. */
	readonly duplicate: boolean;
	/** Undefined without a secret to verify with. */
	readonly verdict: Verdict | undefined;
	/** The status; undefined when the receiver did not answer. */
	readonly answered: number | undefined;
}

/** How the receiver answers; changes apply from the next request. */
export interface Behaviour {
	/** How many of the next requests fail with `failStatus`. */
	failures: number;
	failStatus: number;
	/** Never answer. */
	hang: boolean;
	delayMs: number;
	responseBody: string;
	/** Signing secrets to verify with; without any, signatures are not checked. */
	secrets: readonly string[];
}

export interface ReceiverOptions extends Partial<Behaviour> {
	/** 0, the default, takes any free port. */
	readonly port?: number;
	readonly host?: string;
	/** Receives over HTTPS with this certificate, otherwise over plain HTTP. */
	readonly certificate?: Certificate;
}

export interface Receiver {
	/** `http://127.0.0.1:<port>`: the address to register. */
	readonly url: string;
	readonly behaviour: Behaviour;
	/** All requests in order of arrival, failed and repeated ones too. */
	readonly deliveries: readonly Delivery[];
	readonly events: EventEmitter<{ delivery: [Delivery] }>;
	/** The first delivery, past or future, that matches. */
	waitFor(matches: (delivery: Delivery) => boolean, timeoutMs?: number): Promise<Delivery>;
	close(): Promise<void>;
}

const bodyLimit = 1_048_576;

/** Undefined for more than 1 MiB. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > bodyLimit) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

const headerOf = (request: IncomingMessage, name: string): string | undefined => {
	const value = request.headers[name];
	return Array.isArray(value) ? value.join(",") : value;
};

type Carried = { readonly id: string; readonly eventType: string; readonly text: string };

/** The deliveries of a request: one, or those of a batch. Undefined when it is no delivery. */
function carriedBy(request: IncomingMessage, body: Buffer): Carried[] | undefined {
	const text = body.toString("utf8");
	const id = headerOf(request, "x-service-delivery-id");
	if (id !== undefined) return [{ id, eventType: headerOf(request, "x-service-event-type") ?? "", text }];
	if (headerOf(request, "x-service-batch-id") === undefined) return undefined;
	try {
		const { deliveries } = JSON.parse(text) as { deliveries: { delivery_id: string; event_type: string }[] };
		return deliveries.map((one) => ({ id: one.delivery_id, eventType: one.event_type, text: JSON.stringify(one) }));
	} catch {
		return undefined;
	}
}

export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
	const { port = 0, host = "127.0.0.1", certificate, ...wanted } = options;
	const behaviour: Behaviour = { failures: 0, failStatus: 500, hang: false, delayMs: 0, responseBody: "", secrets: [], ...wanted };
	const deliveries: Delivery[] = [];
	const processed = new Set<string>();
	const attempts = new Map<string, number>();
	const events = new EventEmitter<{ delivery: [Delivery] }>();

	const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const receivedAt = new Date();
		const body = await readBody(request);
		const batch = headerOf(request, "x-service-batch-id");
		const carried = body && carriedBy(request, body);
		if (request.method !== "POST" || body === undefined || carried === undefined) {
			response.writeHead(request.method !== "POST" ? 405 : body === undefined ? 413 : 400).end();
			return;
		}
		const { hang, delayMs, secrets, failStatus, responseBody } = behaviour;
		const signature = headerOf(request, "x-service-signature");
		const verdict = secrets.length > 0 ? verifySignature(signature, body, secrets) : undefined;

		let status = verdict?.valid === false ? 401 : 200;
		if (behaviour.failures > 0) {
			behaviour.failures--;
			status = failStatus;
		}
		for (const { id, eventType, text } of carried) {
			const attempt = (attempts.get(id) ?? 0) + 1;
			attempts.set(id, attempt);
			const duplicate = processed.has(id);
			if (status < 300 && !hang) processed.add(id);
			const answered = hang ? undefined : status;
			const delivery = {
				...{ id, eventType, batch, signature, headers: request.headers, body: text, receivedAt },
				attempt,
				duplicate,
				verdict,
				answered,
			};
			deliveries.push(delivery);
			events.emit("delivery", delivery);
		}
		if (hang) return;
		if (delayMs > 0) await sleep(delayMs);
		response.writeHead(status, { "content-type": "text/plain" }).end(responseBody);
	};

	// The sender has a timeout of its own and may disconnect at any moment.
	const answer = (request: IncomingMessage, response: ServerResponse) => void handle(request, response).catch(() => response.destroy());
	const server = certificate ? createSecureServer(certificate, answer) : createServer(answer);
	server.listen(port, host);
	await once(server, "listening");
	const address = server.address();
	const taken = typeof address === "object" && address ? address.port : port;

	return {
		url: `${certificate ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${taken}`,
		behaviour,
		deliveries,
		events,
		waitFor(matches, timeoutMs = 10_000) {
			const known = deliveries.find(matches);
			if (known) return Promise.resolve(known);
			return new Promise((resolve, reject) => {
				const finish = (): void => {
					clearTimeout(timer);
					events.off("delivery", consider);
				};
				const consider = (delivery: Delivery): void => {
					if (!matches(delivery)) return;
					finish();
					resolve(delivery);
				};
				const timer = setTimeout(() => {
					finish();
					reject(new Error(`no matching delivery within ${timeoutMs} ms; ${deliveries.length} others arrived`));
				}, timeoutMs);
				events.on("delivery", consider);
			});
		},
		async close() {
			server.close();
			server.closeAllConnections();
			await once(server, "close");
		},
	};
}

export function describeVerdict(delivery: Delivery): string {
	if (delivery.verdict === undefined) return "signature not checked (no secret given)";
	return delivery.verdict.valid ? "signature valid" : `signature refused: ${delivery.verdict.reason}`;
}
