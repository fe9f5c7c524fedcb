// The engine of deliveries. A run looks names up, claims, sends, records the ends, and continues with what is due next at the same
// endpoints. Deliveries are claimed ahead of the connections on which they are sent, and in the commit that records ends, so that a batch
// takes few round trips.

import { isBounded } from "../../../runtime/connections";
import { atPresent } from "../../../runtime/making-services";
import type { Lane } from "../../../runtime/ports";
import type { JobServices } from "../../../runtime/services";
import { type Begun, type Ended, Tally } from "../attempts/end.policy";
import { SLOW_MS } from "../attempts/policy";
import { wakeLater } from "../wake.store";
import { attemptOnce, type Judged, judge } from "./attempt.job";
import { claim, type Taken, type Wanted } from "./claim.procedure";
import type { Claimed, Left } from "./claim.store";
import { type Target, targetsOf } from "./due.store";
import { portionOf, type Recorded, recordEnds } from "./ends.job";
import * as limits from "./engine.policy";
import { inTurns, nextInTurn } from "./engine.policy";
import { giveBack } from "./give-back.store";
import { type Sending, sendingsOf } from "./sending.policy";

/**
 * What becomes of what a run finds due: the states, what may happen in each, and which state follows. Where none follows, the run has done
 * with it. `Board.move` reads this table, and a move that is not here does not compile.
 */
const MOVES = {
	/** Due at an endpoint of the run. */
	FOUND: { wanted: "WAITING", reserved: "RESERVED", leftToMessage: null },
	/** Claimed as soon as the run has room. */
	WAITING: { asked: "ASKED", leftToMessage: null, leftToSweep: null },
	/** Claimed with the next end at its endpoint, which has as many in flight as it permits. */
	RESERVED: { asked: "ASKED" },
	/** In a claim that is being made. */
	ASKED: { claimed: "READY", lackedRoom: "WAITING", exceededRate: "DELAYED", refused: "RESERVED", leftToMessage: null, leftToSweep: null },
	/** Found again when its endpoint's rate permits more. */
	DELAYED: { permitted: "FOUND" },
	/** A claimed request. It begins on a connection that is free. */
	READY: { begun: "UNDER_WAY", givenBack: null },
	/** The receiver has been asked. */
	UNDER_WAY: { ended: "ENDED" },
	/** The end of a delivery's attempt. It waits a moment for others. */
	ENDED: { gathered: "RECORDING" },
	/** In the commit that records it. */
	RECORDING: { recorded: null },
} as const;

type Ready = Sending<Claimed> & { readonly beginsBy: number };
type End = [Begun, Ended];
type State = keyof typeof MOVES;
/** What is in each state: deliveries that are due, then requests, then ends. */
type Held = { [S in State]: S extends "READY" | "UNDER_WAY" ? Ready : S extends "ENDED" | "RECORDING" ? End : Target };
type Next<S extends State, E> = E extends keyof (typeof MOVES)[S] ? (typeof MOVES)[S][E] & State : never;

/** All that a run has to do with, by its state. */
class Board {
	readonly #states = Object.fromEntries(Object.keys(MOVES).map((state) => [state, new Map()])) as { [S in State]: Map<unknown, Held[S]> };
	readonly in: { readonly [S in State]: ReadonlyMap<unknown, Held[S]> } = this.#states;

	all<S extends State>(state: S): Held[S][] {
		return [...this.in[state].values()];
	}

	/** @param as what they are in the next state, if that holds something else */
	move<S extends State, E extends keyof (typeof MOVES)[S]>(
		state: S,
		event: E,
		these: readonly Held[S][],
		as: readonly Held[Next<S, E>][] = these as readonly never[],
	): void {
		for (const one of these) this.#states[state].delete(keyOf(one));
		const next = MOVES[state][event] as Next<S, E> | null;
		const { WAITING: waiting, RESERVED: reserved } = this.#states;
		for (const one of next === null ? [] : as) {
			// A waiting delivery is claimed sooner than a reserved one.
			if (next === "WAITING") reserved.delete(keyOf(one));
			if (next !== null && !(next === "RESERVED" && waiting.has(keyOf(one)))) this.#states[next].set(keyOf(one), one);
		}
	}
}

