// Sends the calls of the HTTP bench in turns, by autocannon.

import autocannon from "autocannon";
import { processorMs } from "./processor.ts";

export type Fields = { readonly [name: string]: unknown };

/** A request as it is measured: sent as it is, and once, unlike those of the client. */
export type Call = {
	/** The Worker that answers; the service when absent. */
	readonly worker?: "bare";
	readonly method: "GET" | "POST" | "PUT";
	readonly path: string;
	readonly token?: string;
	/** The organization for which the caller acts. */
	readonly organization?: string;
	/** The Idempotency-Key. */
	readonly key?: string;
	readonly body?: unknown;
};

export type Turn = {
	readonly name: string;
	/** Asked before each request. */
	readonly call: () => Call;
	/** How many requests a turn sends, for calls that cannot be repeated; otherwise it sends for two seconds. */
	readonly times?: number;
};

const MAX_ATTEMPTS = 5;
const TURN_SECONDS = 2;
const CONNECTIONS = 16;
/** For writes that need a row of their own: a few, so that a turn takes long enough. */
const FEW_CONNECTIONS = 4;

/** What an HTTP client sends for a call. */
export function requestOf({ worker, method, path, token, organization, key, body }: Call) {
	return {
		method,
		path,
		headers: {
			// Miniflare's own header; without it the first Worker answers.
			...(worker !== undefined && { "MF-Route-Override": worker }),
			...(body !== undefined && { "content-type": "application/json" }),
			...(token !== undefined && { authorization: `Bearer ${token}` }),
			...(organization !== undefined && { "x-organization-id": organization }),
			...(key !== undefined && { "idempotency-key": key }),
		},
		...(body !== undefined && { body: JSON.stringify(body) }),
	};
}

/** The answer of a call that succeeds, with its `Server-Timing`. */
export async function answerTo(url: string, call: Call): Promise<{ fields: Fields; timing: string }> {
	const { path, ...request } = requestOf(call);
	for (let attempt = 1; ; attempt++) {
		const response = await fetch(`${url}${path}`, request);
		const text = await response.text();
		// The local runtime may close a connection that is being used again.
		const isRepeatable = call.method === "GET" || call.key !== undefined;
		if (response.status === 503 && isRepeatable && attempt < MAX_ATTEMPTS) continue;
		if (!response.ok) throw new Error(`${call.method} ${path} answered ${response.status} ${text}`);
		return { fields: JSON.parse(text) as Fields, timing: response.headers.get("server-timing") ?? "" };
	}
}

/** The rows that a call wrote, by its `Server-Timing`. */
export const writtenBy = ({ timing }: { timing: string }): number => Number(/written=(\d+)/.exec(timing)?.[1]);

export const textOf = (fields: Fields, name: string): string => {
	const value = fields[name];
	if (typeof value !== "string") throw new Error(`the answer has no ${name}: ${JSON.stringify(fields)}`);
	return value;
};

/** `cpuMs`: the processor time of the runtime for each request; undefined where the system does not report it. */
export type Speed = { readonly rate: number; readonly cpuMs: number | undefined };

/** How fast each turn was in each round. */
export async function inTurns(
	url: string,
	turns: readonly Turn[],
	rounds: number,
	tell: (text: string) => void,
): Promise<ReadonlyMap<string, readonly Speed[]>> {
	const speeds = new Map<string, Speed[]>();
	for (let round = 1; round <= rounds; round++) {
		for (const turn of turns) {
			const before = processorMs();
			const { sent, rate, p50, p99 } = await take(url, turn);
			const after = processorMs();
			const cpuMs = before === undefined || after === undefined ? undefined : (after - before) / sent;
			speeds.set(turn.name, [...(speeds.get(turn.name) ?? []), { rate, cpuMs }]);
			tell(`round ${round} of ${rounds}: ${turn.name.padEnd(32)} ${Math.round(rate)} requests/s, p50 ${p50} ms, p99 ${p99} ms`);
		}
	}
	return speeds;
}

type Taken = { sent: number; rate: number; p50: number; p99: number };

async function take(url: string, { name, call, times }: Turn): Promise<Taken> {
	if (times !== undefined) return takeEach(url, Array.from({ length: times }, call));
	const { requests, latency, non2xx, errors } = await autocannon({
		url,
		connections: CONNECTIONS,
		duration: TURN_SECONDS,
		requests: [{ setupRequest: (request) => ({ ...request, ...requestOf(call()) }) }],
	});
	if (non2xx > 0 || errors > 0) throw new Error(`${name}: ${non2xx} answers are not 2xx, ${errors} requests failed`);
	return { sent: requests.total, rate: requests.total / TURN_SECONDS, p50: latency.p50, p99: latency.p99 };
}

/** Sends each call once, some at a time. */
async function takeEach(url: string, calls: readonly Call[]): Promise<Taken> {
	const waiting = calls.values();
	const durations: number[] = [];
	const began = performance.now();
	const connection = async () => {
		for (const call of waiting) {
			const { path, ...request } = requestOf(call);
			const sent = performance.now();
			const response = await fetch(`${url}${path}`, request);
			const answer = await response.text();
			if (!response.ok) throw new Error(`${call.method} ${path} answered ${response.status} ${answer}`);
			durations.push(performance.now() - sent);
		}
	};
	await Promise.all(Array.from({ length: FEW_CONNECTIONS }, connection));
	const seconds = (performance.now() - began) / 1000;
	const sorted = durations.toSorted((a, b) => a - b);
	const percentile = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN);
	return { sent: calls.length, rate: calls.length / seconds, p50: percentile(0.5), p99: percentile(0.99) };
}
