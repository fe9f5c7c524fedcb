// The engine of deliveries. A run looks up host names, claims deliveries, sends them, records the ends of the attempts, and continues with
// the deliveries that are due next at the same endpoints. To save round trips it claims deliveries before connections are free for them,
// and in the commits that record ends.

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
 * The states of a delivery that a run finds due, the events that may happen in each state, and the state that follows; null: the run is
 * done with the delivery. `Board.move` reads this table, and a move that is not here does not compile.
 */
const MOVES = {
	/** Due at an endpoint of the run. */
	FOUND: { wanted: "WAITING", reserved: "RESERVED", leftToMessage: null },
	/** The run claims it as soon as it has room. */
	WAITING: { asked: "ASKED", leftToMessage: null, leftToSweep: null },
	/** Its endpoint has as many attempts in flight as it permits: the run claims it with the next end there. */
	RESERVED: { asked: "ASKED" },
	/** In a claim that is being made. */
	ASKED: { claimed: "READY", lackedRoom: "WAITING", exceededRate: "DELAYED", refused: "RESERVED", leftToMessage: null, leftToSweep: null },
	/** Found again when its endpoint's rate permits more. */
	DELAYED: { permitted: "FOUND" },
	/** A claimed request that waits for a free connection. */
	READY: { begun: "UNDER_WAY", givenBack: null },
	/** A request that has begun and has no answer yet. */
	UNDER_WAY: { ended: "ENDED" },
	/** The end of a delivery's attempt. It waits a moment for other ends. */
	ENDED: { gathered: "RECORDING" },
	/** In the commit that records it. */
	RECORDING: { recorded: null },
} as const;

type Ready = Sending<Claimed> & { readonly beginsBy: number };
type End = [Begun, Ended];
type State = keyof typeof MOVES;
/** The items in each state: first deliveries that are due, then requests, then ends. */
type Held = { [S in State]: S extends "READY" | "UNDER_WAY" ? Ready : S extends "ENDED" | "RECORDING" ? End : Target };
type Next<S extends State, E> = E extends keyof (typeof MOVES)[S] ? (typeof MOVES)[S][E] & State : never;

/** All items of a run, by their state. */
class Board {
	readonly #states = Object.fromEntries(Object.keys(MOVES).map((state) => [state, new Map()])) as { [S in State]: Map<unknown, Held[S]> };
	readonly in: { readonly [S in State]: ReadonlyMap<unknown, Held[S]> } = this.#states;

	all<S extends State>(state: S): Held[S][] {
		return [...this.in[state].values()];
	}

	/** @param as the items of the next state, if that state holds items of another kind */
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
			// A delivery is not both: a waiting delivery is claimed sooner than a reserved delivery.
			if (next === "WAITING") reserved.delete(keyOf(one));
			if (next !== null && !(next === "RESERVED" && waiting.has(keyOf(one)))) this.#states[next].set(keyOf(one), one);
		}
	}
}

const keyOf = (one: Held[State]): unknown => ("lane" in one ? one.id : one);

const outlasts = ({ first }: Sending<Claimed>): boolean => limits.outlastsBackground(first.timeoutMs);

export type RunOptions = {
	/** QUICK leaves out endpoints of the SLOW lane, which get a message there; otherwise the run takes both lanes. */
	lane?: Lane | undefined;
	/** Until when, in real time, it continues with deliveries that are due next; after that it leaves them to messages. */
	until?: number | undefined;
	/** The most deliveries that it holds claimed, if other messages may wait behind its batch. */
	most?: number | undefined;
	/** How long its consumer stays with what can end in the background. */
	staysMs?: number | undefined;
	/** Whether other runs, for other organizations, share the connections of the invocation. */
	shares?: boolean | undefined;
};

type Poke = { webhookId: string; lane: Lane };

