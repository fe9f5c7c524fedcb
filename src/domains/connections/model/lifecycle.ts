// The states of a connection to a provider of payments.

import { ApiError } from "../../../shared/errors";
import type { PaymentProvider } from "../../../shared/payment-providers";
import { DAY_MS } from "../../../shared/time";

const NAMES: Readonly<Record<PaymentProvider, string>> = { daraja: "M-Pesa", momo: "MTN MoMo" };

export const noConnection = (provider: PaymentProvider): ApiError =>
	new ApiError("NOT_FOUND", { description: `There is no connection to ${NAMES[provider]}` });

export const noReplacement = (provider: PaymentProvider): ApiError =>
	new ApiError("NOT_FOUND", { description: `No other account of ${NAMES[provider]} waits to be connected` });

export const ENVIRONMENTS = ["sandbox", "production"] as const;
export const CONNECTION_CHANGES = [
	"CONNECTED",
	"UPDATED",
	"REPLACEMENT_REQUESTED",
	"REPLACED",
	"REPLACEMENT_DISCARDED",
	"DISCONNECTED",
] as const;
export type ConnectionChange = (typeof CONNECTION_CHANGES)[number];

/** How long another account waits that no second person has agreed to. */
export const REPLACED_AFTER_MS = DAY_MS;

export const CONNECTION_STATES = ["ACTIVE", "PAUSED"] as const;

/**
 * What a check of the credentials has learnt. WAITING: the provider has the question. CREDENTIALS_REFUSED: it gives no token for them.
 * PRODUCT_NOT_ALLOWED: the app may not ask. FAILED: its result says so, by a code. NO_ANSWER: none came, or none with a result.
 */
export const CHECK_OUTCOMES = ["WAITING", "SUCCEEDED", "CREDENTIALS_REFUSED", "PRODUCT_NOT_ALLOWED", "FAILED", "NO_ANSWER"] as const;

/**
 * What became of a search for payments that nobody has confirmed. REFUSED: the provider does not list the account's payments. NO_ANSWER:
 * none came, or none with a result.
 */
export const PULL_OUTCOMES = ["SUCCEEDED", "CREDENTIALS_REFUSED", "PRODUCT_NOT_ALLOWED", "REFUSED", "NO_ANSWER"] as const;
export type PullOutcome = (typeof PULL_OUTCOMES)[number];

type State = { readonly status: (typeof CONNECTION_STATES)[number]; readonly pausedUntil: number | null };

/** A pause with an end is over without anybody's doing. */
export const isPaused = ({ status, pausedUntil }: State, now: number): boolean =>
	status === "PAUSED" && (pausedUntil === null || pausedUntil > now);
