// The lifecycle of a loan application: its statuses, the moves between them, and the decisions behind the moves. An open offer is
// expired from the instant `expiresAt` on, even while its row still says otherwise.

import { DAY_MS } from "../../../shared/time";
import { type AmountFault, amountFault, type TermsRange } from "./terms.policy";

export const TRANSITIONS = {
	PENDING: { approve: "APPROVED", reject: "REJECTED", cancel: "CANCELLED", expire: "EXPIRED" },
	APPROVED: { submit: "SUBMITTED", cancel: "CANCELLED", expire: "EXPIRED" },
	SUBMITTED: { disburse: "DISBURSED", fail: "FAILED" },
	REJECTED: {},
	DISBURSED: {},
	/** Paid after all: the provider has reported it after a failure. */
	FAILED: { disburse: "DISBURSED" },
	EXPIRED: {},
	CANCELLED: {},
} as const satisfies Record<string, Record<string, string>>;

export type ApplicationStatus = keyof typeof TRANSITIONS;
export type ApplicationMove = "approve" | "reject" | "submit" | "disburse" | "fail" | "expire" | "cancel";

export type Application = {
	readonly status: ApplicationStatus;
	/** In ms. The offer is open before this instant, expired from it on. */
	readonly expiresAt: number;
	readonly range: TermsRange;
	readonly amountStep: number;
};

export type StateFault = "INVALID_STATE" | "APPLICATION_EXPIRED";

export type Applied =
	| { readonly accepted: true; readonly status: "SUBMITTED"; readonly loanAmount: number }
	| { readonly accepted: false; readonly reason: StateFault | AmountFault };

export type Cancelled =
	| { readonly accepted: true; readonly status: "CANCELLED" }
	| { readonly accepted: false; readonly reason: StateFault };

/** How long an offer is valid. */
export const OFFER_VALIDITY_MS = DAY_MS;

/** The status that a move leads to, or undefined when the table has no such move. */
export function statusAfter(status: ApplicationStatus, move: ApplicationMove): ApplicationStatus | undefined {
	const moves: Partial<Record<ApplicationMove, ApplicationStatus>> = TRANSITIONS[status];
	return moves[move];
}

/** The status to show and to act on: EXPIRED once `expiresAt` has passed, even while the row still says otherwise. */
export function statusAt({ status, expiresAt }: Pick<Application, "status" | "expiresAt">, now: number): ApplicationStatus {
	return now >= expiresAt ? (statusAfter(status, "expire") ?? status) : status;
}

/** Whether the application is open. A new request for the same user and product then returns it instead of creating another. */
export function isOpen(application: Pick<Application, "status" | "expiresAt">, now: number): boolean {
	return statusAfter(statusAt(application, now), "cancel") !== undefined;
}

function stateFault(status: ApplicationStatus): StateFault {
	return status === "EXPIRED" ? "APPLICATION_EXPIRED" : "INVALID_STATE";
}

/** Accepts an offer for an amount. Checks the status before the amount, because a closed offer has no range. */
export function apply(application: Application, amount: number, now: number): Applied {
	const status = statusAt(application, now);
	if (statusAfter(status, "submit") !== "SUBMITTED") return { accepted: false, reason: stateFault(status) };
	const fault = amountFault(amount, application.range, application.amountStep);
	if (fault) return { accepted: false, reason: fault };
	return { accepted: true, status: "SUBMITTED", loanAmount: amount };
}

/** Cancels an application that is still open. */
export function cancel(application: Pick<Application, "status" | "expiresAt">, now: number): Cancelled {
	const status = statusAt(application, now);
	if (statusAfter(status, "cancel") !== "CANCELLED") return { accepted: false, reason: stateFault(status) };
	return { accepted: true, status: "CANCELLED" };
}
