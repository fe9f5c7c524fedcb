// Records the ends of attempts in D1, and in the same commit claims what is due next.

import { atPresent } from "../../../runtime/making-services";
import type { JobServices } from "../../../runtime/services";
import type { Begun, Ended } from "../attempts/end.policy";
import { MAX_ATTEMPTS } from "../attempts/policy";
import { endAttempts } from "./attempt.store";
import { claimOf, type Taken, type Wanted } from "./claim.procedure";
import { type Target, targetsOf } from "./due.store";

const STORAGE_RETRIES_MS = [100, 400, 1_600];

/** For each attempt that ends, up to two begin: so a backlog that one message has started soon uses all that its endpoint permits. */
const NEXT_FOR_EACH = 2;

/** The deliveries that the commit claimed and left, and the deliveries that are due next at the endpoints of the ends. */
export type Recorded = Taken & { next: readonly Target[] };

const NOTHING: Recorded = { claimed: [], left: [], next: [] };

/** The most ends in one commit that may suspend their endpoint or warn of it: each of them needs statements of its own. */
const MOST_DECISIVE = 20;

const isDecisive = ([{ roundAttempts }, { outcome, responseStatus }]: [Begun, Ended]): boolean =>
	outcome !== "DELIVERED" && (roundAttempts >= MAX_ATTEMPTS || responseStatus === 410 || outcome === "BLOCKED_ADDRESS");

/** The ends that the next commit records: all, except decisive ends beyond the bound. */
export function portionOf<E extends [Begun, Ended]>(ends: readonly E[]): readonly E[] {
	const later = new Set(ends.filter(isDecisive).slice(MOST_DECISIVE));
	return ends.filter((end) => !later.has(end));
}

/**
 * Commits the ends of attempts together, or each on its own when that fails, so that one bad record does not affect the others. Safe
 * to repeat: an end is stored once. Never rejects; an attempt whose end cannot be stored becomes INTERRUPTED when its claim expires.
 *
 * @param wanted to be claimed in the same commit
 */
export async function recordEnds(services: JobServices, ends: readonly [Begun, Ended][], wanted?: Wanted): Promise<Recorded> {
	try {
		return await commit(services, ends, wanted);
	} catch (error) {
		services.log.error("outcomes of attempts could not be stored; retrying", error);
	}
	const alone = await Promise.all(ends.map((end) => recordAlone(services, end)));
	return { ...NOTHING, next: alone.flatMap(({ next }) => next) };
}

async function recordAlone(services: JobServices, end: [Begun, Ended]): Promise<Recorded> {
	for (const delayMs of STORAGE_RETRIES_MS) {
		try {
			await scheduler.wait(delayMs);
			return await commit(services, [end]);
		} catch (error) {
			const [{ id }, { outcome }] = end;
			services.log.error("the outcome of an attempt could not be stored", error, { delivery_id: id, outcome });
		}
	}
	return NOTHING;
}

async function commit(services: JobServices, ends: readonly [Begun, Ended][], wanted?: Wanted): Promise<Recorded> {
	const present = atPresent(services);
	const writes = endAttempts(present, ends);
	const byEndpoint = Map.groupBy(ends, ([{ webhookId }]) => webhookId);
	const limit = NEXT_FOR_EACH * Math.max(...[...byEndpoint.values()].map(({ length }) => length));
	const claiming = wanted && claimOf(present, wanted);
	const results = await present.db.commit([...writes, targetsOf(present, [...byEndpoint.keys()], limit), ...(claiming?.statements ?? [])]);
	const next = results[writes.length] as readonly Target[];
	if (!claiming) return { ...NOTHING, next };
	const taken = claiming.taken(results);
	const claimed = new Set(taken.claimed.map(({ id }) => id));
	return { ...taken, next: next.filter(({ id }) => !claimed.has(id)) };
}
