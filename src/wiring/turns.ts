// Shares one run's time among kinds of work: each takes a portion in turn, so that a long backlog or a slow provider of one kind
// holds up no other. All begin at once, and what they read first is one round trip: where nothing is due, it is the only one.

import type { Database } from "../db/database";
import { Entrance, type Handed } from "../db/entrance";
import { atPresent, jobServices } from "../runtime/making-services";
import type { JobServices } from "../runtime/services";

/** A kind of work. `run` does one portion of it and says whether a further one may be waiting. */
export type Step = { name: string; run(services: JobServices): Promise<boolean> };

/** What a run may use. Every step gets its first portion, under any budget. */
export type Budget = { ms: number; trips: number };

/** How long the other steps wait for one portion. It continues meanwhile, and its step takes no further one in this run. */
const PATIENCE_MS = 5_000;
/** How long a run waits at its end for portions that are still going on. The rest is due again later. */
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
		for await (const { step, portion } of lineUp(waiting, services, patienceMs)) {
			const going = portion.finally(() => goingOn.delete(going));
			goingOn.add(going);
			if (await within(going, patienceMs)) more.push(step);
		}
		waiting = more;
		// Where database and Worker share a thread, as on one machine, a chain of their calls lets no request in by itself.
		if (waiting.length > 0) await scheduler.wait(0);
	} while (waiting.length > 0 && Date.now() < until && meter.trips < maxTrips);
	await within(Promise.all(goingOn), LAST_WAIT_MS);
	return waiting.length;
}

/** A step that has begun and waits for its turn. */
type Begun = { readonly step: Step; readonly entrance: Entrance; readonly portion: Promise<boolean> };

function begin(step: Step, services: JobServices): Begun {
	const entrance = new Entrance();
	const databases = services.databases.behind(entrance, services.home);
	return { step, entrance, portion: portionOf(step, jobServices(services, databases, services.home)) };
}

/**
 * Begins all steps and lets them in one after the other. Their joint read counts until one of them goes to the database again:
 * then those that still wait begin again, at the present time. A step that waited in vain is left to the garbage collector.
 */
async function* lineUp(steps: readonly Step[], services: JobServices, patienceMs: number): AsyncGenerator<Begun> {
	const { db } = services;
	let line: readonly Begun[] = steps.map((step) => begin(step, services));
	let handed = await readTogether(line, db, patienceMs);
	let { trips } = db.meter;
	while (line.length > 0) {
		if (!handed) break;
		if (db.meter.trips !== trips && line.some(isWaiting)) {
			line = line.map((begun) => (isWaiting(begun) ? begin(begun.step, services) : begun));
			handed = await readTogether(line, db, patienceMs);
			({ trips } = db.meter);
			continue;
		}
		const [first, ...others] = line;
		line = others;
		if (!first) break;
		first.entrance.open(handed.get(first));
		yield first;
	}
	for (const begun of line) {
		const alone = isWaiting(begun) ? begin(begun.step, services) : begun;
		alone.entrance.open();
		yield alone;
	}
}

const isWaiting = ({ entrance }: Begun): boolean => entrance.isWaiting;

/** Reads for all that wait what they read first. Undefined where that fails: then each reads by itself, so that only the one at fault fails. */
async function readTogether(line: readonly Begun[], db: Database, patienceMs: number): Promise<Map<Begun, Handed> | undefined> {
	await within(Promise.all(line.map(({ entrance, portion }) => Promise.race([entrance.reached, portion]))), patienceMs);
	const asking = line.filter(({ entrance }) => entrance.isWaiting && entrance.asks.length > 0);
	if (asking.length === 0) return new Map();
	try {
		const handed = await db.readTogether(asking.map(({ entrance }) => entrance.asks));
		return new Map(asking.flatMap((begun, index) => (handed[index] ? [[begun, handed[index]]] : [])));
	} catch {
		return undefined;
	}
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
