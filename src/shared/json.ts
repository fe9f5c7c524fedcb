// Strict parsing of JSON from outside, and the canonical form over which fingerprints are computed.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The text breaks one of our rules; the message says which one and is shown to the caller. */
export class HostileJson extends Error {}

const MAX_DEPTH = 32;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/**
 * Parses JSON and refuses what other parsers may read differently or fail on: duplicate members, `__proto__`, NUL and
 * lone surrogates in strings, and nesting deeper than 32 levels.
 */
export function parseJson(text: string): Json {
	let value: Json;
	try {
		value = JSON.parse(text);
	} catch {
		throw new HostileJson("is not valid JSON");
	}
	// `JSON.parse` has checked the syntax, so brackets, colons and strings are enough to look at.
	const scopes: (Set<string> | null)[] = [];
	let string = "";
	for (const [token] of text.matchAll(TOKEN)) {
		if (token === "{" || token === "[") {
			if (scopes.push(token === "{" ? new Set() : null) > MAX_DEPTH) throw new HostileJson(`is nested deeper than ${MAX_DEPTH} levels`);
		} else if (token === "}" || token === "]") {
			scopes.pop();
		} else if (token === ":") {
			const names = scopes.at(-1);
			if (string === "__proto__") throw new HostileJson("has a member named __proto__");
			if (names?.has(string)) throw new HostileJson("has a duplicate member");
			names?.add(string);
		} else {
			string = JSON.parse(token);
			if (!string.isWellFormed()) throw new HostileJson("has a lone surrogate in a string");
			if (string.includes("\0")) throw new HostileJson("has a NUL in a string");
		}
	}
	return value;
}

/** Serialises equal values to the same text, for every order of their members. Idempotency fingerprints hash it. */
export function canonicalJson(value: Json): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (value !== null && typeof value === "object") {
		const members = Object.keys(value)
			.sort()
			.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`);
		return `{${members.join(",")}}`;
	}
	return JSON.stringify(value);
}