const keyOf = (one: Held[State]): unknown => ("lane" in one ? one.id : one);

const outlasts = ({ first }: Sending<Claimed>): boolean => limits.outlastsBackground(first.timeoutMs);

export type RunOptions = {
	/** Leaves out endpoints of the other lane, which get a message there. Both lanes when absent. */
	lane?: Lane | undefined;
	/** Until when it continues with what is due next, in real time; after that, messages do. */
	until?: number | undefined;
	/** How many deliveries it holds claimed at most, where others wait behind it. */
	most?: number | undefined;
	/** How long its consumer stays with what can end in the background. */
	staysMs?: number | undefined;
	/** Whether other runs of the invocation are for other organizations. */
	shares?: boolean | undefined;
};

type Poke = { webhookId: string; lane: Lane };

export class DeliveryRun {
	readonly #services: JobServices;
	readonly #options: RunOptions;
	readonly #local: boolean;
	readonly #board = new Board();
	readonly #tally = new Tally();
	/** How many the claims that are being made may return. */
	#promised = 0;
	#claiming: Promise<void> | undefined;
	#beginning: Promise<void> | undefined;
	#recording: Promise<void> | undefined;
	readonly #verdicts = new Map<string, { verdict: Judged; until: number }>();
	readonly #organizations = new Set<string>();
	/** When a request was last claimed or begun. */
	#movedAt = 0;
	/** Resolves when one is claimed, begins or ends. */
	#change = Promise.withResolvers<void>();
	/** Endpoints that get a message, each one, when nothing is under way there. */
	readonly #pokes = new Map<string, Poke>();
	/** What nobody awaits, and what of it the consumer stays for. */
	readonly #work = new Set<Promise<void>>();
	readonly #staysFor = new Set<Promise<void>>();
	/** When the consumer may return, with anything still running. */
	readonly #mayReturn: Promise<void>;
	/** Whether it has claimed attempts that could outlast the background, which its consumer stays for; whether that leaves, and has returned. */
	#outlasts = false;
	#leaves = false;
	#returned = false;

	constructor(services: JobServices, options: RunOptions = {}) {
		this.#services = services;
		this.#options = options;
		this.#local = !isBounded(services.config);
		this.#mayReturn = scheduler.wait(options.staysMs ?? 0);
	}

