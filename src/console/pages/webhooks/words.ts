// The codes of webhooks in words.

import { plural } from "../../format.ts";
import type { DeliveryRecord, DeliverySummary, FilterCondition, WebhookEndpoint } from "../../typed.ts";
import type { Shape } from "../../ui/state.tsx";

type Named = { readonly of: Shape; readonly word: string; readonly note?: string };

const SUSPENSIONS: Readonly<Record<NonNullable<WebhookEndpoint["suspension_reason"]>, string>> = {
	MANUAL: "by hand",
	TEN_FAILED_DELIVERIES: "after ten failures",
	PRIVATE_ADDRESS: "its address is private",
	GONE: "it answered 410",
};

export function stateOf({ status, suspension_reason, failures_in_row }: WebhookEndpoint): Named {
	if (status === "SUSPENDED")
		return { of: "suspended", word: "Suspended", ...(suspension_reason && { note: SUSPENSIONS[suspension_reason] }) };
	if (failures_in_row > 0) return { of: "failing", word: "Failing", note: `${plural(failures_in_row, "delivery", "deliveries")} in a row` };
	return { of: "good", word: "Active" };
}

export function deliveryState({
	status,
	attempts,
	next_attempt_at,
}: Pick<DeliverySummary, "status" | "attempts" | "next_attempt_at">): Named {
	if (status === "DELIVERED") return { of: "good", word: "Delivered" };
	if (status === "FAILED") return { of: "ended", word: "Failed" };
	if (next_attempt_at === null) return { of: "waiting", word: "Held", note: "not due" };
	return attempts > 0 ? { of: "retrying", word: "Retrying" } : { of: "waiting", word: "Waiting" };
}

type Attempt = DeliveryRecord["attempt_log"][number];

const OUTCOMES: Readonly<Record<NonNullable<Attempt["outcome"]>, readonly [word: string, why: string]>> = {
	DELIVERED: ["Delivered", "The receiver answered with 2xx"],
	HTTP_ERROR: ["HTTP error", "The receiver answered, but not with 2xx"],
	REDIRECT: ["Redirect", "The receiver sent it elsewhere, which is not followed"],
	TIMEOUT: ["No answer in time", "The receiver took longer than its endpoint allows"],
	CONNECTION_FAILED: ["No connection", "The receiver could not be reached"],
	BLOCKED_ADDRESS: ["Address not allowed", "The name leads to a private address"],
	INTERRUPTED: ["Interrupted", "The service stopped before the answer; it is sent again"],
	ITEM_FAILED: ["Failed in its batch", "The receiver took the batch and named this delivery as failed"],
};

const CONNECTIONS: Readonly<Partial<Record<NonNullable<Attempt["error_class"]>, string>>> = {
	DNS: "The name has no address",
	TLS: "The certificate is not accepted",
	REFUSED: "Nothing listens at the address",
	RESET: "The receiver closed the connection",
};

/** What an attempt came to, and why. */
export function outcomeOf({ outcome, error_class }: Pick<Attempt, "outcome" | "error_class">): readonly [word: string, why: string] {
	if (outcome === null) return ["Under way", "The answer is waited for"];
	const [word, why] = OUTCOMES[outcome];
	return [word, (error_class && CONNECTIONS[error_class]) || why];
}

/** `amount from 1000`, `type is repayment.*` */
export function conditionInWords({ member, in: any, min, max }: FilterCondition): string {
	const bounds = [min !== undefined && `from ${min}`, max !== undefined && `up to ${max}`, any && `is ${any.join(" or ")}`];
	return [member, ...bounds.filter(Boolean)].join(" ");
}

export const WHY_SUSPENDED: Readonly<Record<NonNullable<WebhookEndpoint["suspension_reason"]>, string>> = {
	MANUAL: "It was suspended by hand.",
	TEN_FAILED_DELIVERIES: "Ten deliveries failed in a row.",
	PRIVATE_ADDRESS: "Its name leads to a private address, to which nothing is sent.",
	GONE: "The receiver answered 410: it wants no more.",
};
