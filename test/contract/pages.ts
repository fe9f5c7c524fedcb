// Lists, and how large their pages are.

import * as z from "zod";
import type { AnyOperation } from "../../src/http/operation";
import { operations } from "../support/domains";

/** As the reference has it. */
export const largestPage = ({ request: { query } }: AnyOperation): number => {
	const { properties } = z.toJSONSchema(query as z.ZodType, { io: "input", unrepresentable: "any" });
	return (properties?.size as { maximum: number } | undefined)?.maximum ?? 0;
};

export const lists = operations.filter((op) => op.request.query instanceof z.ZodObject && "after" in op.request.query.shape);

/** A cursor of another list. */
export const FOREIGN_CURSOR = `${btoa("[1,2]")}.12345678.${"A".repeat(43)}`;
