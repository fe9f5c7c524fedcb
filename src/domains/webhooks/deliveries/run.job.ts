// Runs attempts: looks names up, claims, sends, records the ends, and goes on with what is due next at the same endpoints. Deliveries are
// claimed ahead of the connections on which they are sent, and in the commit that records ends, so that a batch takes few round trips.

import { isBounded } from "../../../runtime/connections";
import { atPresent } from "../../../runtime/making-services";
import type { Lane } from "../../../runtime/ports";
import type { JobServices } from "../../../runtime/services";
import type { Begun, Ended } from "../attempts/end.policy";
import { SLOW_MS } from "../attempts/policy";
import { Tally } from "../attempts/tally.policy";
import { wakeLater } from "../wake.store";
import { attemptOnce } from "./attempt.job";
import { claim, type Wanted } from "./claim.procedure";
import { type Claimed, type Left, type Target, targetsOf } from "./claim.store";
import { recordEnds } from "./ends.job";
import { giveBack } from "./give-back.store";
import { inTurns, nextInTurn } from "./turns.policy";
import { Verdicts } from "./verdicts.job";

/** Deliveries that a run holds claimed: as many as begin within `BEGINS_WITHIN_MS` where receivers answer in half a second. */
const CLAIMED_AT_ONCE = 20;
const CLAIMED_AT_ONCE_LOCALLY = 200;

/** How long after its claim an attempt may begin; later, it would use keys and a URL that may have been changed, and its lease might end. */
const BEGINS_WITHIN_MS = 3_000;

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
};

export class DeliveryRun {
	readonly #services: JobServices;
	readonly #options: RunOptions;
	readonly #local: boolean;
	/** All that this run still does; and the same without attempts that have turned out slow. */
	readonly #work = new Set<Promise<void>>();
	readonly #quickWork = new Set<Promise<void>>();
	readonly #verdicts = new Verdicts();
	/** To be claimed: now, or with the next end at their endpoint, which has as many in flight as it permits. */
	readonly #waiting = new Map<string, Target>();
	readonly #reserve = new Map<string, Target>();
	/** Claimed, and not begun. */
	#ready: (Claimed & { beginsBy: number })[] = [];
	/** The attempts of each organization that have begun and not ended. */
	readonly #underWay = new Map<string, number>();
	/** How many the claims that are being made may return. */
	#promised = 0;
	#claiming: Promise<void> | undefined;
	#beginning: Promise<boolean> | undefined;
	#ends: [Begun, Ended][] = [];
	#recording: Promise<void> | undefined;
	readonly #tally = new Tally();
	#closed = false;

	constructor(services: JobServices, options: RunOptions = {}) {
		this.#services = services;
		this.#options = options;
		this.#local = !isBounded(services.config);
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

	/** Resolves when nothing is left to do but attempts that have turned out slow. They end later, and messages do what is due after them. */
	async endedOrSlow(): Promise<void> {
		while (this.#quickWork.size > 0) await Promise.allSettled(this.#quickWork);
		this.#closed = true;
	}

	get #atOnce(): number {
		return Math.min(this.#local ? CLAIMED_AT_ONCE_LOCALLY : CLAIMED_AT_ONCE, this.#options.most ?? Number.POSITIVE_INFINITY);
	}

	get #room(): number {
		const underWay = [...this.#underWay.values()].reduce((sum, count) => sum + count, 0);
		return this.#atOnce - this.#ready.length - underWay - this.#promised;
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
				// What is claimed comes first. If it cannot begin, slow receivers hold all connections, and must not hold up the others.
				if (await this.#beginAll()) await this.#claimSome();
				else await this.#wake(this.#drawn(() => true));
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
		const beginsBy = Date.now() + BEGINS_WITHIN_MS;
		this.#ready.push(...claimed.map((attempt) => ({ ...attempt, beginsBy })));
		const done = new Set([...claimed, ...left].map(({ id }) => id));
		for (const target of targets) if (!done.has(target.id)) this.#reserve.set(target.id, target);
		const onlyLackedRoom = ({ waitMs, url }: Left) => waitMs === 0 && urls.includes(url) && this.#goesOn;
		for (const one of left) if (onlyLackedRoom(one)) this.#waiting.set(one.id, one);
		const others = left.filter((one) => !onlyLackedRoom(one));
		if (others.length > 0) this.#track(this.#comeBack(others));
		if (this.#ready.length > 0) this.#track(this.#beginAll());
	}

	/** Begins what is claimed, as connections become free. Whether it could. */
	#beginAll(): Promise<boolean> {
		this.#beginning ??= this.#beginReady().finally(() => {
			this.#beginning = undefined;
		});
		return this.#beginning;
	}

	async #beginReady(): Promise<boolean> {
		const { connections } = this.#services;
		while (this.#ready.length > 0) {
			const free = await connections.take(1, SLOW_MS);
			const late = this.#ready.filter(({ beginsBy }) => !free || beginsBy < Date.now());
			this.#ready = this.#ready.filter((attempt) => !late.includes(attempt));
			if (late.length > 0) this.#track(this.#giveBack(late));
			if (!free) return false;
			const next = nextInTurn(this.#ready, (organizationId) => this.#underWay.get(organizationId) ?? 0);
			if (next) this.#begin(next);
			else connections.give(1);
		}
		return true;
	}

	async #giveBack(claimed: readonly Claimed[]): Promise<void> {
		await this.#services.db.commit(giveBack(claimed));
		await this.#wake(claimed.map(({ webhookId, isSlow }) => ({ webhookId, lane: isSlow ? "SLOW" : "QUICK" })));
	}

	#begin(attempt: Claimed): void {
		this.#ready = this.#ready.filter(({ id }) => id !== attempt.id);
		const { organizationId } = attempt;
		const count = (by: number) => this.#underWay.set(organizationId, (this.#underWay.get(organizationId) ?? 0) + by);
		count(1);
		const startedAt = atPresent(this.#services).now;
		const slow = Promise.withResolvers<void>();
		const attempted = attemptOnce(this.#services, attempt, this.#verdicts.on(attempt.url), slow.resolve).then((ended) => {
			count(-1);
			this.#services.connections.give(1);
			if (ended) this.#tally.add(ended);
			return ended && this.#record(attempt, { ...ended, startedAt });
		});
		this.#track(attempted, slow.promise);
	}

	/** What was left at a URL that has changed is looked up again; what exceeds its endpoint's rate waits until more is permitted. */
	async #comeBack(left: readonly Left[]): Promise<void> {
		for (const [waitMs, targets] of Map.groupBy(left, (target) => target.waitMs)) {
			if (waitMs === 0 || !this.#goesOn) await this.#wake(targets, waitMs);
			else await scheduler.wait(waitMs).then(() => this.take(targets));
		}
	}

	/** Ends that come within a moment, or while others are being recorded, share a commit. */
	async #record(attempt: Begun, ended: Ended): Promise<void> {
		this.#ends.push([attempt, ended]);
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
			const ends = this.#ends.splice(0);
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
