// The life of a loan application: which status follows which, and the decisions that lead there. An open offer is expired from the
// very instant of `expiresAt`, whether or not anybody has yet written that down.

import { DAY_MS } from "../../../shared/time";
import { type AmountFault, amountFault, type TermsRange } from "./terms.policy";

export const TRANSITIONS = {
	PENDING: { approve: "APPROVED", reject: "REJECTED", cancel: "CANCELLED", expire: "EXPIRED" },
	APPROVED: { submit: "SUBMITTED", cancel: "CANCELLED", expire: "EXPIRED" },
	SUBMITTED: { disburse: "DISBURSED", fail: "FAILED" },
	REJECTED: {},
	DISBURSED: {},
	FAILED: {},
	EXPIRED: {},
	CANCELLED: {},
} as const satisfies Record<string, Record<string, string>>;

export type ApplicationStatus = keyof typeof TRANSITIONS;
export type ApplicationMove = "approve" | "reject" | "submit" | "disburse" | "fail" | "expire" | "cancel";

export type Application = {
	readonly status: ApplicationStatus;
	/** An instant. */
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

/** How long an offer stands when neither product nor scoring says otherwise. */
export const OFFER_VALIDITY_MS = DAY_MS;

/** The status that a move leads to, or undefined when the table has no such move. */
export function statusAfter(status: ApplicationStatus, move: ApplicationMove): ApplicationStatus | undefined {
	const moves: Partial<Record<ApplicationMove, ApplicationStatus>> = TRANSITIONS[status];
	return moves[move];
}

/** The status to show and to act on: an application that time has overtaken is EXPIRED even while its row says otherwise. */
export function statusAt({ status, expiresAt }: Pick<Application, "status" | "expiresAt">, now: number): ApplicationStatus {
	return now >= expiresAt ? (statusAfter(status, "expire") ?? status) : status;
}

/** Whether the application still stands for (user, product), so that creating another answers with this one. */
export function isOpen(application: Pick<Application, "status" | "expiresAt">, now: number): boolean {
	return statusAfter(statusAt(application, now), "cancel") !== undefined;
}

function stateFault(status: ApplicationStatus): StateFault {
	return status === "EXPIRED" ? "APPLICATION_EXPIRED" : "INVALID_STATE";
}

/** Takes an offer for an amount; the state is judged before the amount, for a closed offer has no range any more. */
export function apply(application: Application, amount: number, now: number): Applied {
	const status = statusAt(application, now);
	if (statusAfter(status, "submit") !== "SUBMITTED") return { accepted: false, reason: stateFault(status) };
	const fault = amountFault(amount, application.range, application.amountStep);
	if (fault) return { accepted: false, reason: fault };
	return { accepted: true, status: "SUBMITTED", loanAmount: amount };
}

/** Withdraws an offer or a request that is still open. */
export function cancel(application: Pick<Application, "status" | "expiresAt">, now: number): Cancelled {
	const status = statusAt(application, now);
	if (statusAfter(status, "cancel") !== "CANCELLED") return { accepted: false, reason: stateFault(status) };
	return { accepted: true, status: "CANCELLED" };
}
