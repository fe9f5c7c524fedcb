// The two judges of a filter, in SQL and in the Worker.

import { sql } from "drizzle-orm";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { passes } from "../../src/events/filter";
import { entityIn, entityOf } from "../../src/events/ordering";
import { letsPass } from "../../src/shared/webhook-filter";
import { db } from "../support/factories";

const MEMBERS = ["amount", "currency", "is_new", "account_id", "user_id", "note_id", "lines", "ratio"] as const;
const TYPES = ["repayment.posted", "repayment.received", "loan.applied"] as const;

// Few different values, so that many conditions hold.
const text = fc.oneof(
	fc.constantFrom("KES", "1", "0", "true", "a", "A", "", '{"a":1}', "[1,2]"),
	fc.string({ unit: "grapheme", maxLength: 5 }),
);
const whole = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.maxSafeInteger());
const value = fc.oneof(text, whole, fc.boolean());
const member = fc.oneof(
	text,
	whole,
	fc.boolean(),
	fc.constantFrom(null, 0.5, 1.5, -0.25, 1e15),
	fc.constantFrom({ a: 1 }, [1, 2], [], { a: "ä", b: [null, true] }),
);
const dataOf = fc
	.tuple(
		fc.dictionary(fc.constantFrom("amount", "currency", "is_new", "lines", "ratio"), member),
		fc.dictionary(fc.constantFrom("account_id", "user_id", "note_id"), fc.oneof(fc.constant("a"), text)),
	)
	.map(([others, ids]) => ({ ...others, ...ids }));
const event = fc.record({ type: fc.constantFrom(...TYPES), data: dataOf });
const range = fc
	.record({
		member: fc.constantFrom(...MEMBERS, "entity_id"),
		min: fc.option(whole, { nil: undefined }),
		max: fc.option(whole, { nil: undefined }),
	})
	.filter(({ min, max }) => min !== undefined || max !== undefined);
const condition = fc.oneof(
	range,
	fc.record({ member: fc.constantFrom(...MEMBERS, "entity_id"), in: fc.array(value, { minLength: 1, maxLength: 5 }) }),
	fc.record({
		member: fc.constant("type"),
		in: fc.array(fc.constantFrom(...TYPES, "repayment.*", "loan.*", "*", "repayment", "Loan.*"), { minLength: 1, maxLength: 3 }),
	}),
);
const filter = fc.option(fc.array(condition, { minLength: 1, maxLength: 3 }), { nil: null });

it("a filter lets the same events pass in SQL and in the Worker", async () => {
	const cases = fc.record({ event, filter });
	const seen = { passing: 0, kept: 0 };
	await fc.assert(
		fc.asyncProperty(fc.array(cases, { minLength: 20, maxLength: 100 }), async (tried) => {
			const rows = tried.map(({ event: { type, data }, filter }) => ({
				type,
				data: JSON.stringify(data),
				filter: filter && JSON.stringify(filter),
			}));
			const data = sql`e.value ->> 'data'`;
			const inSql = await db.all<{ passing: number }>(sql`
				select ${passes({ type: sql`e.value ->> 'type'`, entityId: entityIn(data), data: sql`(${data})` }, sql`(e.value ->> 'filter')`)} as passing
				from json_each(${JSON.stringify(rows)}) e order by e.key`);
			const here = tried.map(({ event: { type, data }, filter }) => letsPass(filter, { type, entityId: entityOf(data), data }));
			expect(here).toEqual(inSql.map(({ passing }) => passing === 1));
			for (const passing of here) seen[passing ? "passing" : "kept"]++;
		}),
		{ numRuns: 50 },
	);
	// Neither judge says the same of all.
	expect(Math.min(seen.passing, seen.kept)).toBeGreaterThan(100);
});
