// What a run has claimed and not begun yet, and what begins next, on which connection.

import type { Connections } from "../../../runtime/connections";
import { SLOW_MS } from "../attempts/policy";
import { BEGINS_WITHIN_MS, LINGERS_MS, outlastsBackground } from "./background.policy";
import type { Claimed } from "./claim.store";
import { type Sending, sendingsOf } from "./sending.policy";
import { nextInTurn } from "./turns.policy";

type Ready = Sending<Claimed> & { readonly beginsBy: number };

export const outlasts = ({ first }: Sending<Claimed>): boolean => outlastsBackground(first.timeoutMs);

export class Turns {
	readonly #connections: Connections;
	#ready: Ready[] = [];
	/** The attempts of each organization that have begun and not ended. */
	readonly #underWay = new Map<string, number>();
	readonly #begun = new Set<Sending<Claimed>>();
	/** When one was last claimed or begun. */
	#movedAt = 0;
	#shares: boolean;
	/** Resolves when one is claimed, begins or ends. */
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
		return this.#begun.size;
	}

	/** The endpoints of those that have not ended. */
	get endpoints(): string[] {
		return [...this.#ready, ...this.#begun].map(({ first }) => first.webhookId);
	}

	add(claimed: readonly Claimed[]): void {
		const beginsBy = Date.now() + BEGINS_WITHIN_MS;
		this.#ready.push(...sendingsOf(claimed).map((sending) => ({ ...sending, beginsBy })));
		for (const { organizationId } of claimed) this.#underWay.set(organizationId, this.#underWay.get(organizationId) ?? 0);
		this.#shares ||= this.#underWay.size > 1;
		this.#moved();
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
				this.#begun.add(next);
				this.#count(next, 1);
				this.#moved();
				return next;
			}
			this.#connections.give(1);
			if (inTime.length === 0 || Date.now() >= until) break;
			await Promise.race([this.#change.promise, scheduler.wait(until - Date.now())]);
		}
		return undefined;
	}

	/** Resolves when none waits that is meant; false when receivers that linger hold the connections. */
	async haveBegun(meant: (ready: Ready) => boolean = () => true): Promise<boolean> {
		while (this.#ready.some(meant)) {
			const lingersIn = this.#movedAt + LINGERS_MS - Date.now();
			if (lingersIn <= 0) return false;
			await Promise.race([this.#change.promise, scheduler.wait(lingersIn)]);
		}
		return true;
	}

	/** The attempt has ended, and its connection is free. */
	ended(sending: Sending<Claimed>): void {
		this.#begun.delete(sending);
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

	#moved(): void {
		this.#movedAt = Date.now();
		this.#changed();
	}

	#changed(): void {
		this.#change.resolve();
		this.#change = Promise.withResolvers();
	}

	#count({ organizationId }: Sending<Claimed>, by: number): void {
		this.#underWay.set(organizationId, (this.#underWay.get(organizationId) ?? 0) + by);
	}
}
