// How the text of a variable is read.

import * as z from "zod";
import { isDatabaseBinding, REGIONS } from "../db/places";
import { HostileJson, parseJson } from "../shared/json";
import { DAY_MS, parseDuration } from "../shared/time";

/** A variable that is JSON. */
export const json = <S extends z.core.SomeType>(schema: S) =>
	z.preprocess((text, ctx) => {
		if (typeof text !== "string") return text;
		try {
			return parseJson(text);
		} catch (error) {
			if (!(error instanceof HostileJson)) throw error;
			ctx.addIssue({ code: "custom", message: "is not valid JSON" });
			return z.NEVER;
		}
	}, schema);

/** @param rule what the text must be, as `read` demands it */
export const readBy = <T>(read: (text: string) => T | undefined, rule: string) =>
	z.string().transform((text, ctx) => {
		const value = read(text);
		if (value !== undefined) return value;
		ctx.addIssue({ code: "custom", message: rule });
		return z.NEVER;
	});

/** @param rule what the digits must be, as `digits` demands it */
export const numberBy = (digits: RegExp, rule: string) => z.string().regex(digits, rule).transform(Number);

/** Whole days, from a week to ten years. */
export function parseDays(text: string): number | undefined {
	const days = Number(text);
	return /^\d{1,4}$/.test(text) && days >= 1 && days <= 3650 ? days : undefined;
}

/** The longest wait that is of use: a person who asks for a number back must not be forgotten. */
const MAX_WAIT_MS = 30 * DAY_MS;

export const duration = readBy((text) => {
	const length = parseDuration(text, 0);
	return length !== undefined && length <= MAX_WAIT_MS ? length : undefined;
}, "must be an ISO 8601 duration of at most P30D, such as PT72H");

export const amount = z
	.string()
	.regex(/^(0|[1-9]\d{0,12})$/, "must be an amount in minor units")
	.transform(Number);

/** In which region each database is. */
export const places = json(
	z
		.array(z.strictObject({ binding: z.string().refine(isDatabaseBinding, "must be DB or a shard"), region: z.enum(REGIONS) }))
		.refine((entries) => new Set(entries.map(({ binding }) => binding)).size === entries.length, "must not have a binding twice"),
);
