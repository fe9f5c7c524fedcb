// Turns what handlers return into answers: keeps exactly the members that the response's schema names, so that no column can leak. Each
// schema is compiled once in an isolate, because zod's own parse is slow where the platform forbids code generation. Formats, ranges and
// enums are not checked again, except in tests and by `spot-check.ts`; unusual schemas are left to zod.

import type * as z from "zod";
import type { $ZodType, $ZodTypes } from "zod/v4/core";

type Projection = (value: unknown) => unknown;

/** Whether zod parses every answer too, and must return the same; and what else must hold for it. */
let checked: ((answer: unknown) => void) | undefined;
export const checkAnswers = (check: ((answer: unknown) => void) | undefined): void => {
	checked = check;
};

const projections = new WeakMap<$ZodType, Projection>();

/** Throws where zod would, except for wrong formats, ranges and members of enums. */
export function project(schema: $ZodType, value: unknown): unknown {
	const projected = projectionOf(schema)(value);
	if (checked && JSON.stringify(projected) !== JSON.stringify(parserOf(schema)(value))) {
		throw new Error(`the projection of an answer differs from what zod returns: ${JSON.stringify(projected)}`);
	}
	checked?.(projected);
	return projected;
}

export function projectionOf(schema: $ZodType): Projection {
	const known = projections.get(schema);
	const projection = known ?? compile(schema) ?? parserOf(schema);
	if (!known) projections.set(schema, projection);
	return projection;
}

/** What zod itself does. */
const parserOf =
	(schema: $ZodType): Projection =>
	(value) =>
		(schema as z.ZodType).parse(value);

/** Formats whose parse leaves the text as it is. */
const PLAIN_FORMATS: readonly unknown[] = [undefined, "uuid", "datetime", "date", "time", "email", "safeint", "int32"];

/** undefined: zod has to do it. */
function compile(schema: $ZodType): Projection | undefined {
	const { def } = (schema as $ZodTypes)._zod;
	if (def.checks?.some(({ _zod }) => _zod.def.check === "overwrite")) return undefined;
	switch (def.type) {
		case "string":
		case "number":
		case "boolean": {
			const format = "format" in def ? def.format : undefined;
			if (("coerce" in def && def.coerce) || !PLAIN_FORMATS.includes(format)) return undefined;
			return unlessOdd(schema, def.type);
		}
		case "enum":
			return unlessOdd(schema, "string");
		case "literal":
			return unlessOdd(schema, typeof def.values[0]);
		case "any":
		case "unknown":
			return (value) => value;
		case "nullable": {
			const inner = projectionOf(def.innerType);
			return (value) => (value === null ? null : inner(value));
		}
		case "optional": {
			const inner = projectionOf(def.innerType);
			// A schema that itself accepts undefined may turn it into a default.
			const absent = def.innerType._zod.optin !== undefined ? parserOf(schema) : () => undefined;
			return (value) => (value === undefined ? absent(value) : inner(value));
		}
		case "array": {
			const element = projectionOf(def.element);
			return unlessOddObject(schema, Array.isArray, (items) => items.map((item) => element(item)));
		}
		case "object":
			return def.catchall === undefined || def.catchall._zod.def.type === "never" ? compileObject(schema, def.shape) : undefined;
		case "union":
			return "discriminator" in def ? compileUnion(schema, String(def.discriminator), def.options) : undefined;
		default:
			return undefined;
	}
}

const unlessOdd = (schema: $ZodType, type: string): Projection => {
	const parse = parserOf(schema);
	return (value) => (typeof value === type && type !== "object" ? value : parse(value));
};

function unlessOddObject<T>(schema: $ZodType, is: (value: unknown) => value is T, projection: (value: T) => unknown): Projection {
	const parse = parserOf(schema);
	return (value) => (is(value) ? projection(value) : parse(value));
}

type Members = { readonly [name: string]: unknown };
const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null && !Array.isArray(value);

function compileObject(schema: $ZodType, shape: { readonly [name: string]: $ZodType }): Projection {
	const members = Object.entries(shape).map(([name, member]) => ({ name, projection: projectionOf(member) }));
	return unlessOddObject(schema, isObject, (value) => {
		const projected: { [name: string]: unknown } = {};
		for (const { name, projection } of members) {
			const member = projection(value[name]);
			if (member !== undefined) projected[name] = member;
		}
		return projected;
	});
}

function compileUnion(schema: $ZodType, discriminator: string, options: readonly $ZodType[]): Projection {
	const byValue = new Map(
		options.flatMap((option) =>
			[...(option._zod.propValues?.[discriminator] ?? [])].map((value) => [value, projectionOf(option)] as const),
		),
	);
	const parse = parserOf(schema);
	return unlessOddObject(schema, isObject, (value) => (byValue.get(value[discriminator] as string) ?? parse)(value));
}
