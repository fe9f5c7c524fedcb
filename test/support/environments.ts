// The environments of requests that override variables.

import { testEnv } from "./storage";

export type Vars = { readonly [name: string]: unknown };

const byObject = new WeakMap<Vars, Env>();
const byText = new Map<string, Env>();

/** The same environment for the same variables, because the Worker reads the configuration of each once, which takes a while. */
export function environmentWith(vars: Vars | undefined): Env {
	if (!vars) return testEnv;
	const isText = Object.values(vars).every((value) => ["string", "undefined"].includes(typeof value));
	const text = isText ? JSON.stringify(vars, (_, value: unknown) => value ?? null) : "";
	const known = byObject.get(vars) ?? byText.get(text);
	if (known) return known;
	const made = { ...testEnv, ...vars };
	byObject.set(vars, made);
	if (isText) byText.set(text, made);
	return made;
}
