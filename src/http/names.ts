// The names that a schema knows at each place, and those of a value that it does not know.

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
