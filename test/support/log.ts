// What the service logs while a test runs in its isolate: it is kept, not printed.

import { env } from "cloudflare:workers";
import { allowErrors, expectErrors, forgetErrors, noteError } from "./errors";
import { inNode } from "./runtime";

export { allowErrors, expectErrors, expectNoOtherErrors } from "./errors";

type Level = "log" | "info" | "warn" | "error";

const LEVELS: readonly Level[] = ["log", "info", "warn", "error"];

const print = console.log.bind(console);

/** Prints what was measured, where `PRINT_BUDGETS=1` asks for it. */
export function printMeasured(text: () => string): void {
	if (env.PRINT_BUDGETS) print(text());
}

/** The service logs each of these errors in Node; in workerd, where other things are at once, it may. */
export const expectErrorsInNode: typeof expectErrors = inNode ? expectErrors : allowErrors;

/** Keeps what is logged from now on. A test that watches the console itself replaces this until it ends. */
export function keepLog(): void {
	forgetErrors();
	for (const level of LEVELS) {
		console[level] = (...parts: unknown[]) => {
			if (level === "error") noteError(parts.map(textOf).join(" "));
		};
	}
}

const textOf = (part: unknown): string =>
	typeof part === "string" ? part : part instanceof Error ? (part.stack ?? part.message) : JSON.stringify(part);
