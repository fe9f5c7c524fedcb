// Claims deliveries, in one round trip.

import type { JobServices } from "../../../runtime/services";
import { type Claimable, type Claimed, claiming, type LastResults, type Left } from "./claim.store";
import { MOST_READ, type Target, targetsOf } from "./due.store";

let ownProcess: string | undefined;
/** Marks the claims of this process. Made at the first use, because workerd has no random numbers before the first request. */
export function processId(): string {
	ownProcess ??= crypto.randomUUID();
	return ownProcess;
}

export type Wanted<T = Claimable> = {
	/** The first in turn first. */
	targets: readonly T[];
	/** Those whose names have been looked up. */
	urls: readonly string[];
	/** How many may be claimed. */
	most: number;
};

export type Taken = { claimed: readonly Claimed[]; left: readonly Left[] };

/** The statements that claim, for a commit of the caller's; `taken` makes of the results of the last two what was claimed and left. */
export function claimOf(services: JobServices, wanted: Wanted) {
	const token = `${processId()}:${crypto.randomUUID()}`;
	const statements = claiming(services, { ...wanted, token });
	const turn = new Map(wanted.targets.map(({ id }, index) => [id, index]));
	// A batch takes along deliveries of the endpoint for which it was claimed.
	const turnOf = ({ id }: { id: string }) => turn.get(id) ?? turn.size;
	const taken = (results: readonly unknown[]): Taken => {
		const [claimed, left] = results.slice(-2) as unknown as LastResults;
		return {
			claimed: claimed.map((row) => ({ ...row, keys: JSON.parse(row.keys) })).toSorted((a, b) => turnOf(a) - turnOf(b)),
			left: left.toSorted((a, b) => turnOf(a) - turnOf(b)),
		};
	};
	return { statements, taken };
}

/** How many are looked for at an endpoint in addition to those to be claimed: more are a backlog, which the ends of attempts take up. */
const LOOKED_FOR = 20;

/**
 * Claims those of the deliveries that may be attempted now at these URLs. What has become due at their endpoints since they were read may
 * have no message, because it counts on the run that claims them: it comes back as left, unless it is known.
 */
export async function claim(services: JobServices, wanted: Wanted, isKnown: (id: string) => boolean = () => false): Promise<Taken> {
	const { statements, taken } = claimOf(services, wanted);
	const at = Map.groupBy(wanted.targets, ({ webhookId }) => webhookId);
	const most = Math.min(Math.max(...[...at.values()].map(({ length }) => length)) + LOOKED_FOR, MOST_READ);
	const results = await services.db.commit([targetsOf(services, [...at.keys()], most), ...statements]);
	const { claimed, left } = taken(results);
	const seen = new Set([...wanted.targets, ...claimed].map(({ id }) => id));
	const due = Map.groupBy(results[0] as readonly Target[], ({ webhookId }) => webhookId);
	const come = [...due.values()].flatMap((some) => (some.length < most ? some.filter(({ id }) => !seen.has(id) && !isKnown(id)) : []));
	return { claimed, left: [...left, ...come.map((target) => ({ ...target, waitMs: 0 }))] };
}
