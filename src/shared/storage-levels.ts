// How full a database is. Deliveries take most of the space, and must never take that of the ledger in the same database.

export const STORAGE_LEVELS = ["AMPLE", "FILLING", "SHORT", "CLOSED"] as const;
/** FILLING is reported; SHORT keeps finished deliveries for a week at most; CLOSED for a day, and makes no new ones. */
export type StorageLevel = (typeof STORAGE_LEVELS)[number];

/**
 * Why an organization needs attention for its deliveries: it nears its quota, or has reached it; its database makes no deliveries (CLOSED),
 * or fills up, and the organization is the one with the most (FILLING, SHORT).
 */
export const CROWDED_STATES = ["NEARING", "REACHED", "FILLING", "SHORT", "CLOSED"] as const;
export type CrowdedState = (typeof CROWDED_STATES)[number];

const FROM_PERCENT: Readonly<Record<StorageLevel, number>> = { AMPLE: 0, FILLING: 80, SHORT: 90, CLOSED: 95 };

export const percentOf = (bytes: number, most: number): number => Math.floor((100 * bytes) / most);

export const levelOf = (bytes: number, most: number): StorageLevel =>
	STORAGE_LEVELS.findLast((level) => percentOf(bytes, most) >= FROM_PERCENT[level]) ?? "AMPLE";
