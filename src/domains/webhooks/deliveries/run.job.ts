// Runs attempts: looks names up, claims, sends, records the ends, and goes on with what is due next at the same endpoints. So one message
// is enough to start an endpoint's backlog, and no delivery beyond `max_in_flight` needs a message of its own.

import { atPresent } from "../../../runtime/making-services";
import { type Lane, LOOKUP_CONNECTIONS } from "../../../runtime/ports";
import type { JobServices } from "../../../runtime/services";
import type { Begun, Ended } from "../attempts/end.policy";
import { SLOW_MS } from "../attempts/policy";
import { attemptOnce, type Judged, judge } from "./attempt.job";
import { claim } from "./claim.procedure";
import { type Claimed, type Target, targetsAmong } from "./claim.store";
import { recordEnds } from "./ends.job";

/** Cloudflare allows six open connections in an invocation: four attempts, and the two of a look-up. The local runtime has no bound. */
const ATTEMPTS_AT_ONCE = 6 - LOOKUP_CONNECTIONS;
const ATTEMPTS_AT_ONCE_LOCALLY = 200;

/**
 * How long an end waits for others before it is recorded. A commit takes as long for twenty ends as for one, and nobody waits for an
 * end: the receiver has answered.
 */
const GATHERED_MS = 15;

export type RunOptions = {
	/** Leaves out endpoints of the other lane, which get a message there. Both lanes when absent. */
	lane?: Lane | undefined;
	/** Until when it goes on with what is due next, in real time; after that, messages do. */
	until?: number | undefined;
};

export class DeliveryRun {
	readonly #services: JobServices;
	readonly #options: RunOptions;
	readonly #atOnce: number;
	/** Attempts that have begun and not ended. */
	readonly #underWay = new Set<Promise<unknown>>();
	/** All that this run still does; and the same without attempts that have turned out slow. */
	readonly #work = new Set<Promise<void>>();
	readonly #quickWork = new Set<Promise<void>>();
	#waiting: Target[] = [];
	#claiming: Promise<void> | undefined;
	#ends: [Begun, Ended][] = [];
	#recording: Promise<void> | undefined;
	#closed = false;

	constructor(services: JobServices, options: RunOptions = {}) {
		this.#services = services;
		this.#options = options;
		this.#atOnce = services.config.ENVIRONMENT === "local" ? ATTEMPTS_AT_ONCE_LOCALLY : ATTEMPTS_AT_ONCE;
	}

