// Runs attempts: looks names up, claims, sends, records the ends, and goes on with what is due next at the same endpoints. Deliveries are
// claimed ahead of the connections on which they are sent, and in the commit that records ends, so that a batch takes few round trips.

import { isBounded } from "../../../runtime/connections";
import { atPresent } from "../../../runtime/making-services";
import type { Lane } from "../../../runtime/ports";
import type { JobServices } from "../../../runtime/services";
import type { Begun, Ended } from "../attempts/end.policy";
import { Tally } from "../attempts/tally.policy";
import { wakeLater } from "../wake.store";
import { attemptOnce } from "./attempt.job";
import { claim, type Wanted } from "./claim.procedure";
import type { Claimed, Left } from "./claim.store";
import { type Target, targetsOf } from "./due.store";
import { recordEnds, takePortion } from "./ends.job";
import { giveBack } from "./give-back.store";
import type { Sending } from "./sending.policy";
import { LINGERS_MS, lingersAfterMs, outlastsBackground, Turns } from "./turns.job";
import { inTurns } from "./turns.policy";
import { Verdicts } from "./verdicts.job";

/** Deliveries that a run holds claimed: as many as begin within three seconds where receivers answer in half a second. */
const CLAIMED_AT_ONCE = 20;
const CLAIMED_AT_ONCE_LOCALLY = 200;

/**
 * How long ends wait for others before they are recorded: a commit takes as long for twenty as for one, and nobody waits for an end, because
 * the receiver has answered. Where few attempts are made at once they end one by one, so it is longer there.
 */
const GATHERED_MS = 200;
const GATHERED_LOCALLY_MS = 15;
const ENDS_ENOUGH = 10;

export type RunOptions = {
	/** Leaves out endpoints of the other lane, which get a message there. Both lanes when absent. */
	lane?: Lane | undefined;
	/** Until when it goes on with what is due next, in real time; after that, messages do. */
	until?: number | undefined;
	/** How many deliveries it holds claimed at most, where others wait behind it. */
	most?: number | undefined;
	/** Whether other runs of the invocation are for other organizations. */
	shares?: boolean | undefined;
};

export class DeliveryRun {
	readonly #services: JobServices;
	readonly #options: RunOptions;
	readonly #local: boolean;
	/** All that this run does; and the same without what lingers. */
	readonly #work = new Set<Promise<void>>();
	readonly #quickWork = new Set<Promise<void>>();
	readonly #verdicts = new Verdicts();
	/** To be claimed: now, or with the next end at their endpoint, which has as many in flight as it permits. */
	readonly #waiting = new Map<string, Target>();
	readonly #reserve = new Map<string, Target>();
	readonly #turns: Turns;
	/** How many the claims that are being made may return. */
	#promised = 0;
	#claiming: Promise<void> | undefined;
	#beginning: Promise<void> | undefined;
	#ends: [Begun, Ended][] = [];
	#recording: Promise<void> | undefined;
	readonly #tally = new Tally();
	#closed = false;

	constructor(services: JobServices, options: RunOptions = {}) {
		this.#services = services;
		this.#options = options;
		this.#local = !isBounded(services.config);
		this.#turns = new Turns(services.connections, options.shares ?? false);
	}

