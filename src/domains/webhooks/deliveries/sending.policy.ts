// A request to an endpoint, with one delivery or a batch: builds its content, and reads from its answer how each delivery ended.

import { type Json, parseJson } from "../../../shared/json";
import type { Ended } from "../attempts/end.policy";

/** A claimed delivery. */
type Carried = {
	readonly id: string;
	readonly claim: string;
	readonly organizationId: string;
	/** The most deliveries that a request to the endpoint carries; they share a claim. Null: each delivery has its own request. */
	readonly batchSize: number | null;
	readonly eventType: string;
	readonly body: string;
	/** The last earlier delivery of its entity that FAILED; null when there is none, or the endpoint asks for no order. */
	readonly afterFailed: string | null;
};

/** The deliveries that were claimed for one request. The first stands for all, because all are for one endpoint and from one claim. */
export type Sending<T = Carried> = { readonly organizationId: string; readonly first: T; readonly deliveries: readonly T[] };

/** The requests, in the order of their first deliveries. */
export const sendingsOf = <T extends Carried>(claimed: readonly T[]): Sending<T>[] =>
	[...Map.groupBy(claimed, ({ id, claim, batchSize }) => (batchSize === null ? id : claim)).values()].flatMap(([first, ...others]) =>
		first ? [{ organizationId: first.organizationId, first, deliveries: [first, ...others] }] : [],
	);

export type Content = { id: string; body: string; headers: Record<string, string> };

/** @param batchId the id of the request if it carries a batch, new each time, because a repetition may carry other deliveries */
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
	const afterFailedMember = Object.keys(failed).length === 0 ? "" : `,"after_failed":${JSON.stringify(failed)}`;
	return {
		id: batchId,
		body: `{"batch_id":"${batchId}","deliveries":[${deliveries.map(({ body }) => body).join(",")}]${afterFailedMember}}`,
		headers: { "X-Service-Batch-Id": batchId },
	};
}

/** Enough for an answer that names all deliveries of the largest batch, with spaces between them. */
export const MAX_ANSWER_BYTES = 16 * 1024;

/** How the attempt of each delivery has ended. */
export function endsIn<T extends Carried>({ first, deliveries }: Sending<T>, ended: Ended, answer: string | null): [T, Ended][] {
	const failed = first.batchSize !== null && ended.outcome === "DELIVERED" ? failedIn(answer) : new Set();
	return deliveries.map((attempt) => [attempt, failed.has(attempt.id) ? { ...ended, outcome: "ITEM_FAILED" } : ended]);
}

/** The ids that an answer names in `{"failed": [...]}`. An answer of another form names none. */
function failedIn(answer: string | null): Set<Json | undefined> {
	try {
		const said = parseJson(answer ?? "");
		const failed = typeof said === "object" && said !== null && !Array.isArray(said) ? said.failed : undefined;
		return new Set(Array.isArray(failed) ? failed : []);
	} catch {
		return new Set();
	}
}
