// The environments of requests and jobs that override variables or bindings.

import { testEnv } from "./storage";

export type Vars = { readonly [name: string]: unknown };

const numbers = new WeakMap<object, number>();
let numbered = 0;

/** Texts as they are, and each binding by a number of its own. */
function nameOf(value: unknown): unknown {
	if (value === null || !["object", "function"].includes(typeof value)) return value ?? null;
	const binding = value as object;
	const known = numbers.get(binding) ?? ++numbered;
	numbers.set(binding, known);
	return known;
}

const made = new Map<string, Env>();
/** More than any test has at once. */
const MOST = 500;

/** The same environment for the same variables and bindings, because the Worker reads the configuration of each once, which takes a while. */
export function environmentWith(vars: Vars | undefined): Env {
	if (!vars) return testEnv;
	const key = JSON.stringify(Object.entries(vars).map(([name, value]) => [name, nameOf(value)]));
	const known = made.get(key) ?? { ...testEnv, ...vars };
	if (made.size >= MOST) made.clear();
	made.set(key, known);
	return known;
}
