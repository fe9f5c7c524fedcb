// What the delivery log is asked for, and how much of it a page looks at.

import type { DeliveryState } from "../../shared/webhook-states";

/** How many deliveries a page without an index of its own looks at. Each is three rows read: in the index, in the table and as it is numbered. */
export const LOOKED_AT = 300;

export type LogFilter = {
	webhookId?: string | undefined;
	eventId?: string | undefined;
	eventType?: string | undefined;
	status?: DeliveryState | undefined;
};

/** Whether no index has all that the filter names. */
export const hasNoIndex = ({ eventId, eventType, status }: LogFilter): boolean =>
	eventType !== undefined && eventId === undefined && status !== "FAILED";

/**
 * A row of a page that has no index of its own: its place among those that were looked at, and whether it meets the filter. Rows of other
 * pages all meet it.
 */
export type Looked<Row> = Row & { readonly place?: number; readonly meets?: 0 | 1 };

/** Those that meet the filter, and the edge, undefined when nothing lies behind what was looked at. */
export function judged<Row extends { createdAt: number; id: string }>(looked: readonly Looked<Row>[]) {
	const last = looked.find(({ place }) => place === LOOKED_AT);
	return { rows: looked.filter(({ meets }) => meets !== 0), edge: last && positionOf(last) };
}

export const positionOf = ({ createdAt, id }: { createdAt: number; id: string }): [number, string] => [createdAt, id];
