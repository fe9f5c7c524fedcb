// The outcomes of an attempt and their consequences: the next attempt, the end of the delivery, and manual retries. An interrupted
// attempt counts as one of the six, although its result is unknown; an attempt at a blocked address does not count.

import type { ConnectionError, ErrorClass, Outcome } from "../../../shared/webhook-states";

export const MAX_ATTEMPTS = 6;

/** Delays after attempts 1 to 5, about half an hour in total. */
export const RETRY_DELAYS_S = [15, 45, 135, 405, 1215] as const;

/** Spreads out the retries of deliveries that failed at the same time. */
export const RETRY_JITTER = 0.1;

export const WARN_AT_FAILURES = [5, 8] as const;
export const SUSPEND_AT_FAILURES = 10;
export const MANUAL_RETRY_INTERVAL_MS = 60_000;

/** Why a delivery fails without another attempt: its endpoint was deleted, or has been suspended for too long. */
export type Forsaken = "WEBHOOK_DELETED" | "EXPIRED";

export type AfterAttempt =
	| { status: "DELIVERED"; nextAttemptAt: null }
	| { status: "FAILED"; nextAttemptAt: null }
	/** `nextAttemptAt: null` holds the delivery until its endpoint is resumed. */
	| { status: "PENDING"; nextAttemptAt: number | null };

export type RetryDecision =
	| { accepted: true }
	| { accepted: false; reason: "DELIVERY_IN_PROGRESS" | "WEBHOOK_SUSPENDED" }
	| { accepted: false; reason: "TOO_SOON"; retryAfterSeconds: number };

export function outcomeOfStatus(status: number): Outcome {
	if (status >= 200 && status <= 299) return "DELIVERED";
	if (status >= 300 && status <= 399) return "REDIRECT";
	return "HTTP_ERROR";
}

/** @param error what `fetch` threw; an expired `AbortSignal.timeout` throws a TimeoutError */
export function outcomeOfError(error: unknown): Outcome {
	return error instanceof Error && error.name === "TimeoutError" ? "TIMEOUT" : "CONNECTION_FAILED";
}

/** How the connection failed, by the platform's message. A message without a cause counts as a connection that broke off. */
export function connectionErrorBy(message: string): ConnectionError {
	if (/refused/i.test(message)) return "REFUSED";
	if (/\b(tls|ssl|certificate|handshake)\b/i.test(message)) return "TLS";
	if (/\b(dns|resolve|name not found)\b/i.test(message)) return "DNS";
	return "RESET";
}

export function errorClassOf(ended: { outcome: Outcome; connectionError?: ConnectionError | undefined }): ErrorClass | null {
	switch (ended.outcome) {
		case "DELIVERED":
			return null;
		case "HTTP_ERROR":
			return "STATUS";
		case "CONNECTION_FAILED":
			return ended.connectionError ?? "RESET";
		case "BLOCKED_ADDRESS":
			return "BLOCKED";
		case "ITEM_FAILED":
			return "ITEM";
		case "REDIRECT":
		case "TIMEOUT":
		case "INTERRUPTED":
			return ended.outcome;
	}
}

/**
 * The description of a failure for the delivery's owner; null after success. It never contains the platform's error messages,
 * because these carry internal references.
 *
 * @param failure why the connection failed, or what broke the attempt off, where that is known
 */
export function lastError(
	reason: ErrorClass | Forsaken | null,
	{ responseStatus = null, failure }: { responseStatus?: number | null; failure?: string | undefined } = {},
): string | null {
	const because = failure === undefined ? "." : `: ${failure}.`;
	switch (reason) {
		case null:
			return null;
		case "DNS":
			return `The endpoint's host name could not be resolved${because}`;
		case "TLS":
			return `No secure connection to the endpoint could be made${because}`;
		case "REFUSED":
			return `The endpoint refused the connection${because}`;
		case "RESET":
			return `The connection to the endpoint broke off before it answered${because}`;
		case "TIMEOUT":
			return "The endpoint did not respond within its timeout.";
		case "STATUS":
			return `The endpoint responded with ${responseStatus ?? "an error"}.`;
		case "REDIRECT":
			return `The endpoint responded with ${responseStatus ?? "a redirect"}; redirects are not followed.`;
		case "BLOCKED":
			return "The endpoint's name resolves to an address that is not public.";
		case "INTERRUPTED":
			return failure ?? "The attempt was interrupted; the endpoint may have received it.";
		case "ITEM":
			return "The endpoint named the delivery as one of its batch that failed.";
		case "WEBHOOK_DELETED":
		case "EXPIRED":
			return reason;
	}
}

/** Whether the receiver answered 410, which in Standard Webhooks refuses all further deliveries. An answer to a test does not count. */
export const isGone = (isTest: boolean | number, { responseStatus }: { responseStatus: number | null }): boolean =>
	!isTest && responseStatus === 410;