	/** Attempts those of the deliveries that are due. Resolves when all that can be claimed are; rejects when a claim fails. */
	async start(ids: readonly string[]): Promise<void> {
		const services = atPresent(this.#services);
		const [targets] = await services.db.read(targetsAmong(services, ids));
		await this.take([...new Map(targets.map((target) => [target.id, target])).values()]);
	}

	/** Attempts these. Resolves when all that can be claimed are; rejects when a claim fails. */
	async take(targets: readonly Target[]): Promise<void> {
		const elsewhere = targets.filter((target) => this.#options.lane === "QUICK" && target.lane === "SLOW");
		if (elsewhere.length > 0) await this.#services.queue.poke(elsewhere);
		this.#waiting.push(...targets.filter((target) => !elsewhere.includes(target)));
		if (this.#waiting.length > 0) this.#claiming ??= this.#claimAll();
		await this.#claiming;
	}

	/** Resolves when nothing is left to do. */
	async ended(): Promise<void> {
		while (this.#work.size > 0) await Promise.allSettled(this.#work);
	}

	/** Resolves when nothing is left to do but attempts that have turned out slow. They end later, and messages do what is due after them. */
	async endedOrSlow(): Promise<void> {
		while (this.#quickWork.size > 0) await Promise.allSettled(this.#quickWork);
		this.#closed = true;
	}

	/** Tracks work that nobody awaits. */
	#track(work: Promise<void>, quick = work): void {
		const tracked = work.catch((error: unknown) => this.#services.log.error("due deliveries are left to the sweep", error));
		this.#work.add(tracked);
		void tracked.then(() => this.#work.delete(tracked));
		const soon = Promise.race([quick, tracked]).catch(() => {});
		this.#quickWork.add(soon);
		void soon.then(() => this.#quickWork.delete(soon));
	}

	async #claimAll(): Promise<void> {
		try {
			while (this.#waiting.length > 0) {
				if (await this.#slotIsFree()) await this.#claimSome(this.#waiting.splice(0, this.#atOnce - this.#underWay.size));
				// All slots are taken by endpoints that have turned out slow. They must not hold up the others.
				else await this.#services.queue.poke(this.#waiting.splice(0));
			}
		} finally {
			// After a failure the rest is left to the messages, which are retried, and to the sweep.
			this.#waiting = [];
			this.#claiming = undefined;
		}
	}

	async #claimSome(targets: readonly Target[]): Promise<void> {
		const judged = await this.#judgeAll(new Set(targets.map(({ url }) => url)));
		const { claimed, left } = await claim(atPresent(this.#services), { targets, urls: [...judged.keys()] });
		for (const attempt of claimed) this.#begin(attempt, judged.get(attempt.url));
		if (left.length > 0) this.#track(this.#comeBack(left));
	}

	async #slotIsFree(): Promise<boolean> {
		if (this.#underWay.size < this.#atOnce) return true;
		const slow = Symbol();
		const first = await Promise.race([...this.#underWay, scheduler.wait(SLOW_MS).then(() => slow)]);
		return first !== slow;
	}

	/** Each name once, and no more look-ups at a time than there are connections left. */
	async #judgeAll(urls: ReadonlySet<string>): Promise<Map<string, Judged>> {
		const judged = new Map<string, Judged>();
		const remaining = [...urls];
		const free = this.#atOnce + LOOKUP_CONNECTIONS - this.#underWay.size;
		const lookUp = async () => {
			for (let url = remaining.shift(); url !== undefined; url = remaining.shift()) judged.set(url, await judge(this.#services, url));
		};
		await Promise.all(Array.from({ length: Math.max(1, Math.floor(free / LOOKUP_CONNECTIONS)) }, lookUp));
		return judged;
	}

	#begin(attempt: Claimed, judged: Judged | undefined): void {
		if (!judged) throw new Error("a delivery was claimed at a URL that nobody has looked up");
		const slow = Promise.withResolvers<void>();
		const attempted = attemptOnce(this.#services, attempt, judged, slow.resolve).then((ended) => {
			this.#underWay.delete(attempted);
			return ended;
		});
		this.#underWay.add(attempted);
		this.#track(
			attempted.then((ended) => ended && this.#record(attempt, ended)),
			slow.promise,
		);
	}

	/** What was left at a URL that has changed is looked up again; what exceeds its endpoint's rate waits until more is permitted. */
	async #comeBack(left: readonly (Target & { waitMs: number })[]): Promise<void> {
		for (const [waitMs, targets] of Map.groupBy(left, (target) => target.waitMs)) {
			if (waitMs === 0 || !this.#goesOn) {
				// One message for an endpoint is enough: the end of its attempt takes the next.
				const firsts = [...Map.groupBy(targets, ({ webhookId }) => webhookId).values()].flatMap((own) => own.slice(0, 1));
				await this.#services.queue.poke((waitMs === 0 ? targets : firsts).map((target) => ({ ...target, delaySeconds: waitMs / 1000 })));
				continue;
			}
			await scheduler.wait(waitMs);
			await this.take(targets);
		}
	}

	get #goesOn(): boolean {
		return !this.#closed && Date.now() < (this.#options.until ?? Number.POSITIVE_INFINITY);
	}

	/** Ends that come within a moment, or while others are being recorded, share a commit. */
	async #record(attempt: Begun, ended: Ended): Promise<void> {
		this.#ends.push([attempt, ended]);
		this.#recording ??= this.#recordAll();
		await this.#recording;
	}

	async #recordAll(): Promise<void> {
		while (this.#ends.length > 0) {
			await scheduler.wait(GATHERED_MS);
			const next = await recordEnds(this.#services, this.#ends.splice(0));
			if (next.length > 0) this.#track(this.#goOn(next));
		}
		this.#recording = undefined;
	}

	async #goOn(next: readonly Target[]): Promise<void> {
		if (this.#goesOn) await this.take(next);
		else await this.#services.queue.poke(next);
	}
}