	/** Attempts what is due at the endpoints. Resolves when all that can be claimed are; rejects when a claim fails. */
	async start(webhookIds: readonly string[]): Promise<void> {
		const services = atPresent(this.#services);
		const [targets] = await services.db.read(targetsOf(services, webhookIds, Math.ceil((2 * this.#atOnce) / webhookIds.length)));
		const found = new Set(targets.map(({ webhookId }) => webhookId));
		const idle = webhookIds.filter((id) => !found.has(id));
		// The message may have come for a delivery that another run was quicker to take: the next one has no message yet.
		if (idle.length > 0) this.#track(services.db.commit([wakeLater(this.#services, idle)]));
		await this.take(targets);
	}

	/** Attempts these. Resolves when all that can be claimed are; rejects when a claim fails. */
	async take(targets: readonly Target[]): Promise<void> {
		const elsewhere = targets.filter((target) => this.#options.lane === "QUICK" && target.lane === "SLOW");
		await this.#wake(elsewhere);
		for (const target of targets) if (!elsewhere.includes(target)) this.#waiting.set(target.id, target);
		if (this.#waiting.size > 0) this.#claiming ??= this.#claimAll();
		await this.#claiming;
	}

	/** Resolves when nothing is left to do. */
	async ended(): Promise<void> {
		while (this.#work.size > 0) await Promise.allSettled(this.#work);
		for (const counted of this.#tally.take()) this.#services.providers.metrics?.record({ kind: "attempts", ...counted });
	}

	/** Resolves when nothing is left to do but what lingers. That may end in the background; messages do what is due after it. */
	async endedOrLingering(): Promise<void> {
		while (this.#quickWork.size > 0) await Promise.allSettled(this.#quickWork);
		this.#closed = true;
		this.#giveBack(this.#turns.without(({ first }) => outlastsBackground(first.timeoutMs)));
	}

	get #atOnce(): number {
		return Math.min(this.#local ? CLAIMED_AT_ONCE_LOCALLY : CLAIMED_AT_ONCE, this.#options.most ?? Number.POSITIVE_INFINITY);
	}

	get #room(): number {
		return this.#atOnce - this.#turns.waiting - this.#turns.underWay - this.#promised;
	}

	get #goesOn(): boolean {
		return !this.#closed && Date.now() < (this.#options.until ?? Number.POSITIVE_INFINITY);
	}

	/** Tracks work that nobody awaits. */
	#track(work: Promise<unknown>, quick = work): void {
		const tracked = work.then(
			() => {},
			(error: unknown) => this.#services.log.error("due deliveries are left to the sweep", error),
		);
		this.#work.add(tracked);
		void tracked.then(() => this.#work.delete(tracked));
		const soon = Promise.race([quick, tracked]).then(
			() => {},
			() => {},
		);
		this.#quickWork.add(soon);
		void soon.then(() => this.#quickWork.delete(soon));
	}

	/** One message for each of the endpoints. */
	async #wake(targets: readonly Pick<Target, "webhookId" | "lane">[], waitMs = 0): Promise<void> {
		const endpoints = [...new Map(targets.map((target) => [target.webhookId, target])).values()];
		if (endpoints.length > 0)
			await this.#services.queue.poke(endpoints.map(({ webhookId, lane }) => ({ webhookId, lane, delaySeconds: waitMs / 1000 })));
	}

	async #claimAll(): Promise<void> {
		try {
			while (this.#waiting.size > 0) {
				// What is claimed comes first. If it cannot begin, receivers that linger hold the connections, and must not hold up the others.
				if (!(await this.#haveBegun())) await this.#wake(this.#drawn(({ organizationId }) => !this.#turns.isOpenTo(organizationId)));
				if (this.#waiting.size > 0) await this.#claimSome();
			}
		} finally {
			// After a failure the rest is left to the messages, which are retried, and to the sweep.
			this.#waiting.clear();
			this.#claiming = undefined;
		}
	}

	async #claimSome(): Promise<void> {
		const drawn = this.#drawn(() => true);
		await this.#verdicts.lookUp(
			this.#services,
			drawn.map(({ url }) => url),
		);
		const wanted = this.#wanted(drawn);
		this.#promised += wanted.most;
		try {
			this.#accept(wanted, await claim(atPresent(this.#services), wanted));
		} finally {
			this.#promised -= wanted.most;
		}
	}

	/** Takes from those that wait. */
	#drawn(which: (target: Target) => boolean): Target[] {
		const drawn = [...this.#waiting.values()].filter(which);
		for (const { id } of drawn) this.#waiting.delete(id);
		return drawn;
	}

	#wanted(targets: readonly Target[]): Wanted<Target> {
		const urls = [...new Set(targets.map(({ url }) => url))].filter((url) => this.#verdicts.isKnown(url));
		return { targets: inTurns(targets), urls, most: Math.max(1, this.#room) };
	}

	/** What a claim has led to: attempts begin, and what was left comes back. */
	#accept({ targets, urls }: Wanted<Target>, { claimed, left }: { claimed: readonly Claimed[]; left: readonly Left[] }): void {
		this.#turns.add(claimed);
		const done = new Set([...claimed, ...left].map(({ id }) => id));
		for (const target of targets) if (!done.has(target.id)) this.#reserve.set(target.id, target);
		const onlyLackedRoom = ({ waitMs, url }: Left) => waitMs === 0 && urls.includes(url) && this.#goesOn;
		for (const one of left) if (onlyLackedRoom(one)) this.#waiting.set(one.id, one);
		const others = left.filter((one) => !onlyLackedRoom(one));
		if (others.length > 0) this.#track(this.#comeBack(others));
		if (this.#turns.waiting > 0) this.#track(this.#beginAll(), scheduler.wait(LINGERS_MS));
	}

	/** Begins what is claimed, as connections become free; what cannot is given back. */
	#beginAll(): Promise<void> {
		this.#beginning ??= this.#beginReady().finally(() => {
			this.#beginning = undefined;
		});
		return this.#beginning;
	}

	async #beginReady(): Promise<void> {
		while (this.#turns.waiting > 0) {
			const next = await this.#turns.next();
			this.#giveBack(this.#turns.without(({ beginsBy }) => next === undefined || beginsBy < Date.now()));
			if (next) this.#begin(next);
		}
	}

	/** Whether all that is claimed has begun, without waiting for receivers that linger. */
	async #haveBegun(): Promise<boolean> {
		for (let before = Number.POSITIVE_INFINITY; this.#turns.waiting > 0 && this.#turns.waiting < before; ) {
			before = this.#turns.waiting;
			await Promise.race([this.#beginAll(), scheduler.wait(LINGERS_MS)]);
		}
		return this.#turns.waiting === 0;
	}

	#giveBack(claimed: readonly Claimed[]): void {
		if (claimed.length === 0) return;
		const given = this.#services.db.commit(giveBack(claimed));
		this.#track(given.then(() => this.#wake(claimed.map(({ webhookId, isSlow }) => ({ webhookId, lane: isSlow ? "SLOW" : "QUICK" })))));
	}

	#begin(sending: Sending<Claimed>): void {
		const startedAt = atPresent(this.#services).now;
		const answered = attemptOnce(this.#services, sending, this.#verdicts.on(sending.first.url));
		const recorded = answered.then((ends) => {
			this.#turns.ended(sending);
			return this.#record(ends.map(([attempt, ended]): [Begun, Ended] => [attempt, { ...ended, startedAt }]));
		});
		// Where nothing is claimed with the ends, nobody waits until they are recorded.
		const quick = this.#goesOn ? recorded : answered;
		const lingers = scheduler.wait(lingersAfterMs(sending.first.timeoutMs));
		this.#track(recorded, Promise.race([quick, lingers]));
	}

	/** What was left at a URL that has changed is looked up again; what exceeds its endpoint's rate waits until more is permitted. */
	async #comeBack(left: readonly Left[]): Promise<void> {
		for (const [waitMs, targets] of Map.groupBy(left, (target) => target.waitMs)) {
			if (waitMs === 0 || !this.#goesOn) await this.#wake(targets, waitMs);
			else await scheduler.wait(waitMs).then(() => this.take(targets));
		}
	}

	/** Ends that come within a moment, or while others are being recorded, share a commit. */
	async #record(ends: readonly [Begun, Ended][]): Promise<void> {
		for (const [, ended] of ends) this.#tally.add(ended);
		this.#ends.push(...ends);
		this.#recording ??= this.#recordAll();
		await this.#recording;
	}

	async #gathered(): Promise<void> {
		const until = Date.now() + (this.#local ? GATHERED_LOCALLY_MS : GATHERED_MS);
		do await scheduler.wait(GATHERED_LOCALLY_MS);
		while (Date.now() < until && this.#ends.length < ENDS_ENOUGH && this.#room < this.#atOnce);
	}

	async #recordAll(): Promise<void> {
		while (this.#ends.length > 0) {
			await this.#gathered();
			const ends = takePortion(this.#ends);
			const wanted = this.#wantedWith(ends);
			this.#promised += wanted?.most ?? 0;
			const recorded = await recordEnds(this.#services, ends, wanted);
			this.#promised -= wanted?.most ?? 0;
			if (wanted) this.#accept(wanted, recorded);
			this.#goOn(ends, recorded);
		}
		this.#recording = undefined;
	}

	/** What the commit of these ends may claim: what waits, and the reserve of their endpoints, at URLs that were looked up just now. */
	#wantedWith(ends: readonly [Begun, Ended][]): Wanted<Target> | undefined {
		if (!this.#goesOn || this.#room <= 0) return undefined;
		const ended = new Set(ends.map(([{ webhookId }]) => webhookId));
		const reserve = [...this.#reserve.values()].filter(({ webhookId, url }) => ended.has(webhookId) && this.#verdicts.isKnown(url));
		for (const { id } of reserve) this.#reserve.delete(id);
		const targets = [...this.#drawn(({ url }) => this.#verdicts.isKnown(url)), ...reserve];
		return targets.length === 0 ? undefined : this.#wanted(targets);
	}

	/** Where an endpoint permits more than was claimed with its ends, what is due there is claimed now, else with the next end. */
	#goOn(ends: readonly [Begun, Ended][], { claimed, left, next }: Awaited<ReturnType<typeof recordEnds>>): void {
		if (!this.#goesOn) {
			this.#track(this.#wake(next));
			return;
		}
		const handled = new Set(left.map(({ webhookId }) => webhookId));
		const permitted = (at: string) =>
			ends.filter(([{ webhookId }]) => webhookId === at).length > claimed.filter(({ webhookId }) => webhookId === at).length;
		const [now, later] = [next.filter((target) => !handled.has(target.webhookId) && permitted(target.webhookId)), this.#reserve];
		for (const target of next) if (!now.includes(target)) later.set(target.id, target);
		if (now.length > 0 || this.#waiting.size > 0) this.#track(this.take(now));
	}
}
