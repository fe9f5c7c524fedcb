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
	/** In the order of their turns. */
	targets: readonly T[];
	/** The URLs whose host names have been looked up: deliveries are claimed only there. */
	urls: readonly string[];
	/** How many may be claimed. */
	most: number;
};

export type Taken = { claimed: readonly Claimed[]; left: readonly Left[] };

/** The statements that claim, as the last of the caller's commit. `taken` reads from the commit's results what was claimed and left. */
export function claimOf(services: JobServices, wanted: Wanted) {
	const token = `${processId()}:${crypto.randomUUID()}`;
	const statements = claiming(services, { ...wanted, token });
	const turn = new Map(wanted.targets.map(({ id }, index) => [id, index]));
	// A batch also carries deliveries of its endpoint that are not among the targets: they come last.
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

/** How many more due deliveries than its targets a claim reads at an endpoint: more are a backlog, which the run claims with the ends. */
const LOOKED_FOR = 20;

/**
 * Claims those of the deliveries that may be attempted now at these URLs. A delivery that has become due at their endpoints since may have
 * no message, because it counts on this run: the claim returns it as left, unless the run knows it.
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
