// What `npm start` prints: one line a request and one a webhook attempt, and the Worker's other log lines as they are. The runtime's own
// lines, which are about its sources, are never printed as they are.

import type { Answered } from "./front.ts";

export interface LogEntry {
	readonly level: string;
	readonly message: string;
}

/** The channel of `node:diagnostics_channel` to which each service of a process also says what it logs. */
export const SERVICE_LOG = "financial-account-service.log";

const line = (parts: readonly (string | number | null | undefined)[]): string =>
	parts.filter((part) => part !== undefined && part !== null && part !== "").join(" ");

export const lineOfRequest = ({ method, path, status, ms, code, description, requestId }: Answered): string =>
	line([method, path, status, `${ms} ms`, code, description && `"${description}"`, requestId]);

interface Attempt {
	readonly host: string;
	readonly status: number | null;
	readonly duration_ms: number;
	readonly outcome: string;
	readonly delivery_id: string;
}

/**
 * What a message of the Workers runtime means to the developer. The Worker's own log lines, which are JSON, pass. The runtime also reports
 * in its own words: of these an uncaught exception and a crash are printed, and connections that others close are not.
 */
export function ofRuntime(message: string): string | undefined {
	if (message.startsWith("{")) return message;
	const [, thrown] = /\bjsg\.(\w+: [^\n]*)/.exec(message) ?? [];
	if (thrown !== undefined) return `uncaught in the Worker: ${thrown.replace(/; stack: .*/, "")}`;
	return message.startsWith("*** ") ? `the Workers runtime has crashed: ${message.slice(4)}` : undefined;
}

/** A message as it is printed; undefined for what a batch of attempts took, because each attempt has a line. */
export function lineOfLog(message: string): string | undefined {
	const entry = parsed(message);
	if (entry?.message === "webhook batch") return undefined;
	if (entry?.message !== "webhook attempt") return message;
	const { host, status, duration_ms, outcome, delivery_id } = entry as unknown as Attempt;
	return line(["-> POST", host, status, `${duration_ms} ms`, outcome, delivery_id]);
}

export function parsed(message: string): Readonly<Record<string, unknown>> | undefined {
	try {
		return JSON.parse(message) as Record<string, unknown>;
	} catch {
		return undefined;
	}
}