	/** Attempts what is due at the endpoints. Resolves when the first of it is claimed; rejects when that fails. */
	async start(webhookIds: readonly string[]): Promise<void> {
		const services = atPresent(this.#services);
		const targets = await services.db.read(targetsOf(services, webhookIds, Math.ceil((2 * this.#atOnce) / webhookIds.length)));
		const idle = new Set(webhookIds).difference(new Set(targets.map(({ webhookId }) => webhookId)));
		// The message may have come for a delivery that another run was quicker to take: the next one has no message yet.
		if (idle.size > 0) this.#track(services.db.commit([wakeLater(this.#services, [...idle])]));
		await this.#find(targets);
		if (this.#board.in.WAITING.size > 0) await this.#claimSome();
		this.#track(this.#claimWaiting());
	}

	/** Attempts these. Resolves when all that can be claimed are; rejects when a claim fails. */
	async take(targets: readonly Target[]): Promise<void> {
		await this.#find(targets);
		await this.#claimWaiting();
	}

	/** Resolves when nothing is left to do. */
	async ended(): Promise<void> {
		while (this.#work.size > 0) await Promise.allSettled(this.#work);
		for (const counted of this.#tally.take()) this.#services.providers.metrics?.record({ kind: "attempts", ...counted });
	}

	/**
	 * Resolves when the consumer may return: soon, because the rest continues in the background. It stays for attempts that could outlast
	 * that until they have ended or linger; those that have not begun by then are given back, and messages do what is due next.
	 */
	async leave(): Promise<void> {
		await Promise.race([this.#stayed(), this.#mayReturn]);
		this.#leaves = true;
		await this.#stayed();
		this.#returned = true;
		this.#giveBack(outlasts);
	}

	// How much it may do.

	get #atOnce(): number {
		return Math.min(this.#local ? limits.CLAIMED_AT_ONCE_LOCALLY : limits.CLAIMED_AT_ONCE, this.#options.most ?? Number.POSITIVE_INFINITY);
	}

	get #room(): number {
		return this.#atOnce - this.#board.in.READY.size - this.#board.in.UNDER_WAY.size - this.#promised;
	}

	get #goesOn(): boolean {
		return !(this.#leaves && this.#outlasts) && Date.now() < (this.#options.until ?? Number.POSITIVE_INFINITY);
	}

	// FOUND, WAITING, RESERVED, ASKED, DELAYED: what is due is claimed.

	async #find(targets: readonly Target[]): Promise<void> {
		const [elsewhere, here] = apart(targets, ({ lane }) => this.#options.lane === "QUICK" && lane === "SLOW");
		this.#board.move("FOUND", "leftToMessage", elsewhere);
		await this.#poke(elsewhere);
		this.#board.move("FOUND", "wanted", here);
	}

	async #claimWaiting(): Promise<void> {
		if (this.#board.in.WAITING.size === 0) return;
		this.#claiming ??= this.#claimAll();
		await this.#claiming;
	}

	async #claimAll(): Promise<void> {
		try {
			while (this.#board.in.WAITING.size > 0) {
				// Claimed deliveries come first. If none can begin, lingering receivers hold the connections, and must not hold up others.
				if (!(await this.#haveBegun())) {
					const closed = this.#board.all("WAITING").filter(({ organizationId }) => !this.#isOpenTo(organizationId));
					this.#board.move("WAITING", "leftToMessage", closed);
					await this.#poke(closed);
				}
				if (this.#board.in.WAITING.size > 0) await this.#claimSome();
			}
		} finally {
			// After a failure the rest is left to the messages, which are retried, and to the sweep.
			this.#board.move("WAITING", "leftToSweep", this.#board.all("WAITING"));
			this.#claiming = undefined;
		}
	}

	/** Whether something more of the organization, once it is claimed, could begin now. */
	#isOpenTo(organizationId: string): boolean {
		return this.#services.connections.isFree && !this.#board.all("READY").some((ready) => ready.organizationId === organizationId);
	}

	async #claimSome(): Promise<void> {
		const asked = this.#board.all("WAITING");
		this.#board.move("WAITING", "asked", asked);
		try {
			await this.#lookUp(asked.map(({ url }) => url));
			const wanted = this.#wanted(asked);
			const isReserved = (id: string) => this.#board.in.RESERVED.has(id);
			await this.#accepting(wanted, () => claim(atPresent(this.#services), wanted, isReserved));
		} catch (error) {
			this.#board.move("ASKED", "leftToSweep", asked);
			throw error;
		}
	}

	#wanted(targets: readonly Target[]): Wanted<Target> {
		const urls = [...new Set(targets.map(({ url }) => url))].filter((url) => this.#isKnown(url));
		return { targets: inTurns(targets), urls, most: Math.max(1, this.#room) };
	}

	/** Accepts what this claims, for which room is kept meanwhile. */
	async #accepting<T extends Taken>(wanted: Wanted<Target> | undefined, claimed: () => Promise<T>): Promise<T> {
		this.#promised += wanted?.most ?? 0;
		try {
			const taken = await claimed();
			if (wanted) this.#accept(wanted, taken);
			return taken;
		} finally {
			this.#promised -= wanted?.most ?? 0;
		}
	}

	/** What the commit of these ends may claim: what waits, and the reserve of their endpoints, at URLs that were looked up just now. */
	#wantedWith(ends: readonly End[]): Wanted<Target> | undefined {
		if (!this.#goesOn || this.#room <= 0) return undefined;
		const ended = new Set(ends.map(([{ webhookId }]) => webhookId));
		const waiting = this.#board.all("WAITING").filter(({ url }) => this.#isKnown(url));
		const reserved = this.#board.all("RESERVED").filter(({ webhookId, url }) => ended.has(webhookId) && this.#isKnown(url));
		this.#board.move("WAITING", "asked", waiting);
		this.#board.move("RESERVED", "asked", reserved);
		const targets = [...waiting, ...reserved];
		return targets.length === 0 ? undefined : this.#wanted(targets);
	}

	/** What a claim has led to: attempts begin, and what was left comes back. */
	#accept({ targets, urls }: Wanted<Target>, { claimed, left }: Taken): void {
		const beginsBy = Date.now() + limits.BEGINS_WITHIN_MS;
		const taken = new Set(claimed.map(({ id }) => id));
		const requests = sendingsOf(claimed).map((sending) => ({ ...sending, beginsBy }));
		const asked = targets.filter(({ id }) => taken.has(id));
		this.#board.move("ASKED", "claimed", asked, requests);
		for (const { organizationId } of claimed) this.#organizations.add(organizationId);
		this.#moved();
		this.#outlasts ||= claimed.some(({ timeoutMs }) => limits.outlastsBackground(timeoutMs));
		if (this.#returned) this.#giveBack(outlasts);

		const done = new Set([...taken, ...left.map(({ id }) => id)]);
		const refused = targets.filter(({ id }) => !done.has(id));
		this.#board.move("ASKED", "refused", refused);
		const [lacking, others] = apart(left, ({ waitMs, url }) => waitMs === 0 && urls.includes(url));
		if (this.#goesOn) this.#board.move("ASKED", "lackedRoom", lacking);
		else this.#leaveToMessages("ASKED", lacking);
		if (others.length > 0) this.#track(this.#comeBack(others));
		if (this.#board.in.READY.size === 0) return;
		this.#beginning ??= this.#beginAll();
		this.#track(this.#beginning, Promise.all([this.#mayReturn, this.#haveBegun(outlasts)]));
	}

	/** Deliveries left at a changed URL are looked up again; those that exceed their endpoint's rate wait until more is permitted. */
	async #comeBack(left: readonly Left[]): Promise<void> {
		for (const [waitMs, targets] of Map.groupBy(left, (target) => target.waitMs)) {
			if (waitMs === 0 || !this.#goesOn) {
				this.#board.move("ASKED", "leftToMessage", targets);
				await this.#poke(targets, waitMs);
			} else {
				this.#board.move("ASKED", "exceededRate", targets);
				await scheduler.wait(waitMs);
				this.#board.move("DELAYED", "permitted", targets);
				await this.take(targets);
			}
		}
	}

	/** Looks up the names of those URLs on which there is no verdict. */
	async #lookUp(urls: readonly string[]): Promise<void> {
		const unknown = [...new Set(urls)].filter((url) => !this.#isKnown(url));
		await Promise.all(
			unknown.map(async (url) => {
				const verdict = await judge(this.#services, url);
				if (verdict) this.#verdicts.set(url, { verdict, until: Date.now() + limits.VERDICT_MS });
			}),
		);
	}

	/** Whether a claim may be made at the URL. */
	#isKnown(url: string): boolean {
		return (this.#verdicts.get(url)?.until ?? 0) > Date.now();
	}

	// READY, UNDER_WAY: what is claimed is sent.

	/** Begins what is claimed, as connections become free; what cannot is given back. */
	async #beginAll(): Promise<void> {
		try {
			while (this.#board.in.READY.size > 0) {
				const next = await this.#next();
				this.#giveBack(({ beginsBy }) => next === undefined || beginsBy < Date.now());
				if (next) this.#begin(next);
			}
		} finally {
			this.#beginning = undefined;
		}
	}

	/** Takes a connection, and what begins on it. Undefined when nothing that waits has had its turn for two seconds. */
	async #next(): Promise<Ready | undefined> {
		const { connections } = this.#services;
		const until = Date.now() + SLOW_MS;
		while (await connections.take(1, until - Date.now())) {
			const inTime = this.#board.all("READY").filter(({ beginsBy }) => beginsBy >= Date.now());
			const share = this.#options.shares || this.#organizations.size > 1 ? connections.most / 2 : connections.most;
			const underWay = Map.groupBy(this.#board.all("UNDER_WAY"), ({ organizationId }) => organizationId);
			const next = nextInTurn(inTime, (organizationId) => underWay.get(organizationId)?.length ?? 0, share);
			if (next) {
				this.#board.move("READY", "begun", [next]);
				this.#moved();
				return next;
			}
			connections.give(1);
			if (inTime.length === 0 || Date.now() >= until) break;
			await Promise.race([this.#change.promise, scheduler.wait(until - Date.now())]);
		}
		return undefined;
	}

	/** Resolves when no claimed request waits that is meant; false when receivers that linger hold the connections. */
	async #haveBegun(meant: (ready: Ready) => boolean = () => true): Promise<boolean> {
		while (this.#board.all("READY").some(meant)) {
			const lingersIn = this.#movedAt + limits.LINGERS_MS - Date.now();
			if (lingersIn <= 0) return false;
			await Promise.race([this.#change.promise, scheduler.wait(lingersIn)]);
		}
		return true;
	}

	#moved(): void {
		this.#movedAt = Date.now();
		this.#changed();
	}

	#changed(): void {
		this.#change.resolve();
		this.#change = Promise.withResolvers();
	}

	#giveBack(which: (ready: Ready) => boolean): void {
		const dropped = this.#board.all("READY").filter(which);
		this.#board.move("READY", "givenBack", dropped);
		const claimed = dropped.flatMap(({ deliveries }) => deliveries);
		if (claimed.length === 0) return;
		const given = this.#services.db.commit(giveBack(claimed));
		this.#track(given.then(() => this.#poke(claimed.map(({ webhookId, isSlow }) => ({ webhookId, lane: isSlow ? "SLOW" : "QUICK" })))));
	}

	#begin(ready: Ready): void {
		const { verdict } = this.#verdicts.get(ready.first.url) ?? {};
		if (!verdict) throw new Error("a delivery was claimed at a URL that nobody has looked up");
		const startedAt = atPresent(this.#services).now;
		const answered = attemptOnce(this.#services, ready, verdict);
		const recorded = answered.then((ends) => {
			const ended = ends.map(([attempt, end]): End => [attempt, { ...end, startedAt }]);
			this.#board.move("UNDER_WAY", "ended", [ready], ended);
			this.#services.connections.give(1);
			this.#changed();
			return this.#record(ended);
		});
		// Where nothing is claimed with the ends, nobody waits until they are recorded.
		const quick = this.#goesOn ? recorded : answered;
		const lingers = outlasts(ready) ? scheduler.wait(limits.staysWithMs(ready.first.timeoutMs)) : this.#mayReturn;
		this.#track(recorded, Promise.race([quick, lingers]));
	}

	// ENDED, RECORDING: ends that come within a moment, or while others are being recorded, share a commit.

	async #record(ends: readonly End[]): Promise<void> {
		for (const [, ended] of ends) this.#tally.add(ended);
		// An attempt that broke has no end.
		if (this.#board.in.ENDED.size > 0) this.#recording ??= this.#recordAll();
		await this.#recording;
	}

	async #recordAll(): Promise<void> {
		while (this.#board.in.ENDED.size > 0) {
			await this.#gathered();
			const ends = portionOf(this.#board.all("ENDED"));
			this.#board.move("ENDED", "gathered", ends);
			const wanted = this.#wantedWith(ends);
			const recorded = await this.#accepting(wanted, () => recordEnds(this.#services, ends, wanted));
			this.#board.move("RECORDING", "recorded", ends);
			this.#goOn(ends, recorded);
		}
		this.#recording = undefined;
	}

	async #gathered(): Promise<void> {
		const until = Date.now() + (this.#local ? limits.GATHERED_LOCALLY_MS : limits.GATHERED_MS);
		do await scheduler.wait(limits.GATHERED_LOCALLY_MS);
		while (Date.now() < until && this.#board.in.ENDED.size < limits.ENDS_ENOUGH && this.#room < this.#atOnce);
	}

	/** Where an endpoint permits more than was claimed with its ends, what is due there is claimed now, else with the next end. */
	#goOn(ends: readonly End[], { claimed, left, next }: Recorded): void {
		if (!this.#goesOn) {
			this.#leaveToMessages("FOUND", next);
			return;
		}
		const handled = new Set(left.map(({ webhookId }) => webhookId));
		const permitted = (at: string) =>
			ends.filter(([{ webhookId }]) => webhookId === at).length > claimed.filter(({ webhookId }) => webhookId === at).length;
		const [now, later] = apart(next, ({ webhookId }) => !handled.has(webhookId) && permitted(webhookId));
		this.#board.move("FOUND", "reserved", later);
		if (now.length > 0 || this.#board.in.WAITING.size > 0) this.#track(this.take(now));
	}

	// What the run leaves to messages, and what continues while nobody awaits it.

	async #poke(left: readonly Poke[], waitMs = 0): Promise<void> {
		const endpoints = new Map(left.map(({ webhookId, lane }) => [webhookId, { webhookId, lane, delaySeconds: waitMs / 1000 }]));
		if (endpoints.size > 0) await this.#services.queue.poke([...endpoints.values()]);
	}

	/** The messages wait until the run has nothing under way at their endpoints, and at most as long as a receiver lingers. */
	#leaveToMessages(state: "FOUND" | "ASKED", targets: readonly Target[]): void {
		this.#board.move(state, "leftToMessage", targets);
		const requests = [...this.#board.all("READY"), ...this.#board.all("UNDER_WAY")].map(({ first }) => first.webhookId);
		const underWayAt = new Set([...requests, ...this.#board.all("ENDED").map(([{ webhookId }]) => webhookId)]);
		const poke = async (which: (poke: Poke) => boolean) => {
			const pokes = [...this.#pokes.values()].filter(which);
			for (const { webhookId } of pokes) this.#pokes.delete(webhookId);
			await this.#poke(pokes);
		};
		const pokeAll = async () => {
			for (const target of targets) this.#pokes.set(target.webhookId, target);
			await poke(({ webhookId }) => !underWayAt.has(webhookId));
			if (this.#pokes.size === 0) return;
			await scheduler.wait(limits.LINGERS_MS);
			await poke(() => true);
		};
		this.#track(pokeAll(), Promise.resolve());
	}

	/** @param stays until when the consumer stays for it, if it has not ended before */
	#track(work: Promise<unknown>, stays: Promise<unknown> = this.#mayReturn): void {
		const ended = work.then(
			() => {},
			(error: unknown) => this.#services.log.error("due deliveries are left to the sweep", error),
		);
		const stayed = Promise.race([stays.catch(() => {}), ended]).then(() => {});
		for (const [kept, one] of [[this.#work, ended] as const, [this.#staysFor, stayed] as const]) {
			kept.add(one);
			void one.then(() => kept.delete(one));
		}
	}

	/** Resolves when the consumer need not stay for anything. */
	async #stayed(): Promise<void> {
		while (this.#staysFor.size > 0) await Promise.allSettled(this.#staysFor);
	}
}

/** Those that are meant, and the others. */
function apart<T>(all: readonly T[], isMeant: (one: T) => boolean): [T[], T[]] {
	const { meant = [], others = [] } = Object.groupBy(all, (one) => (isMeant(one) ? "meant" : "others"));
	return [meant, others];
}
