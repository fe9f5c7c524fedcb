// A condition of a webhook's filter, on the wire.

import * as z from "zod";
import { list } from "../../shared/bounded";
import type { SubCode } from "../../shared/errors";
import { all, has, hasAny, is, lacks, when } from "../../shared/schema-rules";

const VALUES = { min: 1, max: 20 };
/** One condition of a filter. */
export const FilterCondition = z
	.strictObject({
		member: z
			.string()
			.min(1)
			.max(100)
			.meta({ description: "A member of the payload, such as `amount`, or `type` or `entity_id` of the event" }),
		in: list(z.union([z.string().max(200), z.int(), z.boolean()]), VALUES)
			.optional()
			.meta({ description: "It is one of these. Those for `type` are patterns: `repayment.*`" }),
		min: z.int().optional().meta({ description: "It is a number, and at least this" }),
		max: z.int().optional().meta({ description: "It is a number, and at most this" }),
	})
	.superRefine((condition, ctx) => {
		const isRange = condition.min !== undefined || condition.max !== undefined;
		const refuse = (message: string, sub_code: SubCode) => ctx.addIssue({ code: "custom", message, params: { sub_code } });
		if (condition.in === undefined && !isRange) refuse("must have `in`, `min` or `max`", "REQUIRED");
		if (condition.in !== undefined && isRange) refuse("must not have `in` together with `min` or `max`", "MUTUALLY_EXCLUSIVE");
		if (condition.member === "type" && isRange) refuse("must have `in`: a type is no number", "NOT_ALLOWED");
		if ((condition.min ?? -Infinity) > (condition.max ?? Infinity)) refuse("must have a `min` of at most `max`", "OUT_OF_RANGE");
	})
	.meta({
		id: "FilterCondition",
		...when({ anyOf: [has("in"), is("member", "type")] }, all(has("in"), lacks("min", "max")), hasAny("min", "max")),
	});
