// Reads lists and counts what that costs.

import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type * as z from "zod";
import type { Caller } from "../../src/http/callers/access";
import type { AnyOperation } from "../../src/http/operation";
import { databases } from "./databases";
import { handle } from "./handle";
import { printMeasured } from "./log";
import { metered } from "./metering";
import { expectRows } from "./rows";

/** The rows next to those that are read; `CROWD_ROWS` says how many. */
export const OTHERS = Number(env.CROWD_ROWS) || 3_000;
/** Whether `CROWD_ROWS` was given. */
export const isMeasured = Boolean(env.CROWD_ROWS);
/** How long a test may take (ms) that makes so many. */
export const PATIENCE_MS = isMeasured ? 1_200_000 : 60_000;
export const SIZE = 20;
export const operator: Caller = { kind: "operator", operatorId: "root" };

export type Query = Record<string, string | undefined>;
export type Row = Record<string, unknown>;

/** Reads a page and the one after it, and expects each to be full, to match, and to read at most `beside` rows more than it shows. */
export async function expectCheap(
	op: AnyOperation,
	home: string,
	caller: Caller,
	query: Query,
	matches: (row: Row) => boolean,
	{ beside = 5 } = {},
) {
	const everywhere = databases.length > 1 && caller?.kind === "operator" ? databases.length : 1;
	let after: string | undefined;
	for (const page of ["first", "second"]) {
		const label = `${op.id}, ${page} page, ${caller?.kind} ${JSON.stringify(query)}`;
		const { services, meter } = await metered(home);
		const sent = { ...query, size: String(SIZE), ...(after !== undefined && { after }) };
		const parsed = (op.request.query as z.ZodType).parse(JSON.parse(JSON.stringify(sent)));
		const answer = await handle(op, { query: parsed, caller, path: {} }, services);
		const { data, links, next } = (answer.body ?? answer) as { data: Row[]; links?: { next: string }; next?: string };
		expect(data, label).toHaveLength(SIZE);
		expect(
			data.filter((row) => !matches(row)),
			label,
		).toEqual([]);
		printMeasured(() => `${label}: ${data.length} shown, ${meter.rowsRead} read`);
		expectRows(meter.rowsRead, label).atMost((SIZE + beside) * everywhere);
		after = links?.next ?? next;
	}
}

/** Every combination of values of the filters, each left out too. */
export const combinations = (filters: Record<string, readonly string[]>): Query[] =>
	Object.entries(filters).reduce<Query[]>(
		(all, [name, values]) => all.flatMap((query) => [query, ...values.map((value) => ({ ...query, [name]: value }))]),
		[{}],
	);
