// Reads that are repeated while somebody looks: one request for all who ask the same, none while the page is hidden or offline.

import { useEffect, useState } from "preact/hooks";
import { ask, onWrite, pace, Refused } from "./api.ts";
import { backOff } from "./pace.ts";
import { current, onSession } from "./session.ts";
import type { BodyOf, ReadLine, RequestOf } from "./typed.ts";

export interface Watched<Body> {
	/** The latest answer: shown under an error, too. */
	readonly value?: Body | undefined;
	readonly error?: Error | undefined;
	/** Asks now. */
	readonly again: () => void;
	/** What is asked. */
	readonly source?: { readonly line: ReadLine; readonly request: object } | undefined;
}

type Listener = { readonly everyMs: number; readonly told: () => void };

class Feed {
	value: unknown;
	error: Error | undefined;
	readonly listeners = new Set<Listener>();
	readonly #line: ReadLine;
	readonly #request: RequestOf<ReadLine>;
	#etag: string | null = null;
	#errors = 0;
	#asking = false;
	#askAgain = false;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#last = Number.NEGATIVE_INFINITY;

	constructor(line: ReadLine, request: RequestOf<ReadLine>) {
		this.#line = line;
		this.#request = request;
	}

	get #every(): number {
		return Math.min(...[...this.listeners].map(({ everyMs }) => everyMs));
	}

	/** Plans the next request. `comes`: somebody begins to look, and is not shown what is old. */
	plan(comes = false): void {
		clearTimeout(this.#timer);
		if (this.#asking || this.listeners.size === 0 || !mayAsk()) return;
		const isOld = comes && Date.now() - this.#last > FRESH_MS;
		const every = isOld ? 0 : this.#every;
		const retryAfter = this.error instanceof Refused ? this.error.retryAfter : 0;
		const wait = this.#errors > 0 ? backOff(every, this.#errors, retryAfter) : every;
		// A final refusal is not asked again by itself.
		if (wait === Number.POSITIVE_INFINITY || (isFinal(this.error) && !isOld)) return;
		const due = this.#last + wait - Date.now();
		this.#timer = setTimeout(() => void this.#poll(), Math.max(due, 0));
	}

	#poll(): void {
		const wait = pace.wait(Date.now());
		if (wait > 0 && this.#last > 0) this.#timer = setTimeout(() => this.#poll(), wait);
		else void this.again();
	}

	async again(): Promise<void> {
		if (this.#asking) {
			this.#askAgain = true;
			return;
		}
		clearTimeout(this.#timer);
		this.#asking = true;
		try {
			const { status, body, headers } = await ask(this.#line, this.#request, this.value === undefined ? null : this.#etag);
			if (status !== 304) {
				this.value = body;
				this.#etag = headers.get("etag");
			}
			this.error = undefined;
			this.#errors = 0;
		} catch (error) {
			this.error = error as Error;
			this.#errors++;
		}
		this.#asking = false;
		this.#last = Date.now();
		for (const { told } of [...this.listeners]) told();
		if (this.#askAgain) {
			this.#askAgain = false;
			void this.again();
		} else this.plan();
	}

	stop(): void {
		clearTimeout(this.#timer);
	}
}

const feeds = new Map<string, Feed>();
const isFinal = (error: Error | undefined): boolean => error instanceof Refused && [400, 403, 404].includes(error.status);
/** Not for nobody: what is still shown while a person leaves has no more to ask. */
const mayAsk = (): boolean => document.visibilityState === "visible" && navigator.onLine && current() !== undefined;

/** How many answers stay for a page that is come back to. */
const KEPT = 30;
/** How long they count as new there. */
const FRESH_MS = 10_000;

function feedOf(line: ReadLine, request: RequestOf<ReadLine>): Feed {
	const { organization = current()?.organization } = request as { organization?: string | null };
	const key = JSON.stringify([line, request, organization]);
	const found = feeds.get(key) ?? new Feed(line, { ...request, organization: organization ?? null } as RequestOf<ReadLine>);
	feeds.delete(key);
	feeds.set(key, found);
	for (const [old, feed] of feeds) {
		if (feeds.size <= KEPT) break;
		if (feed.listeners.size === 0) feeds.delete(old);
	}
	return found;
}

/** Reads, and reads again so often a minute: 0 for once a visit. undefined instead of a request: nothing yet. */
export function useWatch<L extends ReadLine>(
	line: L,
	request: RequestOf<L> | (object extends RequestOf<L> ? Record<string, never> : never) | undefined,
	perMinute = 0,
): Watched<BodyOf<L>> {
	const [, render] = useState({});
	const feed = request && feedOf(line, request as RequestOf<ReadLine>);
	useEffect(() => {
		if (!feed) return;
		const listener = { everyMs: perMinute > 0 ? 60_000 / perMinute : Number.POSITIVE_INFINITY, told: () => render({}) };
		feed.listeners.add(listener);
		feed.plan(true);
		return () => {
			feed.listeners.delete(listener);
			if (feed.listeners.size === 0) feed.stop();
		};
	}, [feed, perMinute]);
	return {
		value: feed?.value as BodyOf<L> | undefined,
		error: feed?.error,
		again: () => void feed?.again(),
		...(request && { source: { line, request } }),
	};
}

export const isRead = ({ value, error }: Watched<unknown>): boolean => value !== undefined || error !== undefined;

/** Without a value until the others are read too: what comes later would move what is below it. */
export const onceRead = <Body>(of: Watched<Body>, ...others: readonly Watched<unknown>[]): Watched<Body> =>
	others.every(isRead) ? of : { ...of, value: undefined };

/** Everything that is shown is read again, and what was shown before is forgotten. */
export function readAllAgain(): void {
	for (const [key, feed] of feeds) {
		if (feed.listeners.size === 0) feeds.delete(key);
		else if (mayAsk()) void feed.again();
	}
}

/** The next person must not see what this one has read. */
export function forgetAll(): void {
	for (const feed of feeds.values()) feed.stop();
	feeds.clear();
}

onWrite(readAllAgain);
onSession((state) => {
	if (state === "out") forgetAll();
});
const resume = (): void => {
	for (const feed of feeds.values()) {
		if (mayAsk()) feed.plan(true);
		else feed.stop();
	}
};
addEventListener("visibilitychange", resume, true);
addEventListener("online", resume);
addEventListener("offline", resume);
