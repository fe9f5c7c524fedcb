// The forms that parsers, frameworks and editors give to a JSON body. The signature debugger tries them to explain a mismatch. It
// cannot recover the original order of members unless that was ours or alphabetical.

import { type Json, parseJson } from "../../../shared/json";

const ENVELOPE = ["delivery_id", "event_type", "payload_version", "sent_at", "organization_id", "data"];
const BATCH = ["batch_id", "deliveries", "after_failed"];

/** A form may be so many times as long as the body. Short bodies may have longer forms, because indentation weighs more there. */
const MAX_GROWTH = 4;
const ALWAYS_ALLOWED = 4_096;

/**
 * The other forms of the body, named by the words that complete "The signature matches this body ...". They are made one at a
 * time, and those much longer than the body are left out, so that a hostile body costs little time and memory.
 */
export function* otherForms(body: string): Generator<readonly [form: string, text: string]> {
	const longest = Math.max(MAX_GROWTH * body.length, ALWAYS_ALLOWED);
	for (const [form, make] of formsOf(body, longest)) {
		const text = make();
		if (text !== body && text.length <= longest) yield [form, text];
	}
}

type Form = readonly [form: string, make: () => string];

function* formsOf(body: string, longest: number): Generator<Form> {
	yield ["without leading and trailing whitespace", () => body.trim()];
	yield ["with a line feed at its end", () => `${body}\n`];
	yield ["with a carriage return and line feed at its end", () => `${body}\r\n`];
	yield ["with LF line endings in place of CRLF", () => body.replaceAll("\r\n", "\n")];
	yield ["with CRLF line endings", () => body.replaceAll(/\r?\n/g, "\r\n")];
	yield ["with a byte order mark before it", () => `\ufeff${body}`];
	const value = readJson(body);
	if (value === undefined) return;
	const compact = JSON.stringify(value);
	yield ["as compact JSON", () => compact];
	for (const [indent, words] of INDENTS) {
		if (lengthOf(value, compact, indent) > longest) continue;
		yield [`as JSON indented by ${words}`, () => JSON.stringify(value, null, indent)];
	}
	yield ["as compact JSON with a line feed at its end", () => `${compact}\n`];
	if (lengthOf(value, compact, "  ") <= longest) {
		yield ["as JSON indented by two spaces with a line feed at its end", () => `${JSON.stringify(value, null, 2)}\n`];
	}
	yield ["as compact JSON with its members in the order of the delivery", () => JSON.stringify(inOrderOfDelivery(value))];
	yield ["as compact JSON with its members sorted by name", () => JSON.stringify(sorted(value))];
	yield ["as compact JSON with characters outside ASCII escaped", () => escaped(compact)];
	yield ["as compact JSON with slashes escaped", () => compact.replaceAll("/", "\\/")];
}

const INDENTS = [
	["  ", "two spaces"],
	["    ", "four spaces"],
	["\t", "tabs"],
] as const;

/** Undefined for a body that is not JSON, or breaks a rule for JSON from outside: then only the plain-text forms apply. */
function readJson(body: string): Json | undefined {
	try {
		// trim removes a byte order mark, which the parser would reject.
		return parseJson(body.trim());
	} catch {
		return undefined;
	}
}

/** How long the indented form would be. Computed before it is made, because indentation can multiply the length by 60. */
function lengthOf(value: Json, compact: string, indent: string): number {
	const { added, indents } = layout(value, 0);
	return compact.length + added + indents * indent.length;
}

/** The line feeds and spaces that indentation adds to compact JSON, and how often it writes the indent. */
function layout(value: Json, depth: number): { added: number; indents: number } {
	if (typeof value !== "object" || value === null) return { added: 0, indents: 0 };
	const items = Object.values(value);
	if (items.length === 0) return { added: 0, indents: 0 };
	const colons = Array.isArray(value) ? 0 : items.length;
	const total = { added: items.length + 1 + colons, indents: items.length * (depth + 1) + depth };
	for (const item of items) {
		const { added, indents } = layout(item, depth + 1);
		total.added += added;
		total.indents += indents;
	}
	return total;
}

function inOrderOfDelivery(value: Json): Json {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
	const { deliveries } = value;
	const order = Array.isArray(deliveries) ? BATCH : ENVELOPE;
	const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
	const turned = Object.fromEntries(Object.entries(value).sort(([a], [b]) => place(a) - place(b)));
	return Array.isArray(deliveries) ? { ...turned, deliveries: deliveries.map(inOrderOfDelivery) } : turned;
}

function sorted(value: Json): Json {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== "object" || value === null) return value;
	const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

function escaped(json: string): string {
	return json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
