// Shares one run's time among kinds of work: each takes a portion in turn, so that a long backlog or a slow provider of one kind
// holds up no other.

import { atPresent } from "../runtime/making-services";
import type { JobServices } from "../runtime/services";

/** A kind of work. `run` does one portion of it and says whether a further one may be waiting. */
export type Step = { name: string; run(services: JobServices): Promise<boolean> };

/** What a run may use. Every step gets its first portion, whatever the budget. */
export type Budget = { ms: number; trips: number };

/** How long the other steps wait for one portion. It goes on meanwhile, and its step takes no further one in this run. */
const PATIENCE_MS = 5_000;
/** How long a run waits at its end for portions that are still going on. What it leaves behind is due again later. */
const LAST_WAIT_MS = 20_000;

/** Returns how many kinds of work it has not come to the end of. */
export async function inTurns(steps: readonly Step[], services: JobServices, budget: Budget, patienceMs = PATIENCE_MS): Promise<number> {
	const { meter } = services.db;
	const until = Date.now() + budget.ms;
	const maxTrips = meter.trips + budget.trips;
	const goingOn = new Set<Promise<boolean>>();
	let waiting = steps;
	do {
		const more: Step[] = [];
		for (const step of waiting) {
			const portion = portionOf(step, services).finally(() => goingOn.delete(portion));
			goingOn.add(portion);
			if (await within(portion, patienceMs)) more.push(step);
		}
		waiting = more;
	} while (waiting.length > 0 && Date.now() < until && meter.trips < maxTrips);
	await within(Promise.all(goingOn), LAST_WAIT_MS);
	return waiting.length;
}

/** Never rejects: a step that fails is logged and stops no other. */
async function portionOf({ name, run }: Step, services: JobServices): Promise<boolean> {
	try {
		return await run(atPresent(services));
	} catch (error) {
		services.log.error("a step of due work failed", error, { step: name });
		return false;
	}
}

/** The result of the work, or undefined when it takes longer. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
	const late = Promise.withResolvers<undefined>();
	const timer = setTimeout(() => late.resolve(undefined), ms);
	return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
