// Records the ends of attempts in D1, and looks what is due next at the same endpoints.

import { atPresent } from "../../../runtime/making-services";
import type { JobServices } from "../../../runtime/services";
import type { Begun, Ended } from "../attempts/end.policy";
import { endAttempts } from "./attempt.store";
import { type Target, targetsOf } from "./claim.store";

const STORAGE_RETRIES_MS = [100, 400, 1_600];

/** For each attempt that ends, two take its place: so a backlog that one message has started soon uses all that its endpoint permits. */
const NEXT_FOR_EACH = 2;

/**
 * Commits the ends of attempts together, or each on its own when that fails, so that one bad record does not affect the others. Safe
 * to repeat: an end is stored once. Never rejects; an attempt whose end cannot be stored becomes INTERRUPTED when its claim expires.
 * Returns what is due next at their endpoints.
 */
export async function recordEnds(services: JobServices, ends: readonly [Begun, Ended][]): Promise<readonly Target[]> {
	try {
		return await commit(services, ends);
	} catch (error) {
		services.log.error("outcomes of attempts could not be stored; retrying", error);
	}
	return (await Promise.all(ends.map((end) => recordAlone(services, end)))).flat();
}

async function recordAlone(services: JobServices, end: [Begun, Ended]): Promise<readonly Target[]> {
	for (const delayMs of STORAGE_RETRIES_MS) {
		try {
			await scheduler.wait(delayMs);
			return await commit(services, [end]);
		} catch (error) {
			const [{ id }, { outcome }] = end;
			services.log.error("the outcome of an attempt could not be stored", error, { delivery_id: id, outcome });
		}
	}
	return [];
}

async function commit(services: JobServices, ends: readonly [Begun, Ended][]): Promise<readonly Target[]> {
	const present = atPresent(services);
	const writes = endAttempts(present, ends);
	const byEndpoint = Map.groupBy(ends, ([{ webhookId }]) => webhookId);
	const limit = NEXT_FOR_EACH * Math.max(...[...byEndpoint.values()].map(({ length }) => length));
	const results = await present.db.commit([...writes, targetsOf(present, [...byEndpoint.keys()], limit)]);
	return results.at(-1) as readonly Target[];
}