/** An endpoint that takes longer to answer is slow. */
export const SLOW_MS = 2_000;

/**
 * The endpoint's speed by one attempt: an answer counts by its time, and a timeout counts as slow. Undefined when the connection failed or
 * no request was made.
 */
export function slowness({
	outcome,
	durationMs,
	responseStatus,
}: {
	outcome: Outcome;
	durationMs: number | null;
	responseStatus: number | null;
}): "QUICK" | "SLOW" | undefined {
	if (outcome === "TIMEOUT") return "SLOW";
	if (responseStatus === null || durationMs === null) return undefined;
	return durationMs < SLOW_MS ? "QUICK" : "SLOW";
}

/**
 * How many milliseconds a 429 or 503 response asks to wait, with `Retry-After` in seconds or as an HTTP date; otherwise undefined.
 *
 * @param now real time, because receivers do not know the sandbox clock
 */
export function retryAfterMs(status: number, header: string | null, now: number): number | undefined {
	if (header === null || (status !== 429 && status !== 503)) return undefined;
	const text = header.trim();
	if (/^[0-9]+$/.test(text)) return Number(text) * 1000;
	// Date.parse accepts far more than HTTP's three date formats, all of which begin with the name of a day.
	if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
	// The oldest format has no time zone and means GMT, but Date.parse would use the machine's.
	const at = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
	return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/**
 * The planned delay before the next attempt, or the delay that the receiver asked for if that is longer, up to twice the planned delay.
 * Undefined when no attempt is left.
 *
 * @param random from 0 to 1, spreads the delay over ±10 %
 */
export function retryDelayMs(roundAttempts: number, askedMs: number | undefined, random: number): number | undefined {
	const seconds = RETRY_DELAYS_S[roundAttempts - 1];
	if (seconds === undefined) return undefined;
	const plannedMs = seconds * 1000;
	const delayMs = Math.round(plannedMs * (1 - RETRY_JITTER + 2 * RETRY_JITTER * random));
	return Math.max(delayMs, Math.min(askedMs ?? 0, 2 * plannedMs));
}

/**
 * @param attempt.roundAttempts counted attempts of this round, including the attempt that just ended; a manual retry starts a round
 * @param attempt.roundInterrupted how many of these were interrupted
 * @param attempt.retryAfterMs the result of `retryAfterMs` for the response
 */
export function afterAttempt(attempt: {
	roundAttempts: number;
	roundInterrupted: number;
	outcome: Outcome;
	retryAfterMs?: number | undefined;
	now: number;
	random: number;
}): AfterAttempt {
	const { roundAttempts, roundInterrupted, outcome, now, random } = attempt;
	if (outcome === "DELIVERED") return { status: "DELIVERED", nextAttemptAt: null };
	if (outcome === "BLOCKED_ADDRESS") return { status: "PENDING", nextAttemptAt: null };
	if (roundAttempts >= MAX_ATTEMPTS) return { status: "FAILED", nextAttemptAt: null };
	// The service, not the endpoint, broke off the attempt, so there is no reason to wait. From the second interruption of a round on the
	// delays apply, because a delivery that keeps breaking the service must not use up its attempts within seconds.
	if (outcome === "INTERRUPTED" && roundInterrupted <= 1) return { status: "PENDING", nextAttemptAt: now };
	const delayMs = retryDelayMs(roundAttempts, attempt.retryAfterMs, random) ?? 0;
	return { status: "PENDING", nextAttemptAt: now + delayMs };
}

/** Whether a FAILED delivery counts against its endpoint: it does unless the service itself interrupted all attempts of the last round. */
export const isEndpointsFailure = ({ roundAttempts, roundInterrupted }: { roundAttempts: number; roundInterrupted: number }): boolean =>
	roundAttempts > roundInterrupted;

/** Whether a manual retry is accepted. Conflicts are reported before TOO_SOON, because waiting would not resolve them. */
export function retry(
	delivery: {
		status: "PENDING" | "DELIVERED" | "FAILED";
		endpointStatus: "ACTIVE" | "SUSPENDED";
		lastManualRetryAt: number | null;
	},
	now: number,
): RetryDecision {
	const { status, endpointStatus, lastManualRetryAt } = delivery;
	if (status === "PENDING") return { accepted: false, reason: "DELIVERY_IN_PROGRESS" };
	if (endpointStatus === "SUSPENDED") return { accepted: false, reason: "WEBHOOK_SUSPENDED" };
	if (lastManualRetryAt === null) return { accepted: true };
	const waitMs = lastManualRetryAt + MANUAL_RETRY_INTERVAL_MS - now;
	if (waitMs <= 0) return { accepted: true };
	// Rounded up, so that a retry after exactly that time is accepted.
	return { accepted: false, reason: "TOO_SOON", retryAfterSeconds: Math.ceil(waitMs / 1000) };
}
