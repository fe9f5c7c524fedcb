// Claims deliveries, in one round trip.

import type { JobServices } from "../../../runtime/services";
import { type Claimable, type Claimed, claiming, type LastResults, type Left } from "./claim.store";

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
	// What a batch takes along follows what it was claimed for.
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

/** Claims those of the deliveries that may be attempted now at these URLs. */
export async function claim(services: JobServices, wanted: Wanted): Promise<Taken> {
	const { statements, taken } = claimOf(services, wanted);
	return taken(await services.db.commit(statements));
}
