// Delivery statistics of an endpoint.

import * as z from "zod";
import { member } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { ApiError } from "../../../shared/errors";
import { toTimestamp } from "../../../shared/time";
import { findEndpoint } from "../store";
import { bucketsOf, MAX_BUCKETS, MIN_BUCKETS, PERIOD_NAMES, percentile, slotsOf, sumOf } from "./policy";
import { pendingOf, slotsSince } from "./store";

/** More are not counted, so that a long backlog does not cost more to look at. */
const MAX_PENDING = 50;

const latency = z.int().nullable();

export const getWebhookStats = operation({
	id: "getWebhookStats",
	method: "GET",
	path: "/v1/webhooks/{webhook_id}/stats",
	summary: "Delivery statistics of the last hour, day or week",
	description: "Latencies are accurate to 5 %. Tests are left out.",
	access: member("org:webhooks:read"),
	request: {
		path: z.object({ webhook_id: z.uuid().toLowerCase() }),
		query: z.object({
			window: z.enum(PERIOD_NAMES).default("PT24H").meta({ description: "The period, up to now" }),
			buckets: z.coerce
				.number()
				.int()
				.min(MIN_BUCKETS)
				.max(MAX_BUCKETS)
				.default(24)
				.meta({ description: "Into how many parts to divide it" }),
		}),
	},
	response: z.object({
		deliveries: z.object({
			delivered: z.int(),
			failed: z.int(),
			pending: z.int().meta({ description: `Now, whenever they were created; at most ${MAX_PENDING} are counted` }),
		}),
		success_rate: z
			.number()
			.nullable()
			.meta({ description: "Share of finished deliveries that succeeded, from 0 to 1; null when none has finished" }),
		latency_ms: z
			.object({ p50: z.int(), p95: z.int(), p99: z.int() })
			.nullable()
			.meta({ description: "Time from request to response, over all attempts that got a response" }),
		oldest_pending_at: z.iso.datetime().nullable(),
		failures_in_row: z.int(),
		buckets: z.array(
			z.object({
				from: z.iso.datetime().meta({ description: "Inclusive; the bucket ends where the next one begins, the last one now" }),
				attempts: z.int().meta({ description: "Attempts that ended" }),
				delivered: z.int().meta({ description: "Deliveries that succeeded" }),
				failed: z.int().meta({ description: "Deliveries that failed for good" }),
				p50_ms: latency,
				p95_ms: latency,
			}),
		),
	}),
	reads: "primary",
	errors: ["NOT_FOUND"],
	async handle({ path, query, caller: { organizationId } }, { db, now }) {
		const [[endpoint], rows, [pending]] = await db.read(
			findEndpoint(db.orm, organizationId, path.webhook_id),
			slotsSince(db.orm, path.webhook_id, slotsOf(query.window, now)),
			pendingOf(db.orm, organizationId, path.webhook_id, MAX_PENDING),
		);
		if (!endpoint) throw new ApiError("NOT_FOUND");
		const slots = rows.map((row) => ({ ...row, latencies: JSON.parse(row.latencies) as Record<string, number> }));
		const { delivered, failed, latencies } = sumOf(slots);
		const [p50, p95, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.95), percentile(latencies, 0.99)];
		const oldest = pending?.oldest ?? null;
		return {
			deliveries: { delivered, failed, pending: pending?.count ?? 0 },
			success_rate: delivered + failed === 0 ? null : delivered / (delivered + failed),
			latency_ms: p50 === null || p95 === null || p99 === null ? null : { p50, p95, p99 },
			oldest_pending_at: oldest === null ? null : toTimestamp(oldest),
			failures_in_row: endpoint.failuresInRow,
			buckets: bucketsOf(query.window, query.buckets, slots, now).map(({ from, p50, p95, ...counts }) => ({
				from: toTimestamp(from),
				...counts,
				p50_ms: p50,
				p95_ms: p95,
			})),
		};
	},
});
