// What wrangler.toml declares at its top level, which the tests run.

import { readFileSync } from "node:fs";
import path from "node:path";

type Declared = Record<string, string | number | boolean | { limit: number; period: number }>;

const whole = readFileSync(path.join(import.meta.dirname, "../../../wrangler.toml"), "utf8");
const topLevel = whole.slice(0, whole.indexOf("\n[env."));

function memberOf(text: string): Declared[string] {
	const table = /^\{ limit = (\d+), period = (\d+) \}$/.exec(text);
	if (table) return { limit: Number(table[1]), period: Number(table[2]) };
	return JSON.parse(text) as string | number | boolean;
}

/** The tables of this name, for example `queues.consumers`. */
export function declared<T extends Declared>(name: string): T[] {
	const [, ...parts] = topLevel.split(/^\[\[?/m);
	return parts
		.filter((part) => part.startsWith(`${name}]`))
		.map((part) => {
			const members = [...part.matchAll(/^(\w+) = (.+)$/gm)].map(([, member = "", text = ""]) => [member, memberOf(text)]);
			return Object.fromEntries(members) as T;
		});
}
