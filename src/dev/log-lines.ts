// What `npm start` prints: one line a request and one a webhook attempt, and the Worker's other log lines as they are.

import type { Answered } from "./front.ts";

const line = (parts: readonly (string | number | null | undefined)[]): string =>
	parts.filter((part) => part !== undefined && part !== null && part !== "").join(" ");

export const lineOfRequest = ({ method, path, status, ms, code, requestId }: Answered): string =>
	line([method, path, status, `${ms} ms`, code, requestId]);

interface Attempt {
	readonly url: string;
	readonly status: number | null;
	readonly duration_ms: number;
	readonly outcome: string;
	readonly delivery_id: string;
}

/** A log message of the Worker or of its runtime, as it is printed. */
export function lineOfLog(message: string): string {
	// The runtime's own errors: their stacks are addresses in its binary.
	if (!message.startsWith("{")) return message.split("\nstack: ", 1)[0] ?? "";
	const entry = parsed(message);
	if (entry?.message !== "webhook attempt") return message;
	const { url, status, duration_ms, outcome, delivery_id } = entry as unknown as Attempt;
	return line(["-> POST", url, status, `${duration_ms} ms`, outcome, delivery_id]);
}

export function parsed(message: string): Readonly<Record<string, unknown>> | undefined {
	try {
		return JSON.parse(message) as Record<string, unknown>;
	} catch {
		return undefined;
	}
}
