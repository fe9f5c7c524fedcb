// The receiver that `npm start` runs for the console's first loan: it gets webhooks, and can be broken. It is read and set at an address of
// the service's own. No deployment has it, so it is no operation.

import type { IncomingMessage, ServerResponse } from "node:http";
import { type Delivery, readBody, startReceiver } from "./receiver.ts";

export const RECEIVER_PATH = "/v1/sandbox/receiver";

/** As many as a page shows. */
const SHOWN = 20;

export interface LocalReceiver {
	/** Whether the request was for it, and is answered. */
	answer(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
	close(): Promise<void>;
}

const LOOPBACK = /^(?:127(?:\.\d+){3}|localhost|\[::1\])(?::\d+)?$/i;

/** @param port where it listens if that is free, so that endpoints of the last run still find it */
export async function openLocalReceiver(port: number): Promise<LocalReceiver> {
	const receiver = await startReceiver({ port }).catch(() => startReceiver());
	const { behaviour } = receiver;
	const state = () => ({
		url: receiver.url,
		status: behaviour.failStatus,
		delay_ms: behaviour.delayMs,
		failures: behaviour.failures,
		hang: behaviour.hang,
		received: receiver.deliveries.slice(-SHOWN).reverse().map(shown),
	});

	async function set(request: IncomingMessage): Promise<boolean> {
		const wanted = changesOf(((await readBody(request)) ?? "").toString());
		if (!wanted) return false;
		const { status, delay_ms, failures, hang, secrets } = wanted;
		if (status !== undefined) behaviour.failStatus = status;
		if (delay_ms !== undefined) behaviour.delayMs = delay_ms;
		if (failures !== undefined) behaviour.failures = failures;
		if (hang !== undefined) behaviour.hang = hang;
		if (secrets !== undefined) behaviour.secrets = secrets;
		return true;
	}

	return {
		async answer(request, response) {
			if ((request.url ?? "").split("?", 1)[0] !== RECEIVER_PATH || !/^(?:GET|PUT)$/.test(request.method ?? "")) return false;
			const isJson = request.headers["content-type"] === "application/json";
			// A page of another site cannot send JSON without asking, nor name this host.
			const isOwn = LOOPBACK.test(request.headers.host ?? "") && (request.method === "GET" || isJson);
			const status = !isOwn ? 404 : request.method === "GET" || (await set(request)) ? 200 : 400;
			response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff" });
			response.end(JSON.stringify(status === 200 ? state() : { code: status === 404 ? "NOT_FOUND" : "INVALID_PARAMS" }));
			return true;
		},
		close: () => receiver.close(),
	};
}

const shown = ({ id, eventType, receivedAt, attempt, duplicate, verdict, answered }: Delivery) => ({
	delivery_id: id,
	event_type: eventType,
	received_at: receivedAt.toISOString(),
	attempt,
	duplicate,
	/** null without a secret to check with. */
	signature: verdict === undefined ? null : verdict.valid ? "VALID" : verdict.reason,
	/** null when it did not answer. */
	status: answered ?? null,
});

type Changes = { status?: number; delay_ms?: number; failures?: number; hang?: boolean; secrets?: string[] };

const whole = (value: unknown, least: number, most: number): boolean =>
	value === undefined || (Number.isInteger(value) && Number(value) >= least && Number(value) <= most);

/** undefined for what it does not understand. */
function changesOf(text: string): Changes | undefined {
	let wanted: Record<string, unknown>;
	try {
		wanted = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (typeof wanted !== "object" || wanted === null) return undefined;
	const { status, delay_ms, failures, hang, secrets } = wanted;
	const understood =
		whole(status, 200, 599) &&
		whole(delay_ms, 0, 60_000) &&
		whole(failures, 0, 1_000_000) &&
		(hang === undefined || typeof hang === "boolean") &&
		(secrets === undefined || (Array.isArray(secrets) && secrets.length <= 10 && secrets.every((secret) => typeof secret === "string")));
	return understood ? (wanted as Changes) : undefined;
}
