// Values that a schema allows, as fast-check arbitraries. Ids, tokens, cursors and the like are references, `@@name:7@@`,
// which are replaced by something of that name that the service has answered when the request is sent.

import fc from "fast-check";
import type { Schema, ServiceDocument } from "./document.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export const REFERENCE = /@@([\w{}./-]+):(\d+)@@/g;

/** Half of them refer to one of the first four values of the name, which belong to the callers themselves. */
export const reference = (name: string): fc.Arbitrary<string> => fc.oneof(fc.nat(3), fc.nat(997)).map((pick) => `@@${name}:${pick}@@`);

/** Members that need a value of a certain form, although their schema only says "string". */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
	advance: ["PT1S", "PT15S", "PT1M", "PT30M", "PT1H", "P1D"],
	timeout: ["PT1S", "PT5S", "PT30S", "PT0.5M"],
	mobile_country_code: ["+254", "254", "44", "+1"],
	mobile_number: ["712345678", "0712345679", "0722000111", "7911123456", "2025550123"],
	currency: ["KES", "USD"],
	time_zone: ["Africa/Nairobi", "UTC", "America/New_York"],
	organization: ["@@own organization:0@@", "newcomers"],
	header: ["t=1700000000,v1=00", `t=1700000000,v1=${"0".repeat(64)}`],
	body: ['{"event_id":1}', "{}", "[1,2"],
	kind: ["partner", "phone"],
};

const DATES = ["2026-01-31", "2026-12-31", "2028-02-29", "2000-01-01", "1970-01-01", "0001-01-01", "9999-12-31"];
const TIMES = ["T00:00:00Z", "T23:59:59.999Z", "T12:00:00.123456789Z", "T00:00:00+14:00", "T23:59:59-12:00"];
const date = fc.constantFrom(...DATES);
const instant = fc.tuple(date, fc.constantFrom(...TIMES)).map((parts) => parts.join(""));
/** Only this machine and names that never resolve, so that no request leaves, with any registered name. */
const URIS = ["https://127.0.0.1:9/hook", "https://localhost/", "https://receiver.invalid/a?b=c", "https://[::1]/", "http://127.0.0.1/"];

const EXTREMES = [0, 1, -1, 2, 99, 100, 101, 2 ** 31 - 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

function numbers(schema: Schema): fc.Arbitrary<number> {
	const lowest = bound(schema.minimum) ?? (bound(schema.exclusiveMinimum) ?? Number.MIN_SAFE_INTEGER - 1) + 1;
	const highest = bound(schema.maximum) ?? (bound(schema.exclusiveMaximum) ?? Number.MAX_SAFE_INTEGER + 1) - 1;
	const near = [lowest, lowest + 1, highest - 1, highest, ...EXTREMES].filter((n) => n >= lowest && n <= highest);
	return fc.oneof(
		fc.constantFrom(...near),
		fc.integer({ min: Math.max(lowest, -1000), max: Math.min(highest, 1_000_000) }),
		fc.integer({ min: lowest, max: highest }),
	);
}

const bound = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** fast-check draws no look-aheads: what the rest of the pattern allows is drawn, and kept if all of it matches. */
function matching(pattern: string): fc.Arbitrary<string> {
	const drawn = pattern.replaceAll(/\(\?[=!][^()]*\)/g, "");
	const whole = new RegExp(pattern);
	return drawn === pattern ? fc.stringMatching(whole) : fc.stringMatching(new RegExp(drawn)).filter((text) => whole.test(text));
}

function strings(schema: Schema, name: string): fc.Arbitrary<string> {
	const minLength = bound(schema.minLength) ?? 0;
	const maxLength = Math.min(bound(schema.maxLength) ?? 200, 300);
	const known = { arbitrary: reference(name), weight: 4 };
	if (schema.format === "uuid") return fc.oneof(known, { arbitrary: fc.uuid(), weight: 1 });
	if (schema.format === "date") return date;
	if (schema.format === "date-time") return instant;
	if (schema.format === "uri") return fc.oneof(known, fc.constantFrom(...URIS));
	if (schema.format === "email") return fc.constantFrom("a@example.test", "some.body+tag@mail.example.test");
	const text =
		typeof schema.pattern === "string"
			? matching(schema.pattern)
			: fc.oneof(fc.string({ minLength, maxLength }), fc.string({ minLength, maxLength, unit: "grapheme" }));
	const examples = Array.isArray(schema.examples) ? schema.examples.map(String) : [];
	const samples = [...examples, ...(SAMPLES[name] ?? [])];
	return fc.oneof(
		known,
		{ arbitrary: text, weight: 3 },
		...(samples.length > 0 ? [{ arbitrary: fc.constantFrom(...samples), weight: 12 }] : []),
	);
}

/** What `schema` allows for a member called `name`. */
export function valuesOf(document: ServiceDocument, schemaOrReference: Schema, name: string, depth = 0): fc.Arbitrary<Json> {
	const schema = document.resolve(schemaOrReference);
	const inside = (one: Schema, member: string) => valuesOf(document, one, member, depth + 1);
	const choices = schema.anyOf ?? schema.oneOf;
	if (Array.isArray(choices)) return fc.oneof(...choices.map((choice: Schema) => inside(choice, name)));
	if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as Json[]));
	if (schema.const !== undefined) return fc.constant(schema.const as Json);
	const types: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
	const [type = "null"] = types.length > 1 ? types.filter((one) => one !== "null") : types;
	const value = ((): fc.Arbitrary<Json> => {
		switch (type) {
			case "null":
				return fc.constant(null);
			case "boolean":
				return fc.boolean();
			case "integer":
			case "number":
				return numbers(schema);
			case "string":
				return strings(schema, name);
			case "array": {
				const minLength = bound(schema.minItems) ?? 0;
				const maxLength = Math.max(minLength, Math.min(bound(schema.maxItems) ?? 4, 4));
				return fc.array(inside((schema.items as Schema | undefined) ?? {}, name), { minLength, maxLength });
			}
			case "object":
				return members(document, schema, depth);
			default:
				return fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string());
		}
	})();
	return types.includes("null") && type !== "null" ? fc.option(value) : value;
}

function members(document: ServiceDocument, schema: Schema, depth: number): fc.Arbitrary<Json> {
	const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
	if (properties.length === 0 && typeof schema.additionalProperties === "object") {
		return fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), fc.oneof(fc.string(), fc.integer(), fc.boolean()), { maxKeys: 3 });
	}
	return fc.record(Object.fromEntries(properties.map(([name, one]) => [name, valuesOf(document, one, name, depth + 1)])), {
		requiredKeys: (schema.required as string[] | undefined) ?? [],
		noNullPrototype: true,
	});
}
