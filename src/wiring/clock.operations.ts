// The sandbox's clock. A call that moves it forward also does the work that falls due, before it answers. So half an hour of
// retries takes as many calls as there are attempts.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { guarded } from "../db/guards";
import { first } from "../db/reads";
import { dueEndpoints, openClaims } from "../domains/webhooks/deliveries/due.store";
import { DeliveryRun } from "../domains/webhooks/deliveries/engine.job";
import { endExpired } from "../domains/webhooks/deliveries/job";
import { alone, operator } from "../http/callers/access";
import { operation } from "../http/operation";
import { rememberOffset } from "../runtime/clock";
import { sandboxClock } from "../runtime/clock.table";
import { atInstant, atPresent, jobFrom } from "../runtime/making-services";
import type { JobServices } from "../runtime/services";
import { badInput } from "../shared/errors";
import { DAY_MS, parseDuration, toTimestamp } from "../shared/time";
import { dueWork } from "./due-work";
import { type Budget, inTurns } from "./turns";

const MAX_ADVANCE_MS = 366 * DAY_MS;
const POLL_MS = 50;
// Cloudflare allows an invocation a thousand queries: the cron does what a jump leaves undone.
const DUE_WORK = { local: { ms: 60_000, trips: 10_000 }, sandbox: { ms: 20_000, trips: 200 } } satisfies Record<string, Budget>;

const Clock = z.object({ now: z.iso.datetime() });

export const getClock = operation({
	id: "getClock",
	method: "GET",
	path: "/v1/sandbox/clock",
	summary: "The service's clock",
	access: operator,
	home: "directory",
	only: ["local", "sandbox"],
	request: {},
	response: Clock,
	errors: ["NOT_FOUND"],
	async handle(_, { now }) {
		return { now: toTimestamp(now) };
	},
});

export const advanceClock = operation({
	id: "advanceClock",
	method: "POST",
	path: "/v1/sandbox/clock",
	summary: "Move the service's clock forward and do the work that has fallen due",
	description: "Waits until open attempts end, then makes one attempt of each delivery that is due, in due order.",
	access: alone(operator),
	home: "directory",
	only: ["local", "sandbox"],
	request: {
		body: z.strictObject({
			advance: z
				.string()
				.max(64)
				.meta({ format: "duration", description: "ISO 8601 duration up to P366D", examples: ["PT30M"] }),
		}),
	},
	response: Clock,
	errors: ["NOT_FOUND"],
	async handle({ body }, services) {
		const byMs = parseDuration(body.advance, services.now);
		if (byMs === undefined) throw badInput("advance", "must be a positive ISO 8601 duration", "INVALID_FORMAT");
		if (byMs > MAX_ADVANCE_MS) throw badInput("advance", "must be at most P366D", "OUT_OF_RANGE");
		const { db } = services;
		const jobs = jobFrom(services);
		await db.runDeferredCheck();
		for (const here of jobs.everywhere()) await claimsEnded(here);

		const row = await db.read(first(db.orm.select().from(sandboxClock)));
		const seen = row?.offsetMs ?? 0;
		const offsetMs = seen + byMs;
		const present = atPresent(jobs);
		const moved = atInstant(present, present.realNow + offsetMs, present.realNow);
		const output = await services.commit(
			[
				guarded(
					db.orm
						.insert(sandboxClock)
						.values({ id: 1, offsetMs })
						.onConflictDoUpdate({ target: sandboxClock.id, set: { offsetMs }, setWhere: eq(sandboxClock.offsetMs, seen) }),
				),
			],
			{ now: toTimestamp(moved.now) },
		);
		rememberOffset(offsetMs);
		await doDueWork(moved);
		return output;
	},
});

async function doDueWork(services: JobServices): Promise<void> {
	for (const here of services.everywhere()) await doDueWorkIn(here);
}

async function doDueWorkIn(services: JobServices): Promise<void> {
	await inTurns(dueWork, services, services.config.ENVIRONMENT === "local" ? DUE_WORK.local : DUE_WORK.sandbox);
	const attempted = new Set<string>();
	for (;;) {
		const present = atPresent(services);
		const due = await present.db.read(dueEndpoints(present));
		const next = due.filter(({ id }) => !attempted.has(id));
		// The queues may have claimed some of them first. Their attempts are waited for too, and may leave further work due.
		if (next.length === 0 && !(await claimsEnded(services))) return;
		for (const { id } of next) attempted.add(id);
		const run = new DeliveryRun(services);
		await run.take(next);
		await run.ended();
	}
}

/** Waits until no attempt is in flight: each has ended, or its claim has expired. Returns whether there was one. */
async function claimsEnded(services: JobServices): Promise<boolean> {
	for (let waited = false; ; waited = true) {
		const open = await services.db.read(first(openClaims(services)));
		if (open?.until == null) return waited;
		if (open.until <= Date.now()) await endExpired(services);
		else await scheduler.wait(Math.min(POLL_MS, open.until - Date.now()));
	}
}
