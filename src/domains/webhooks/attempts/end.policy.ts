// An attempt that has begun, its end, and the consequences for its delivery.

import type { ConnectionError, Outcome } from "../../../shared/webhook-states";
import { type AfterAttempt, afterAttempt } from "./policy";

/** An attempt that has begun. */
export type Begun = {
	id: string;
	claim: string;
	position: number;
	roundAttempts: number;
	/** Earlier attempts of the round that were interrupted. */
	roundInterrupted: number;
	/** 1 for a test, which says nothing about the endpoint's failures in a row. */
	isTest: number;
	organizationId: string;
	webhookId: string;
	webhookName: string;
	/** The event's entity, where the endpoint asks for order: the entity's next delivery becomes due when this delivery has ended. */
	entityId: string | null;
	/** 1 when deliveries were held for the endpoint as the attempt was claimed. */
	isHolding: number;
	/** The id of the request, message or sweep that raised the event; null for a test, or where it was not kept. */
	cause: string | null;
	/** The endpoint's URL when the attempt began: the outcome says nothing about another URL. Empty when the URL may have changed since. */
	url: string;
};

export type Ended = {
	/** When the attempt began, by the service's clock; absent when it is not known: then the instant of the claim stands. */
	startedAt?: number;
	outcome: Outcome;
	durationMs: number | null;
	responseStatus: number | null;
	responseBody: string | null;
	/** How the connection failed, where there was no answer. */
	connectionError?: ConnectionError | undefined;
	/** Why the attempt failed, or what interrupted it, where that is known. */
	failure?: string | undefined;
	/** The wait that a 429 or 503 response asked for. */
	retryAfterMs?: number | undefined;
};

/** An attempt that has ended, and the consequences for its delivery. */
export type End = {
	attempt: Begun;
	ended: Ended;
	after: AfterAttempt;
	/** Attempts of the round that were interrupted, this one included. */
	roundInterrupted: number;
};

/** @param random from 0 to 1, spreads the delay over ±10 % */
export function endOf(attempt: Begun, ended: Ended, now: number, random: number): End {
	const { outcome, retryAfterMs } = ended;
	const { roundAttempts } = attempt;
	const roundInterrupted = attempt.roundInterrupted + (outcome === "INTERRUPTED" ? 1 : 0);
	const after = afterAttempt({ roundAttempts, roundInterrupted, outcome, retryAfterMs, now, random });
	return { attempt, ended, after, roundInterrupted };
}

type Counted = { readonly outcome: string; readonly error: string | null; count: number; ms: number };

/** Counts attempts by outcome for the metrics: a run adds them up, because one invocation may write only a few points. */
export class Tally {
	#counted = new Map<string, Counted>();

	add({ outcome, connectionError: error = undefined, durationMs }: Pick<Ended, "outcome" | "connectionError" | "durationMs">): void {
		const key = `${outcome} ${error}`;
		const counted = this.#counted.get(key) ?? { outcome, error: error ?? null, count: 0, ms: 0 };
		counted.count++;
		counted.ms += durationMs ?? 0;
		this.#counted.set(key, counted);
	}

	/** The counts since the last call. */
	take(): readonly Counted[] {
		const counted = [...this.#counted.values()];
		this.#counted = new Map();
		return counted;
	}
}
