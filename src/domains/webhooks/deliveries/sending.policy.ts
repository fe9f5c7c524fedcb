// A request to an endpoint: of one delivery, or of a batch. Its content, and what its answer says about each delivery.

import { type Json, parseJson } from "../../../shared/json";
import type { Ended } from "../attempts/end.policy";

/** A claimed delivery. */
type Carried = {
	readonly id: string;
	readonly claim: string;
	readonly organizationId: string;
	/** How many deliveries a request there carries at most; those of one share a claim. Null: each has a request of its own. */
	readonly batchSize: number | null;
	readonly eventType: string;
	readonly body: string;
	/** The last delivery of its entity before it that FAILED, where the endpoint asks for order. */
	readonly afterFailed: string | null;
};

/** What was claimed for one request. The first stands for all: they are at one endpoint, and were claimed at once. */
export type Sending<T = Carried> = { readonly organizationId: string; readonly first: T; readonly deliveries: readonly T[] };

/** The requests, in the order of their first deliveries. */
export const sendingsOf = <T extends Carried>(claimed: readonly T[]): Sending<T>[] =>
	[...Map.groupBy(claimed, ({ id, claim, batchSize }) => (batchSize === null ? id : claim)).values()].flatMap(([first, ...others]) =>
		first ? [{ organizationId: first.organizationId, first, deliveries: [first, ...others] }] : [],
	);

export type Content = { id: string; body: string; headers: Record<string, string> };

/** @param batchId of a batch: each request has its own, because a repetition may carry other deliveries */
export function contentOf({ first, deliveries }: Sending, batchId: string): Content {
	if (first.batchSize === null) {
		const { id, body, eventType, afterFailed } = first;
		const headers = {
			"X-Service-Event-Type": eventType,
			"X-Service-Delivery-Id": id,
			...(afterFailed !== null && { "X-Service-After-Failed": afterFailed }),
		};
		return { id, body, headers };
	}
	const failed = Object.fromEntries(deliveries.flatMap(({ id, afterFailed }) => (afterFailed === null ? [] : [[id, afterFailed]])));
	const told = Object.keys(failed).length === 0 ? "" : `,"after_failed":${JSON.stringify(failed)}`;
	return {
		id: batchId,
		body: `{"batch_id":"${batchId}","deliveries":[${deliveries.map(({ body }) => body).join(",")}]${told}}`,
		headers: { "X-Service-Batch-Id": batchId },
	};
}

/** An answer may name as many deliveries as a request carries, with spaces between them. */
export const MAX_ANSWER_BYTES = 16 * 1024;

/** How the attempt of each delivery has ended. */
export function endsIn<T extends Carried>({ first, deliveries }: Sending<T>, ended: Ended, answer: string | null): [T, Ended][] {
	const failed = first.batchSize !== null && ended.outcome === "DELIVERED" ? failedIn(answer) : new Set();
	return deliveries.map((attempt) => [attempt, failed.has(attempt.id) ? { ...ended, outcome: "ITEM_FAILED" } : ended]);
}

/** The ids that an answer names in `{"failed": [...]}`. One of another form names none. */
function failedIn(answer: string | null): Set<Json | undefined> {
	try {
		const said = parseJson(answer ?? "");
		const failed = typeof said === "object" && said !== null && !Array.isArray(said) ? said.failed : undefined;
		return new Set(Array.isArray(failed) ? failed : []);
	} catch {
		return new Set();
	}
}
