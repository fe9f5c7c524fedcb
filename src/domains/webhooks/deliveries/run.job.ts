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
import { outlastsBackground, staysWithMs } from "./background.policy";
import { claim, type Wanted } from "./claim.procedure";
import type { Claimed, Left } from "./claim.store";
import { type Target, targetsOf } from "./due.store";
import { recordEnds, takePortion } from "./ends.job";
import { giveBack } from "./give-back.store";
import { Messages } from "./messages.job";
import type { Sending } from "./sending.policy";
import { outlasts, Turns } from "./turns.job";
import { inTurns } from "./turns.policy";
import { Verdicts } from "./verdicts.job";
import { Work } from "./work.job";

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
	/** How long its consumer stays with what can end in the background. */
	staysMs?: number | undefined;
	/** Whether other runs of the invocation are for other organizations. */
	shares?: boolean | undefined;
};

export class DeliveryRun {
	readonly #services: JobServices;
	readonly #options: RunOptions;
	readonly #local: boolean;
	readonly #work: Work;
	readonly #messages: Messages;
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
	/** Whether it has claimed attempts that could outlast the background, which its consumer stays for; whether that leaves, and has returned. */
	#outlasts = false;
	#leaves = false;
	#returned = false;

	constructor(services: JobServices, options: RunOptions = {}) {
		this.#services = services;
		this.#options = options;
		this.#local = !isBounded(services.config);
		this.#turns = new Turns(services.connections, options.shares ?? false);
		this.#messages = new Messages(services.queue);
		this.#work = new Work(services.log, options.staysMs ?? 0);
	}

	/** Attempts what is due at the endpoints. Resolves when the first of it is claimed; rejects when that fails. */
	async start(webhookIds: readonly string[]): Promise<void> {
		const services = atPresent(this.#services);
		const [targets] = await services.db.read(targetsOf(services, webhookIds, Math.ceil((2 * this.#atOnce) / webhookIds.length)));
		const found = new Set(targets.map(({ webhookId }) => webhookId));
		const idle = webhookIds.filter((id) => !found.has(id));
		// The message may have come for a delivery that another run was quicker to take: the next one has no message yet.
		if (idle.length > 0) this.#work.track(services.db.commit([wakeLater(this.#services, idle)]));
		await this.#expect(targets);
		if (this.#waiting.size > 0) await this.#claimSome();
		if (this.#waiting.size > 0) this.#work.track(this.#claimWaiting());
	}

	/** Attempts these. Resolves when all that can be claimed are; rejects when a claim fails. */
	async take(targets: readonly Target[]): Promise<void> {
		await this.#expect(targets);
		if (this.#waiting.size > 0) await this.#claimWaiting();
	}

	async #expect(targets: readonly Target[]): Promise<void> {
		const elsewhere = targets.filter((target) => this.#options.lane === "QUICK" && target.lane === "SLOW");
		await this.#messages.send(elsewhere);
		for (const target of targets) if (!elsewhere.includes(target)) this.#waiting.set(target.id, target);
	}

	#claimWaiting(): Promise<void> {
		this.#claiming ??= this.#claimAll();
		return this.#claiming;
	}

	/** Resolves when nothing is left to do. */
	async ended(): Promise<void> {
		await this.#work.ended();
		for (const counted of this.#tally.take()) this.#services.providers.metrics?.record({ kind: "attempts", ...counted });
	}

	/**
	 * Resolves when the consumer may return: soon, because what is left goes on in the background. It stays for attempts that could outlast
	 * that until they have ended or linger; those that have not begun by then are given back, and messages do what is due next.
	 */
	async leave(): Promise<void> {
		await Promise.race([this.#work.left(), this.#work.mayReturn]);
		this.#leaves = true;
		await this.#work.left();
		this.#returned = true;
		this.#giveBack(this.#turns.without(outlasts));
	}

	get #atOnce(): number {
		return Math.min(this.#local ? CLAIMED_AT_ONCE_LOCALLY : CLAIMED_AT_ONCE, this.#options.most ?? Number.POSITIVE_INFINITY);
	}

	get #room(): number {
		return this.#atOnce - this.#turns.waiting - this.#turns.underWay - this.#promised;
	}

	get #goesOn(): boolean {
		return !(this.#leaves && this.#outlasts) && Date.now() < (this.#options.until ?? Number.POSITIVE_INFINITY);
	}

	async #claimAll(): Promise<void> {
		try {
			while (this.#waiting.size > 0) {
				// What is claimed comes first. If it cannot begin, receivers that linger hold the connections, and must not hold up the others.
				if (!(await this.#turns.haveBegun()))
					await this.#messages.send(this.#drawn(({ organizationId }) => !this.#turns.isOpenTo(organizationId)));
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
			this.#accept(wanted, await claim(atPresent(this.#services), wanted, this.#reserve));
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
		const lackedRoom = ({ waitMs, url }: Left) => waitMs === 0 && urls.includes(url);
		this.#turns.add(claimed);
		this.#outlasts ||= claimed.some(({ timeoutMs }) => outlastsBackground(timeoutMs));
		if (this.#returned) this.#giveBack(this.#turns.without(outlasts));
		const done = new Set([...claimed, ...left].map(({ id }) => id));
		for (const target of targets) if (!done.has(target.id)) this.#reserve.set(target.id, target);
		const [lacking, others] = [left.filter(lackedRoom), left.filter((one) => !lackedRoom(one))];
		if (this.#goesOn) for (const one of lacking) this.#waiting.set(one.id, one);
		else this.#leaveToMessages(lacking);
		if (others.length > 0) this.#work.track(this.#comeBack(others));
		if (this.#turns.waiting > 0) this.#work.track(this.#beginAll(), Promise.all([this.#work.mayReturn, this.#turns.haveBegun(outlasts)]));
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

	#giveBack(claimed: readonly Claimed[]): void {
		if (claimed.length === 0) return;
		const given = this.#services.db.commit(giveBack(claimed));
		this.#work.track(
			given.then(() => this.#messages.send(claimed.map(({ webhookId, isSlow }) => ({ webhookId, lane: isSlow ? "SLOW" : "QUICK" })))),
		);
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
		const lingers = outlasts(sending) ? scheduler.wait(staysWithMs(sending.first.timeoutMs)) : this.#work.mayReturn;
		this.#work.track(recorded, Promise.race([quick, lingers]));
	}

	/** What was left at a URL that has changed is looked up again; what exceeds its endpoint's rate waits until more is permitted. */
	async #comeBack(left: readonly Left[]): Promise<void> {
		for (const [waitMs, targets] of Map.groupBy(left, (target) => target.waitMs)) {
			if (waitMs === 0 || !this.#goesOn) await this.#messages.send(targets, waitMs);
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
			this.#leaveToMessages(next);
			return;
		}
		const handled = new Set(left.map(({ webhookId }) => webhookId));
		const permitted = (at: string) =>
			ends.filter(([{ webhookId }]) => webhookId === at).length > claimed.filter(({ webhookId }) => webhookId === at).length;
		const [now, later] = [next.filter((target) => !handled.has(target.webhookId) && permitted(target.webhookId)), this.#reserve];
		for (const target of next) if (!now.includes(target)) later.set(target.id, target);
		if (now.length > 0 || this.#waiting.size > 0) this.#work.track(this.take(now));
	}

	#leaveToMessages(targets: readonly Target[]): void {
		const underWayAt = new Set([...this.#turns.endpoints, ...this.#ends.map(([{ webhookId }]) => webhookId)]);
		this.#work.track(this.#messages.sendAfter(targets, underWayAt), Promise.resolve());
	}
}
