// Lists and maps in requests. zod looks at every item before it compares the length, so a long list of wrong items would make as
// many errors. These schemas compare the length first.

import * as z from "zod";

/** An array of at most `max` items. */
export const list = <S extends z.core.SomeType>(item: S, { min = 0, max }: { min?: number; max: number }) =>
	bounded(z.array(item).min(min).max(max), max);

const id = z.uuid().toLowerCase();

/** The ids in a query, each by itself, a hundred at most. `what`: those of users. */
export const idsOf = (what: string) =>
	z
		.union([id, list(id, { min: 1, max: 100 })], { error: `must be the ids of ${what}, each by itself` })
		.transform((sent) => [...new Set([sent].flat())]);

/** The schema of an array or object, for values of at most `max` items or members. */
export function bounded<S extends z.core.SomeType>(schema: S, max: number): z.ZodType<z.output<S>, z.input<S>> {
	const checked = z.preprocess((value, ctx) => {
		const length = Array.isArray(value) ? value.length : typeof value === "object" && value !== null ? Object.keys(value).length : 0;
		if (length <= max) return value;
		ctx.addIssue({ code: "too_big", origin: "array", maximum: max, inclusive: true, message: `must have at most ${max} items` });
		return z.NEVER;
	}, schema);
	// Preprocessing loses the type of the input, which is still that of the schema.
	return checked as unknown as z.ZodType<z.output<S>, z.input<S>>;
}
