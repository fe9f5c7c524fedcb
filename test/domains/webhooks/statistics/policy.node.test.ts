// How attempts are counted in slots, buckets and percentiles.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	bucketsOf,
	hoursOf,
	latencyClass,
	MAX_BUCKETS,
	MAX_OVERVIEW_BUCKETS,
	MIN_BUCKETS,
	OVERVIEW_NAMES,
	PERIOD_NAMES,
	percentile,
	type Slot,
	slotsOf,
} from "../../../../src/domains/webhooks/statistics/policy";
import { HOUR_MS, MINUTE_MS } from "../../../../src/shared/time";

const now = Date.UTC(2026, 2, 2, 9, 47, 12, 345);
const slot = (start: number, more: Partial<Slot> = {}): Slot => ({ start, attempts: 1, delivered: 1, failed: 0, latencies: {}, ...more });
const classesOf = (latencies: readonly number[]) => {
	const classes: Record<string, number> = {};
	for (const ms of latencies) classes[latencyClass(ms)] = (classes[latencyClass(ms)] ?? 0) + 1;
	return classes;
};

describe("the slots of a period", () => {
	it("end with the slot of the present instant", () => {
		expect(slotsOf("PT24H", now)).toEqual({
			slotMs: 30 * MINUTE_MS,
			from: Date.UTC(2026, 2, 1, 10),
			unitMs: 30 * MINUTE_MS,
			until: Date.UTC(2026, 2, 2, 10),
		});
		expect(hoursOf("PT24H", Date.UTC(2026, 2, 2, 9))).toMatchObject({ from: Date.UTC(2026, 2, 1, 10), until: Date.UTC(2026, 2, 2, 10) });
		expect(slotsOf("PT1H", Date.UTC(2026, 2, 2, 9, 30)).until).toBe(Date.UTC(2026, 2, 2, 9, 31));
	});
});

describe("buckets", () => {
	it("are hours of a day by default", () => {
		const buckets = bucketsOf(slotsOf("PT24H", now), 24, [slot(Date.UTC(2026, 2, 2, 9, 30), { attempts: 7 })]);
		expect(buckets.map(({ from }) => from)).toEqual(Array.from({ length: 24 }, (_, i) => Date.UTC(2026, 2, 1, 10) + i * HOUR_MS));
		expect(buckets.map(({ attempts }) => attempts)).toEqual([...Array.from({ length: 23 }, () => 0), 7]);
	});

	it("hold each slot of the period once, for every number of slots", () => {
		for (const period of PERIOD_NAMES) {
			const { slotMs, from, until } = slotsOf(period, now);
			const starts = Array.from({ length: (until - from) / slotMs }, (_, i) => from + i * slotMs);
			for (let count = MIN_BUCKETS; count <= MAX_BUCKETS; count++) {
				const buckets = bucketsOf(
					slotsOf(period, now),
					count,
					[from - slotMs, ...starts, until].map((start) => slot(start)),
				);
				expect(buckets).toHaveLength(count);
				expect(buckets[0]?.from).toBe(from);
				expect(buckets.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(starts.length);
				const sizes = buckets.map(({ attempts }) => attempts);
				expect(Math.min(...sizes)).toBeGreaterThan(0);
				expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
			}
			// The rows of a period, with room for everything else that the operation reads.
			expect(starts.length + 140).toBeLessThanOrEqual(MIN_BUCKETS * 60);
		}
	});

	it("of all endpoints begin with whole hours, for every number of endpoints", () => {
		for (const period of OVERVIEW_NAMES) {
			const { from, until } = hoursOf(period, now);
			for (let count = 1; count <= MAX_OVERVIEW_BUCKETS; count++) {
				const begins = bucketsOf(hoursOf(period, now), count, []).map((bucket) => bucket.from);
				expect(new Set([...begins, from, until]).size).toBe(count + 1);
				expect(begins.filter((begin) => begin % HOUR_MS !== 0)).toEqual([]);
			}
		}
	});

	it("add up the latencies of their slots", () => {
		const start = Date.UTC(2026, 2, 2, 9);
		const slots = [slot(start, { latencies: { 5: 2 } }), slot(start + 30 * MINUTE_MS, { latencies: { 5: 1, 9: 1 } })];
		expect(bucketsOf(slotsOf("PT24H", now), 24, slots).at(-1)).toMatchObject({ attempts: 2, delivered: 2, failed: 0, p50: 5, p95: 9 });
		expect(bucketsOf(slotsOf("PT24H", now), 24, slots)[0]).toMatchObject({ attempts: 0, p50: null, p95: null });
	});
});

describe("percentiles", () => {
	it("are null without an answer", () => {
		expect(percentile({}, 0.5)).toBeNull();
	});

	it("are exact up to 20 ms", () => {
		const latencies = classesOf(Array.from({ length: 20 }, (_, i) => i + 1));
		expect([percentile(latencies, 0.5), percentile(latencies, 0.95), percentile(latencies, 1)]).toEqual([10, 19, 20]);
	});

	it("differ from the exact percentiles by at most 5 % and half a millisecond", () => {
		const latency = fc.integer({ min: 0, max: 60_000 });
		fc.assert(
			fc.property(fc.array(latency, { minLength: 1, maxLength: 200 }), fc.constantFrom(0.5, 0.95, 0.99), (latencies, share) => {
				const exact = latencies.toSorted((a, b) => a - b)[Math.ceil(latencies.length * share) - 1] ?? 0;
				const found = percentile(classesOf(latencies), share) ?? Number.NaN;
				expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * 0.05 + 0.5);
			}),
		);
	});
});
