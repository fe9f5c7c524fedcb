// How statistics divide time and latency, so that a period is read in few rows, with everything that happened in it.

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../shared/time";

export const SHORT_SLOT_MS = MINUTE_MS;
export const LONG_SLOT_MS = 30 * MINUTE_MS;

const PERIODS = {
	PT1H: { lengthMs: HOUR_MS, slotMs: SHORT_SLOT_MS },
	PT24H: { lengthMs: DAY_MS, slotMs: LONG_SLOT_MS },
	P7D: { lengthMs: 7 * DAY_MS, slotMs: LONG_SLOT_MS },
} as const;

export type Period = keyof typeof PERIODS;
export const PERIOD_NAMES = Object.keys(PERIODS) as [Period, ...Period[]];

/** Short slots that began before this are summed up in long ones: no period needs them, and their long slot is over. */
export function summedUpBefore(now: number): number {
	const unneeded = now - PERIODS.PT1H.lengthMs - SHORT_SLOT_MS;
	return unneeded - (unneeded % LONG_SLOT_MS);
}

/** Long slots that began before this are in no period any more. */
export const expiredBefore = (now: number): number => now - PERIODS.P7D.lengthMs - LONG_SLOT_MS;

/** So many that no bucket is shorter than its slots, and the rows of a period stay below 60 for each bucket. */
export const MIN_BUCKETS = 8;
export const MAX_BUCKETS = 48;

export type Slot = { start: number; attempts: number; delivered: number; failed: number; latencies: Latencies };

/** Counts by class of latency. */
export type Latencies = Readonly<Record<string, number>>;

/** The slots that a period consists of; it ends with the slot of the present instant. */
export function slotsOf(period: Period, now: number): Divided {
	const { lengthMs, slotMs } = PERIODS[period];
	const until = Math.floor(now / slotMs) * slotMs + slotMs;
	return { slotMs, unitMs: slotMs, from: until - lengthMs, until };
}

/** The periods in which all endpoints of an organization are shown together, and of how many at once: each has so many slots. */
export const OVERVIEWS = {
	PT24H: { endpoints: 12 },
	P7D: { endpoints: 4 },
} as const satisfies { [period in Period]?: { endpoints: number } };

export type Overview = keyof typeof OVERVIEWS;
export const OVERVIEW_NAMES = Object.keys(OVERVIEWS) as [Overview, ...Overview[]];

/** As many as the shortest of these periods has hours. */
export const MAX_OVERVIEW_BUCKETS = 24;

/** The whole hours that such a period consists of, up to the end of the present one, and the slots that lie in them. */
export function hoursOf(period: Overview, now: number): Divided {
	const until = Math.floor(now / HOUR_MS) * HOUR_MS + HOUR_MS;
	return { slotMs: PERIODS[period].slotMs, unitMs: HOUR_MS, from: until - PERIODS[period].lengthMs, until };
}

/** A period whose buckets begin with a unit. */
type Divided = { slotMs: number; unitMs: number; from: number; until: number };

export type Bucket = { from: number; attempts: number; delivered: number; failed: number; p50: number | null; p95: number | null };

/** Sums slots up in buckets of about the same length. Each begins with a unit, so no slot is split. */
export function bucketsOf({ unitMs, from, until }: Divided, count: number, slots: readonly Slot[]): Bucket[] {
	const beginOf = (index: number) => from + Math.round((index * (until - from)) / count / unitMs) * unitMs;
	return Array.from({ length: count }, (_, index) => {
		const [begin, end] = [beginOf(index), beginOf(index + 1)];
		const own = sumOf(slots.filter(({ start }) => start >= begin && start < end));
		const { attempts, delivered, failed, latencies } = own;
		return { from: begin, attempts, delivered, failed, p50: percentile(latencies, 0.5), p95: percentile(latencies, 0.95) };
	});
}

export function sumOf(slots: readonly Slot[]): Omit<Slot, "start"> {
	const sum = { attempts: 0, delivered: 0, failed: 0, latencies: {} as Record<string, number> };
	for (const { attempts, delivered, failed, latencies } of slots) {
		sum.attempts += attempts;
		sum.delivered += delivered;
		sum.failed += failed;
		for (const [latency, times] of Object.entries(latencies)) sum.latencies[latency] = (sum.latencies[latency] ?? 0) + times;
	}
	return sum;
}

/** Up to here each millisecond is a class of its own; beyond, a class reaches 10 % further than the one before. */
const EXACT_MS = 20;
const GROWTH = 1.1;

export function latencyClass(ms: number): number {
	return ms <= EXACT_MS ? ms : EXACT_MS + Math.ceil(Math.log(ms / EXACT_MS) / Math.log(GROWTH));
}

/** A latency that differs by 5 % at most from all of its class. */
const latencyOf = (latency: number): number =>
	latency <= EXACT_MS ? latency : Math.round(EXACT_MS * GROWTH ** (latency - EXACT_MS - 0.5));

/** Null when nothing was answered. */
export function percentile(latencies: Latencies, share: number): number | null {
	const ascending = Object.entries(latencies)
		.map(([latency, times]) => [Number(latency), times] as const)
		.toSorted(([a], [b]) => a - b);
	const rank = Math.ceil(ascending.reduce((sum, [, times]) => sum + times, 0) * share);
	let seen = 0;
	for (const [latency, times] of ascending) {
		seen += times;
		if (seen >= rank) return latencyOf(latency);
	}
	return null;
}
