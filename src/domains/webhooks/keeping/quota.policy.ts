// The quota of deliveries that an organization may hold, and what happens near it.

import type { CrowdedState, StorageLevel } from "../../../shared/storage-levels";
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

/** Once it has neared, until so much less is used. */
const FAR_PERCENT = NEARING_PERCENT - 10;

/**
 * What somebody must look after: until when it nears its quota is as in the notices to members; `most` says that no other in its database
 * holds more.
 */
export function crowdedStateOf(
	{ most, state, ...held }: Held & { most: boolean; state: CrowdedState | null },
	level: StorageLevel,
): CrowdedState | null {
	if (level === "CLOSED") return "CLOSED";
	if (held.held >= held.quota) return "REACHED";
	const nears = state === "NEARING" || state === "REACHED" ? FAR_PERCENT : NEARING_PERCENT;
	if (percentHeld(held) >= nears) return "NEARING";
	return most && level !== "AMPLE" ? level : null;
}

type Notified = { nearingToldAt: number | null; reachedToldAt: number | null };
export type Notice = "NEARING" | "REACHED" | "EASED";

/** The notices to its members: once that the quota nears, until it is far again, and once a day that it is reached. */
export function noticeOf({ held, quota, nearingToldAt, reachedToldAt }: Held & Notified, now: number): Notice | undefined {
	if (held >= quota) return reachedToldAt === null || reachedToldAt <= now - DAY_MS ? "REACHED" : undefined;
	const percent = percentHeld({ held, quota });
	if (percent >= NEARING_PERCENT) return nearingToldAt === null ? "NEARING" : undefined;
	return percent < FAR_PERCENT && (nearingToldAt !== null || reachedToldAt !== null) ? "EASED" : undefined;
}
