// Properties of reports over random events, tariffs and supervisions, against a calculation of the test's own.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Report, type ReportedEvent, reportOf, toMinorUnits } from "../../../src/domains/commissions/report.policy.ts";
import { AGENT_EVENT_TYPES, COMMISSION_TYPES, type Tariff } from "../../../src/domains/commissions/tariff.policy.ts";

const END = 1_000;
const instant = fc.integer({ min: 0, max: END });
const amount = fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constantFrom(0, 999, 1_000, 4_503_599_627_370_497, Number.MAX_SAFE_INTEGER));

const events = fc
	.array(fc.record({ eventType: fc.constantFrom(...AGENT_EVENT_TYPES), amount, occurredAt: instant }), { maxLength: 30 })
	.map((list) =>
		list.map(
			(event, index): ReportedEvent => ({ ...event, eventId: `e${String(index).padStart(3, "0")}`, referenceId: "r", description: "" }),
		),
	);

const tier = fc.record({
	flat: fc.integer({ min: 0, max: 500 }),
	basisPoints: fc.integer({ min: 0, max: 10_000 }),
	cap: fc.option(fc.integer({ min: 0, max: 2_000 })),
});
const tiers = fc.tuple(tier, tier, fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 0, max: 1_000 })).map(([low, high, to, gap]) => [
	{ ...low, from: 0, to },
	{ ...high, from: to + gap, to: null },
]);
const tariffs = fc
	.array(
		fc.record({
			effectiveFrom: instant,
			createdAt: instant,
			rules: fc.uniqueArray(
				fc.record({
					eventType: fc.constantFrom(...COMMISSION_TYPES),
					tiers,
					supervisorShareBasisPoints: fc.integer({ min: 0, max: 10_000 }),
				}),
				{ selector: ({ eventType }) => eventType },
			),
		}),
		{ maxLength: 5 },
	)
	.map((list) => list.map((one, index): Tariff => ({ ...one, id: String(index), modelId: `m${index}` })));

const inputs = fc.record({ own: events, supervised: events, tariffs, whatIf: fc.boolean() });

type Input = Parameters<typeof reportOf>[0];
const within = (list: readonly ReportedEvent[], from: number, to: number) =>
	list.filter(({ occurredAt }) => from <= occurredAt && occurredAt < to);
/** As the store reads it: the agent's own events by time, and the supervised events that earn a commission. */
const reportBetween = ({ own, supervised, ...by }: Input, from: number, to: number): Report =>
	reportOf({
		...by,
		own: within(own, from, to),
		supervised: within(
			supervised.map((event) => ({ ...event, eventId: `s${event.eventId}` })),
			from,
			to,
		).filter(({ eventType }) => eventType in COMMISSION),
	});
const COMMISSION = Object.fromEntries(COMMISSION_TYPES.map((type) => [type, true]));
const byTime = (a: { occurredAt: number; eventId: string }, b: { occurredAt: number; eventId: string }) =>
	a.occurredAt - b.occurredAt || (a.eventId < b.eventId ? -1 : 1);

describe("two adjacent reports", () => {
	it("add up to the joined report, line by line and in every sum", () => {
		fc.assert(
			fc.property(inputs, instant, (input, cut) => {
				const whole = reportBetween(input, 0, END + 1);
				const [early, late] = [reportBetween(input, 0, cut), reportBetween(input, cut, END + 1)];
				expect([...early.lines, ...late.lines]).toEqual(whole.lines);
				for (const sum of ["total", "transactionCommissions", "penalties", "penaltyReversals"] as const)
					expect(early[sum] + late[sum]).toBe(whole[sum]);
			}),
			{ numRuns: 300 },
		);
	});

	it("count an event at their boundary once, in the later report", () => {
		fc.assert(
			fc.property(inputs, (input) => {
				const whole = reportBetween(input, 0, END + 1);
				for (const { occurredAt: cut } of input.own) {
					const late = reportBetween(input, cut, END + 1);
					expect([...reportBetween(input, 0, cut).lines, ...late.lines]).toEqual(whole.lines);
					expect(late.lines[0]?.occurredAt).toBe(cut);
				}
			}),
			{ numRuns: 50 },
		);
	});
});

/** The same report, calculated independently, with amounts in ten-thousandths of a unit. */
function independent({ own, supervised, tariffs: versions, whatIf }: Input) {
	const sorted = [...versions].sort((a, b) => a.effectiveFrom - b.effectiveFrom || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
	const earned = ({ eventType, amount: value, occurredAt }: ReportedEvent) => {
		let version: Tariff | undefined = whatIf ? sorted[0] : undefined;
		for (const one of sorted) if (one.effectiveFrom <= occurredAt) version = one;
		const found = version?.rules.find((one) => one.eventType === eventType);
		const reached = found?.tiers.filter(({ from, to }) => value >= from && !(to !== null && value >= to))[0];
		if (!found || !reached) return { units: 0n, share: 0n };
		const uncapped = BigInt(reached.flat) * 10_000n + BigInt(value) * BigInt(reached.basisPoints);
		const limit = reached.cap === null ? uncapped : BigInt(reached.cap) * 10_000n;
		const units = uncapped > limit ? limit : uncapped;
		const exact = units * BigInt(found.supervisorShareBasisPoints);
		const [down, rest] = [exact / 10_000n, exact % 10_000n];
		return { units, share: rest > 5_000n || (rest === 5_000n && down % 2n === 1n) ? down + 1n : down };
	};
	let [commissions, penalties, reversals] = [0n, 0n, 0n];
	for (const event of own) {
		if (event.eventType === "PENALTY") penalties += BigInt(event.amount) * 10_000n;
		else if (event.eventType === "PENALTY_REVERSAL") reversals += BigInt(event.amount) * 10_000n;
		else commissions += earned(event).units;
	}
	for (const event of supervised) commissions += earned(event).share;
	return { transactionCommissions: commissions, penalties, penaltyReversals: reversals, total: commissions - penalties + reversals };
}

describe("a report", () => {
	it("agrees with an independent calculation, and orders its lines by time", () => {
		fc.assert(
			fc.property(inputs, (input) => {
				const supervised = input.supervised.filter(({ eventType }) => eventType in COMMISSION);
				const { lines, ...sums } = reportOf({ ...input, supervised });
				expect(sums).toEqual(independent({ ...input, supervised }));
				expect(lines).toHaveLength(input.own.length + supervised.length);
				expect(lines.reduce((sum, { units }) => sum + units, 0n)).toBe(sums.total);
				if (supervised.length === 0) expect(lines).toEqual([...lines].sort(byTime));
			}),
			{ numRuns: 300 },
		);
	});
});

describe("an amount", () => {
	it.each([
		[0n, "0"],
		[1n, "0.0001"],
		[-12_345n, "-1.2345"],
		[10_000n, "1"],
		[999_999_999_999_999n, "99999999999.9999"],
		[-999_999_999_999_999n, "-99999999999.9999"],
	])("of %s ten-thousandths is written as %s", (units, text) => {
		expect(JSON.stringify(toMinorUnits(units))).toBe(text);
	});

	it("is written exactly up to fifteen digits", () => {
		fc.assert(
			fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (units) => {
				const [whole = "", fraction = ""] = JSON.stringify(toMinorUnits(units)).replace("-", "").split(".");
				const read = BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, "0"));
				return (units < 0n ? -read : read) === units;
			}),
		);
	});
});
