// The names that a schema knows at each place, and which of them a misspelt name may mean.

import * as z from "zod";

type Schema = z.core.$ZodType;
type Path = readonly PropertyKey[];

/** The most unknown names of a request that are compared with the known ones. */
const MAX_COMPARED = 100;

/** The objects, lists and records that a value of one of the schemas may be. */
function forms(schemas: readonly Schema[]): (z.ZodObject | z.ZodArray | z.ZodRecord)[] {
	return schemas.flatMap((schema) => {
		if (schema instanceof z.ZodObject || schema instanceof z.ZodArray || schema instanceof z.ZodRecord) return [schema];
		if (schema instanceof z.ZodUnion) return forms(schema.options);
		if (schema instanceof z.ZodPipe) return forms([schema.in]);
		if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
			return forms([schema.unwrap()]);
		return [];
	});
}

/** The schemas of what stands below these under a name or an index. */
const below = (schemas: readonly Schema[], step: PropertyKey): Schema[] =>
	forms(schemas).flatMap((form) => {
		if (form instanceof z.ZodArray) return [form.element];
		if (form instanceof z.ZodRecord) return [form.valueType];
		const field = form.shape[String(step)];
		return field ? [field] : [];
	});

/** The names of the fields that an object may have at this place. */
export function fieldsAt(schemas: readonly Schema[], [step, ...rest]: Path): string[] {
	if (step !== undefined) return fieldsAt(below(schemas, step), rest);
	return forms(schemas).flatMap((form) => (form instanceof z.ZodObject ? Object.keys(form.shape) : []));
}

/** A member that no schema names, and the declared members that its object could have and does not. */
type Unread = { path: Path; name: string; absent: string[] };

/** The members of a value that the schema does not name. Objects that take any member have none. */
export function unreadFields(schema: Schema, value: unknown): Unread[] {
	const found: Unread[] = [];
	const visit = (schemas: readonly Schema[], value: unknown, path: Path): void => {
		if (value === null || typeof value !== "object" || schemas.length === 0 || found.length >= MAX_COMPARED) return;
		const objects = Array.isArray(value) ? [] : forms(schemas).filter((form) => form instanceof z.ZodObject);
		const closed = objects.length > 0 && objects.every(({ def }) => def.catchall === undefined);
		const fields = closed ? fieldsAt(objects, []) : [];
		for (const [step, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
			if (closed && !fields.includes(String(step)) && found.length < MAX_COMPARED) {
				found.push({ path, name: String(step), absent: fields.filter((field) => !Object.hasOwn(value, field)) });
			}
			visit(below(schemas, step), inner, [...path, step]);
		}
	};
	visit([schema], value, []);
	return found;
}

/** The name that is meant most likely: one whose words contain the other's, else one of which at most a third of the letters differ. */
export function nearest(sent: string, names: readonly string[]): string | undefined {
	// Longer names are no misspellings, and would be slow to compare.
	if (sent.length > 64) return undefined;
	const words = wordsOf(sent);
	const [best] = [...new Set(names)]
		.map((name) => ({ name, shared: contain(words, wordsOf(name)), distance: distance(words.join("_"), name) }))
		.filter(({ name, shared, distance }) => shared || distance <= Math.floor(name.length / 3))
		.toSorted((a, b) => Number(b.shared) - Number(a.shared) || a.distance - b.distance);
	return best?.name;
}

const wordsOf = (name: string): string[] =>
	name
		.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
		.toLowerCase()
		.split(/[^a-z0-9]+/)
		.filter((word) => word !== "");

const contain = (a: readonly string[], b: readonly string[]): boolean => {
	const [few, many] = a.length <= b.length ? [a, b] : [b, a];
	return few.length > 0 && few.every((word) => many.includes(word));
};

/** The optimal string alignment distance: how many characters must be inserted, deleted or replaced, or swapped with the next one. */
function distance(a: string, b: string): number {
	let before: number[] = [];
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const swapped =
				i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
			next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1), swapped);
		}
		before = row;
		row = next;
	}
	return row[b.length] ?? 0;
}
