// How far the search for payments that nobody has confirmed has come, and where it goes on.

import { delayAfter } from "../../../shared/backoff";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../shared/time";
import type { PullOutcome } from "./lifecycle";

/** The payments of a time, and from where of its list they are still to be read. */
type Reading = { readonly from: number; readonly to: number; readonly offset: number };

export type Pull = {
	/** The lender's number, as Safaricom knows it of the shortcode. */
	readonly number: string;
	/** Whether Daraja lists payments to the shortcode. */
	readonly isRegistered: boolean;
	/** Payments before it are no business of the service. */
	readonly since: number;
	/** All payments before it have been looked for. */
	readonly until: number;
	/** What is being read; null between two searches. */
	readonly reading: Reading | null;
	/** Searches that have failed since the last successful one; a running search counts. */
	readonly failures: number;
	/** What became of the last search, and when. */
	readonly last: { readonly outcome: PullOutcome; readonly at: number } | null;
};

const EVERY_MS = 15 * MINUTE_MS;
/** A payment is looked for so long after it was made, in case it is listed late. */
const OVERLAP_MS = 2 * HOUR_MS;
/** Daraja lists the payments of 48 hours. */
const LISTED_MS = 47 * HOUR_MS;
/** Longer than a search takes, so that no other begins meanwhile. */
const LEAST_DELAY_MS = 3 * MINUTE_MS;

/** As it begins for a number: what was learnt by another still holds, but that Daraja has registered it. */
export function pullBy(number: string | null, known: Pull | null, now: number): Pull | null {
	if (number === null) return null;
	if (known?.number === number) return { ...known, failures: 0 };
	const { since = now, until = now, last = null } = known ?? {};
	return { number, isRegistered: false, since, until, reading: null, failures: 0, last };
}

/** What is read next: the rest of what is being read, while Daraja lists it. */
export function readingOf({ since, until, reading }: Pull, now: number): Reading {
	const listedFrom = now - LISTED_MS;
	if (reading && reading.from >= listedFrom) return reading;
	return { from: Math.max(since, until - OVERLAP_MS, listedFrom), to: now, offset: 0 };
}

/** Whether a payment is the service's business. The provider reports seconds. */
export const isSought = ({ since }: Pull, madeAt: number): boolean => madeAt + SECOND_MS > since;

/** A search that begins is a failure until it has ended, so that one whose process died is made again. */
export const begun = (pull: Pull): Pull => ({ ...pull, failures: pull.failures + 1 });
export const nextAfterFailure = ({ failures }: Pull, now: number): number => now + Math.max(LEAST_DELAY_MS, delayAfter(failures));

export const failedBy = (pull: Pull, outcome: PullOutcome, now: number): Pull => ({ ...pull, last: { outcome, at: now } });

/** After a page. `next`: from where it goes on; null at the end of the list. */
export const afterPage = (pull: Pull, { from, to }: Reading, next: number | null): Pull =>
	next === null ? { ...pull, reading: null, until: to } : { ...pull, reading: { from, to, offset: next } };

/** After its last page, or as many as are read in one go; and when it goes on. */
export const ended = (pull: Pull, now: number) => ({
	pull: { ...pull, failures: 0, last: { outcome: "SUCCEEDED", at: now } } satisfies Pull,
	nextPullAt: pull.reading ? now : now + EVERY_MS,
});

/** Daraja will soon list no more what has not been looked for. */
export const isLate = ({ until }: Pull, now: number): boolean => until <= now - DAY_MS;
