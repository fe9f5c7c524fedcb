// How the demo calls the service: each call and each answer is printed, and the first unexpected answer ends the demo.

import { setTimeout as sleep } from "node:timers/promises";
import { styleText } from "node:util";

export class DemoFailed extends Error {}

export type Fields = { readonly [name: string]: unknown };

interface Answer {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	readonly body: Fields;
}

interface Call {
	readonly token?: string;
	readonly organization?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: Fields;
	/** The statuses that let the demo continue. */
	readonly expect: readonly number[];
}

export const out = (line = ""): void => void process.stdout.write(`${line}\n`);
const bold = (text: string): string => styleText("bold", text);
export const dim = (text: string): string => styleText("dim", text);

let stepNumber = 0;

/** The step that runs, for the message of a failure; empty before the first. */
export const currentStep = (): string => (stepNumber > 0 ? `Step ${stepNumber} failed: ` : "");

export function step(title: string): void {
	stepNumber++;
	out(`\n${bold(`${String(stepNumber).padStart(2)}  ${title}`)}`);
}

/** Cuts tokens and keys, which are long and secret, to a recognisable beginning. */
const shorten = (text: string): string => text.replaceAll(/(eyJ[\w-]{6})[\w.-]+/g, "$1...").replaceAll(/(whsec_\w{4})[\w=+/-]+/g, "$1...");

export const show = (body: unknown): string => {
	const text = shorten(JSON.stringify(body));
	return text.length > 600 ? `${text.slice(0, 600)}...` : text;
};

export function text(fields: Fields, name: string): string {
	const value = fields[name];
	if (typeof value !== "string") throw new DemoFailed(`the answer has no ${name}`);
	return value;
}

export const objects = (value: unknown): Fields[] =>
	Array.isArray(value) ? value.filter((item): item is Fields => typeof item === "object" && item !== null) : [];

export function parse(body: string): Fields {
	try {
		const value: unknown = JSON.parse(body);
		return Array.isArray(value) ? { data: value } : typeof value === "object" && value !== null ? (value as Fields) : {};
	} catch {
		return {};
	}
}

export function client(baseUrl: string) {
	return async (method: "GET" | "POST", path: string, { token, organization, headers, body, expect }: Call): Promise<Answer> => {
		out(dim(`    ${method} ${path}`));
		for (const [name, value] of Object.entries(headers ?? {})) out(dim(`      ${name}: ${value}`));
		if (body) out(dim(`      ${show(body)}`));
		const response = await fetch(`${baseUrl}${path}`, {
			method,
			headers: {
				...headers,
				...(body && { "content-type": "application/json" }),
				...(token && { authorization: `Bearer ${token}` }),
				...(organization && { "x-organization-id": organization }),
			},
			...(body && { body: JSON.stringify(body) }),
			signal: AbortSignal.timeout(15_000),
		});
		const answer = await response.text();
		const fields = parse(answer);
		const replayed = response.headers.get("idempotent-replayed");
		out(`    ${response.status}${replayed ? `  Idempotent-Replayed: ${replayed}` : ""}  ${answer === "" ? "" : show(fields)}`);
		if (!expect.includes(response.status)) throw new DemoFailed(`expected ${expect.join(" or ")}, got ${response.status}`);
		return { status: response.status, headers: response.headers, text: answer, body: fields };
	};
}

export function check(what: string, holds: boolean): void {
	if (!holds) throw new DemoFailed(`check failed: ${what}`);
	out(styleText("green", `    ok  ${what}`));
}

export async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
	for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(250)) {
		const found = await look();
		if (found !== undefined) return found;
	}
	throw new DemoFailed(`timed out after 10 s: ${what}`);
}
