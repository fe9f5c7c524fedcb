// The errors that the service logs, by their messages. An error that a test does not expect fails it.

import { expect } from "vitest";

/** Said once by each isolate, so that the test in which it comes depends on the order of the tests. */
const ONCE = /^nobody can operate this service: /;

/** The messages of errors, and what they were logged with. */
let errors: { readonly message: string; readonly text: string }[] = [];
let expected: string[] = [];
let allowed: string[] = [];

export function noteError(text: string): void {
	errors.push({ message: messageOf(text), text });
}

export function forgetErrors(): void {
	errors = [];
	expected = [];
	allowed = [];
}

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

/** The errors that were expected and have not come yet. */
export const missingErrors = (): readonly string[] => expected.filter((message) => !errors.some((error) => error.message === message));

/** Fails for an error that the test did not expect, and for an expected error that did not come. */
export function expectNoOtherErrors(): void {
	const unexpected = errors
		.filter(({ message }) => !expected.includes(message) && !allowed.includes(message) && !ONCE.test(message))
		.map(({ text }) => text);
	const missing = missingErrors();
	errors = [];
	expected = [];
	expect({ unexpected, missing }, "errors that the service logs: expectErrors() names them").toEqual({ unexpected: [], missing: [] });
}
