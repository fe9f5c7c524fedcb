// The quota of deliveries that an organization may hold, and what happens near it.

import { DAY_MS } from "../../../shared/time";

export type Held = { held: number; quota: number };

export const percentHeld = ({ held, quota }: Held): number => Math.floor((100 * held) / quota);

const NEARING_PERCENT = 80;
/** Room is made a little before deliveries would no longer be made, and somewhat more than is needed, so that none is missed meanwhile. */
const CROWDED_PERCENT = 95;
const ROOMY_PERCENT = 90;

/** How many finished deliveries have to go early. */
export function surplusOf({ held, quota }: Held): number {
	return percentHeld({ held, quota }) < CROWDED_PERCENT ? 0 : held - Math.floor((quota * ROOMY_PERCENT) / 100);
}

type Told = { nearingToldAt: number | null; reachedToldAt: number | null };
export type Notice = "NEARING" | "REACHED" | "EASED";

/** What its members are to be told: once that the quota nears, until it is far again, and once a day that it is reached. */
export function noticeOf({ held, quota, nearingToldAt, reachedToldAt }: Held & Told, now: number): Notice | undefined {
	if (held >= quota) return reachedToldAt === null || reachedToldAt <= now - DAY_MS ? "REACHED" : undefined;
	const percent = percentHeld({ held, quota });
	if (percent >= NEARING_PERCENT) return nearingToldAt === null ? "NEARING" : undefined;
	return percent < NEARING_PERCENT - 10 && (nearingToldAt !== null || reachedToldAt !== null) ? "EASED" : undefined;
}