export class DeliveryRun {
	readonly #services: JobServices;
	readonly #options: RunOptions;
	readonly #local: boolean;
	readonly #board = new Board();
	readonly #tally = new Tally();
	/** The most deliveries that the claims under way may return. */
	#promised = 0;
	#claiming: Promise<void> | undefined;
	#beginning: Promise<void> | undefined;
	#recording: Promise<void> | undefined;
	readonly #verdicts = new Map<string, { verdict: Judged; until: number }>();
	readonly #organizations = new Set<string>();
	/** When a request was last claimed or begun. */
	#movedAt = 0;
	/** Resolves when a request is claimed, begins or ends. */
	#change = Promise.withResolvers<void>();
	/** Endpoints that each get one message, once nothing is under way there or a moment has passed. */
	readonly #pokes = new Map<string, Poke>();
	/** Work that nobody awaits, and the part of it that the consumer stays for. */
	readonly #work = new Set<Promise<void>>();
	readonly #staysFor = new Set<Promise<void>>();
	/** Resolves when the consumer may return, although work may still run. */
	readonly #mayReturn: Promise<void>;
	/** Whether it has claimed attempts that could outlast the background: its consumer stays for them. */
	#outlasts = false;
	/** Whether the consumer returns as soon as it need not stay for such attempts, and whether it has returned. */
	#leaves = false;
	#returned = false;

	constructor(services: JobServices, options: RunOptions = {}) {
		this.#services = services;
		this.#options = options;
		this.#local = !isBounded(services.config);
		this.#mayReturn = scheduler.wait(options.staysMs ?? 0);
	}

	/** Attempts the deliveries that are due at the endpoints. Resolves when the first claim is made; rejects when it fails. */
	async start(webhookIds: readonly string[]): Promise<void> {
		const services = atPresent(this.#services);
		const targets = await services.db.read(targetsOf(services, webhookIds, Math.ceil((2 * this.#atOnce) / webhookIds.length)));
		const idle = new Set(webhookIds).difference(new Set(targets.map(({ webhookId }) => webhookId)));
		// Another run may have taken the delivery for which the message came: the endpoint's next delivery has no message yet.
		if (idle.size > 0) this.#track(services.db.commit([wakeLater(this.#services, [...idle])]));
		await this.#find(targets);
		if (this.#board.in.WAITING.size > 0) await this.#claimSome();
		this.#track(this.#claimWaiting());
	}

	/** Attempts these deliveries. Resolves when all that can be claimed are claimed; rejects when a claim fails. */
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
	 * Resolves when the consumer may return: soon, because most work continues in the background. The consumer stays for attempts that could
	 * outlast the background until they have ended or linger. Then the run gives back those not begun, and messages take what is due next.
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

	// FOUND, WAITING, RESERVED, ASKED, DELAYED: the run claims deliveries that are due.

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
				// Claimed deliveries begin first. If lingering receivers prevent that, deliveries that could not begin at once go to messages.
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

	/** Whether another delivery of the organization could begin at once if it were claimed now. */
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

	/** Makes a claim, keeps room for its deliveries meanwhile, and accepts them. */
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

	/** Deliveries that the commit of these ends may claim, at URLs with a verdict: all that wait, and those reserved at the endpoints. */
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

	/** Begins the attempts that a claim permits, and comes back to the deliveries that it left. */
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

	// READY, UNDER_WAY: the run sends claimed requests.

	/** Begins claimed requests as connections become free, and gives back those that cannot begin in time. */
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

	/** Takes a connection and the request that begins on it. Undefined when no request can begin within two seconds. */
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

	/** Waits until all claimed requests that are meant have begun. False when lingering receivers hold the connections. */
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
		// The consumer stays until ends are recorded only while that commit may claim further deliveries.
		const quick = this.#goesOn ? recorded : answered;
		const lingers = outlasts(ready) ? scheduler.wait(limits.staysWithMs(ready.first.timeoutMs)) : this.#mayReturn;
		this.#track(recorded, Promise.race([quick, lingers]));
	}

	// ENDED, RECORDING: ends that come within a moment, or while others are being recorded, share a commit.

	async #record(ends: readonly End[]): Promise<void> {
		for (const [, ended] of ends) this.#tally.add(ended);
		// An attempt that failed with an internal error has no end.
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

	/** Claims what is due next at endpoints that permit more than was claimed with their ends; reserves the rest for the next end there. */
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

	// Messages for deliveries that the run leaves, and work that nobody awaits.

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

	/** Resolves when no work is left that the consumer stays for. */
	async #stayed(): Promise<void> {
		while (this.#staysFor.size > 0) await Promise.allSettled(this.#staysFor);
	}
}

/** Those that are meant, and the others. */
function apart<T>(all: readonly T[], isMeant: (one: T) => boolean): [T[], T[]] {
	const { meant = [], others = [] } = Object.groupBy(all, (one) => (isMeant(one) ? "meant" : "others"));
	return [meant, others];
}
