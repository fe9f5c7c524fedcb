// What the demo prints: its steps, each call of the client with its answer, and what is checked.

import { setTimeout as sleep } from "node:timers/promises";
import { styleText } from "node:util";
import type { ClientOptions } from "../../client/src/index.ts";

export class DemoFailed extends Error {}

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

export const parse = (body: string): unknown => {
	try {
		return JSON.parse(body);
	} catch {
		return body;
	}
};

/** What went over the wire last. */
export const wire = { answer: "" };

/** Prints each request of the client, and its answer. */
export const printing: NonNullable<ClientOptions["fetch"]> = async (url, init) => {
	const { pathname, search } = new URL(url);
	out(dim(`    ${init.method} ${pathname}${search}`));
	const key = init.headers["idempotency-key"];
	if (key !== undefined) out(dim(`      Idempotency-Key: ${key}`));
	if (init.body !== undefined) out(dim(`      ${show(parse(init.body))}`));
	const answer = await fetch(url, init);
	const { status, headers } = answer;
	const text = await answer.text();
	wire.answer = text;
	const replayed = headers.get("idempotent-replayed");
	out(`    ${status}${replayed ? `  Idempotent-Replayed: ${replayed}` : ""}  ${text === "" ? "" : show(parse(text))}`);
	return { status, headers, text: async () => text };
};

export function check(what: string, holds: boolean): void {
	if (!holds) throw new DemoFailed(`check failed: ${what}`);
	out(styleText("green", `    ok  ${what}`));
}

export async function eventually<T>(what: string, look: () => Promise<T | undefined>, patienceMs = 10_000): Promise<T> {
	for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(250)) {
		const found = await look();
		if (found !== undefined) return found;
	}
	throw new DemoFailed(`timed out after ${patienceMs / 1000} s: ${what}`);
}
