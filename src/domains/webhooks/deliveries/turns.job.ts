// What a run has claimed and not begun yet, and what begins next, on which connection.

import type { Connections } from "../../../runtime/connections";
import { SLOW_MS } from "../attempts/policy";
import type { Claimed } from "./claim.store";
import { type Sending, sendingsOf } from "./sending.policy";
import { nextInTurn } from "./turns.policy";

/** How long after its claim an attempt may begin; later, it would use keys and a URL that may have been changed, and its lease might end. */
const BEGINS_WITHIN_MS = 3_000;

/** A receiver that takes longer than this to answer lingers: neither the consumer nor what is to be claimed waits for it. */
export const LINGERS_MS = 500;

/** For how long work may go on when its consumer has returned, with time to record its end: the platform ends it after 30 s. */
const IN_BACKGROUND_MS = 28_000;

/** How long the consumer stays with an attempt, so that its timeout ends while the platform still lets it go on. */
export const lingersAfterMs = (timeoutMs: number): number => Math.max(LINGERS_MS, timeoutMs - IN_BACKGROUND_MS);

/** Whether an attempt that begins late could not end in the background. */
export const outlastsBackground = (timeoutMs: number): boolean => BEGINS_WITHIN_MS + timeoutMs > IN_BACKGROUND_MS;

type Ready = Sending<Claimed> & { readonly beginsBy: number };

export class Turns {
	readonly #connections: Connections;
	#ready: Ready[] = [];
	/** The attempts of each organization that have begun and not ended. */
	readonly #underWay = new Map<string, number>();
	#shares: boolean;
	/** Resolves with the next end, and when more is claimed. */
	#change = Promise.withResolvers<void>();

	/** `shares`: whether the connections serve other organizations than those of this run. */
	constructor(connections: Connections, shares: boolean) {
		this.#connections = connections;
		this.#shares = shares;
	}

	/** How many have not begun. */
	get waiting(): number {
		return this.#ready.length;
	}

	/** How many have begun and not ended. */
	get underWay(): number {
		return [...this.#underWay.values()].reduce((sum, count) => sum + count, 0);
	}

	add(claimed: readonly Claimed[]): void {
		const beginsBy = Date.now() + BEGINS_WITHIN_MS;
		this.#ready.push(...sendingsOf(claimed).map((sending) => ({ ...sending, beginsBy })));
		for (const { organizationId } of claimed) this.#underWay.set(organizationId, this.#underWay.get(organizationId) ?? 0);
		this.#shares ||= this.#underWay.size > 1;
		this.#changed();
	}

	/** Whether something more of the organization, once it is claimed, could begin now. */
	isOpenTo(organizationId: string): boolean {
		return this.#connections.isFree && !this.#ready.some((ready) => ready.organizationId === organizationId);
	}

	/** Takes a connection, and what begins on it. Undefined when nothing that waits has had its turn for two seconds. */
	async next(): Promise<Sending<Claimed> | undefined> {
		const until = Date.now() + SLOW_MS;
		while (await this.#connections.take(1, until - Date.now())) {
			const inTime = this.#ready.filter(({ beginsBy }) => beginsBy >= Date.now());
			const next = nextInTurn(inTime, (organizationId) => this.#underWay.get(organizationId) ?? 0, this.#share);
			if (next) {
				this.#ready = this.#ready.filter((other) => other !== next);
				this.#count(next, 1);
				return next;
			}
			this.#connections.give(1);
			if (inTime.length === 0 || Date.now() >= until) break;
			await Promise.race([this.#change.promise, scheduler.wait(until - Date.now())]);
		}
		return undefined;
	}

	/** The attempt has ended, and its connection is free. */
	ended(sending: Pick<Ready, "organizationId">): void {
		this.#count(sending, -1);
		this.#connections.give(1);
		this.#changed();
	}

	/** Takes away those that shall not begin here any more. */
	without(which: (ready: Ready) => boolean): Claimed[] {
		const dropped = this.#ready.filter(which);
		this.#ready = this.#ready.filter((ready) => !dropped.includes(ready));
		return dropped.flatMap(({ deliveries }) => deliveries);
	}

	/** How many connections one organization may hold. */
	get #share(): number {
		const { most } = this.#connections;
		return this.#shares ? most / 2 : most;
	}

	#changed(): void {
		this.#change.resolve();
		this.#change = Promise.withResolvers();
	}

	#count({ organizationId }: Pick<Ready, "organizationId">, by: number): void {
		this.#underWay.set(organizationId, (this.#underWay.get(organizationId) ?? 0) + by);
	}
}
