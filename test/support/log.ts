// What the service logs while a test runs: it is kept, not printed, and an error that no test expects fails the one in which it came.

import { env } from "cloudflare:workers";
import { expect } from "vitest";

type Level = "log" | "info" | "warn" | "error";

const LEVELS: readonly Level[] = ["log", "info", "warn", "error"];

/** Said once by each isolate, so that the test in which it comes depends on the order of the tests. */
const ONCE = /^nobody can operate this service: /;

/** The messages of errors, and what they were logged with. */
let errors: { readonly message: string; readonly text: string }[] = [];
let expected: string[] = [];
let allowed: string[] = [];

const print = console.log.bind(console);

/** Prints what was measured, where `PRINT_BUDGETS=1` asks for it. */
export function printMeasured(text: () => string): void {
	if (env.PRINT_BUDGETS) print(text());
}

/** Keeps what is logged from now on. A test that watches the console itself replaces this until it ends. */
export function keepLog(): void {
	errors = [];
	expected = [];
	allowed = [];
	for (const level of LEVELS) {
		console[level] = (...parts: unknown[]) => {
			if (level !== "error") return;
			const text = parts.map(textOf).join(" ");
			errors.push({ message: messageOf(text), text });
		};
	}
}

const textOf = (part: unknown): string =>
	typeof part === "string" ? part : part instanceof Error ? (part.stack ?? part.message) : JSON.stringify(part);

/** The message of a line of the service's log; other texts as they are. */
function messageOf(text: string): string {
	try {
		return String((JSON.parse(text) as { message?: unknown }).message);
	} catch {
		return text;
	}
}

/** The service logs each of these errors in this test, by their messages. */
export function expectErrors(...messages: readonly string[]): void {
	expected.push(...messages);
}

/** The service may log these errors: in some cases of a table, or at some points of a crash, and not in others. */
export function allowErrors(...messages: readonly string[]): void {
	allowed.push(...messages);
}

/** Fails for an error that the test did not expect, and for an expected error that did not come. */
export function expectNoOtherErrors(): void {
	const come = errors.map(({ message }) => message);
	const unexpected = errors
		.filter(({ message }) => !expected.includes(message) && !allowed.includes(message) && !ONCE.test(message))
		.map(({ text }) => text);
	const missing = expected.filter((message) => !come.includes(message));
	errors = [];
	expect({ unexpected, missing }, "errors that the service logs: expectErrors() names them").toEqual({ unexpected: [], missing: [] });
}
