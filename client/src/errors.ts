// What a call rejects with.

import type { Approval, ErrorCodes } from "./generated.ts";

/** What was wrong with a part of the request. */
export interface Reason {
	/** Where: `loan_amount`, or `accounts[0].mobile_number`. */
	readonly path: string;
	readonly reason: string;
	/** What kind of mistake it is: `OUT_OF_RANGE`. */
	readonly sub_code: string;
}

/** The members of a refusal. */
export interface Refusal {
	readonly code?: string;
	readonly description?: string;
	/** Why exactly: `OTP_WRONG`. New ones may come. */
	readonly reason?: string;
	/** For the user, in the language that they have chosen, else in that of `Accept-Language`. */
	readonly user_message?: string;
	readonly invalid_params?: readonly Reason[];
	/** `CONCURRENT_CHANGE`: the same call may succeed when it is made again. */
	readonly sub_code?: string;
	/** How often a one-time password may be tried again. */
	readonly tries_left?: number;
	/** When a new one-time password may be asked for. */
	readonly seconds_until_new_code?: number;
	/** From when it is possible, with the reason `CAUTION`. */
	readonly available_from?: string;
	/** Where the app's present version is, with `UPGRADE_REQUIRED`. */
	readonly store_url?: string;
}

/** The operations by their names. */
export type OperationId = keyof ErrorCodes;

/** The service refused the call. */
export class ApiError<Id extends OperationId = OperationId> extends Error {
	declare readonly operation: Id;
	declare readonly status: number;
	/** `UNKNOWN`: something between this program and the service answered. */
	declare readonly code: ErrorCodes[Id] | "UNKNOWN";
	/** What is wrong with the request, part by part. */
	declare readonly reasons: readonly Reason[];
	/** Names the call in the service's log. */
	declare readonly requestId: string | undefined;
	/** After how many seconds the call may succeed. */
	declare readonly retryAfter: number | undefined;
	/** The refusal as it was sent. */
	declare readonly body: Refusal;

	constructor(operation: Id, status: number, body: Refusal, requestId?: string, retryAfter?: number) {
		const { code = "UNKNOWN", description = "", invalid_params: reasons = [] } = body;
		const parts = reasons.map(({ path, reason }) => `${path} ${reason}`).join("; ");
		super(`${operation}: ${status} ${code}${description && `: ${description}`}${parts && ` (${parts})`}`);
		Object.assign(this, { name: "ApiError", operation, status, code, reasons, requestId, retryAfter, body });
	}
}

/** An operator's change waits for a second operator: nothing is done yet. */
export class HeldError extends Error {
	/** The request for the second operator's approval. */
	declare readonly approval: Approval;

	constructor(operation: string, approval: Approval) {
		super(`${operation}: held for the approval ${approval.id}`);
		Object.assign(this, { name: "HeldError", approval });
	}
}

/** No answer arrived, in as many attempts as were allowed. A change may have been done: the same key again shows it. */
export class ConnectionError extends Error {
	/** That of a change: sent again, it gets the answer that was lost. */
	declare readonly idempotencyKey: string | undefined;

	constructor(operation: string, cause: unknown, idempotencyKey: string | undefined) {
		super(`${operation}: no answer (${cause instanceof Error ? cause.message : cause})`, { cause });
		Object.assign(this, { name: "ConnectionError", idempotencyKey });
	}
}

/** Whether the error is a refusal of this operation, or of any: its `code` is then one of those that are declared. */
export const isApiError = <Id extends OperationId = OperationId>(error: unknown, operation?: Id): error is ApiError<Id> =>
	error instanceof ApiError && (operation === undefined || error.operation === operation);
