// Delivery statistics, of one endpoint and of all of them together.

import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { bare } from "../../../db/columns";
import { byCreation } from "../../../db/keyset";
import { first } from "../../../db/reads";
import { webhookEndpoints } from "../../../events/table";
import { member } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { Links, listReply, openPage, paging } from "../../../http/paging";
import { ApiError } from "../../../shared/errors";
import { toTimestamp } from "../../../shared/time";
import { ENDPOINT_STATES } from "../../../shared/webhook-states";
import { findEndpoint } from "../store";
import { WebhookEndpoint } from "../wire";
import {
	type Bucket,
	bucketsOf,
	hoursOf,
	type Latencies,
	MAX_BUCKETS,
	MAX_OVERVIEW_BUCKETS,
	MIN_BUCKETS,
	OVERVIEW_NAMES,
	OVERVIEWS,
	PERIOD_NAMES,
	percentile,
	type Slot,
	slotsOf,
	sumOf,
} from "./policy";
import { pendingOf, slotsSince } from "./store";

/** More are not counted, so that a long backlog does not cost more to look at. */
const MAX_PENDING = 50;

const latency = z.int().nullable();
const successRate = z
	.number()
	.nullable()
	.meta({ description: "Share of finished deliveries that succeeded, from 0 to 1; null when none has finished" });
const latencyMs = z
	.object({ p50: z.int(), p95: z.int(), p99: z.int() })
	.nullable()
	.meta({ description: "Time from request to response, over all attempts that got a response" });

const StatsBucket = z
	.object({
		from: z.iso.datetime().meta({ description: "Inclusive; the bucket ends where the next one begins, the last one now" }),
		attempts: z.int().meta({ description: "Attempts that ended" }),
		delivered: z.int().meta({ description: "Deliveries that succeeded" }),
		failed: z.int().meta({ description: "Deliveries that failed for good" }),
		p50_ms: latency,
		p95_ms: latency,
	})
	.meta({ title: "DeliveryStatsBucket" });

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
		success_rate: successRate,
		latency_ms: latencyMs,
		oldest_pending_at: z.iso.datetime().nullable(),
		failures_in_row: WebhookEndpoint.shape.failures_in_row,
		buckets: z.array(StatsBucket),
	}),
	reads: "primary",
	errors: ["NOT_FOUND"],
	async handle({ path, query, caller: { organizationId } }, { db, now }) {
		const period = slotsOf(query.window, now);
		const { endpoint, rows, pending } = await db.read({
			endpoint: first(findEndpoint(db.orm, organizationId, path.webhook_id)),
			rows: slotsSince(db.orm, sql`(${path.webhook_id})`, period),
			pending: first(pendingOf(db.orm, organizationId, path.webhook_id, MAX_PENDING)),
		});
		if (!endpoint) throw new ApiError("NOT_FOUND");
		const slots = rows.map(toSlot);
		const { delivered, failed, ...figures } = figuresOf(slots);
		const oldest = pending?.oldest ?? null;
		return {
			deliveries: { delivered, failed, pending: pending?.count ?? 0 },
			...figures,
			oldest_pending_at: oldest === null ? null : toTimestamp(oldest),
			failures_in_row: endpoint.failuresInRow,
			buckets: bucketsOf(period, query.buckets, slots).map(toBucket),
		};
	},
});

export const listWebhookStats = operation({
	id: "listWebhookStats",
	method: "GET",
	path: "/v1/webhooks/stats",
	summary: "Delivery statistics of all endpoints, the newest first",
	description: `In whole hours, the present one included. Latencies are accurate to 5 %. Tests are left out. A page has at most ${OVERVIEWS.PT24H.endpoints} endpoints of a day and ${OVERVIEWS.P7D.endpoints} of a week, even if \`size\` is larger.`,
	access: member("org:webhooks:read"),
	request: {
		query: z.object({
			...paging,
			window: z.enum(OVERVIEW_NAMES).default("PT24H").meta({ description: "The period, up to now" }),
			buckets: z.coerce
				.number()
				.int()
				.min(1)
				.max(MAX_OVERVIEW_BUCKETS)
				.default(MAX_OVERVIEW_BUCKETS)
				.meta({ description: "Into how many parts to divide it" }),
		}),
	},
	response: z.object({
		data: z.array(
			z.object({
				webhook_id: z.uuid(),
				name: z.string(),
				status: z.enum(ENDPOINT_STATES),
				deliveries: z.object({ delivered: z.int(), failed: z.int() }),
				success_rate: successRate,
				latency_ms: latencyMs,
				failures_in_row: WebhookEndpoint.shape.failures_in_row,
				buckets: z.array(StatsBucket),
			}),
		),
		links: Links,
	}),
	reads: "primary",
	async handle({ query, caller: { organizationId } }, services) {
		const { db, now } = services;
		const { window, buckets } = query;
		const period = hoursOf(window, now);
		const size = Math.min(query.size, OVERVIEWS[window].endpoints);
		const { statement, page } = await openPage(
			services,
			{ ...query, size },
			{
				list: "webhook-stats",
				owner: organizationId,
				filters: { window, buckets },
				select: (orm) => orm.select().from(webhookEndpoints).$dynamic(),
				key: byCreation(webhookEndpoints),
				where: eq(webhookEndpoints.organizationId, organizationId),
			},
		);
		const { endpoints, rows } = await db.read({
			endpoints: statement,
			rows: slotsSince(db.orm, sql`(select ${bare(webhookEndpoints.id)} from (${statement.getSQL()}))`, period),
		});
		const slotsBy = Map.groupBy(rows, ({ webhookId }) => webhookId);
		return listReply(services, await page(endpoints), ({ id, name, status, failuresInRow }) => {
			const slots = (slotsBy.get(id) ?? []).map(toSlot);
			const { delivered, failed, ...figures } = figuresOf(slots);
			return {
				webhook_id: id,
				name,
				status,
				deliveries: { delivered, failed },
				...figures,
				failures_in_row: failuresInRow,
				buckets: bucketsOf(period, buckets, slots).map(toBucket),
			};
		});
	},
});

const toSlot = (row: Omit<Slot, "latencies"> & { latencies: string }): Slot => ({
	...row,
	latencies: JSON.parse(row.latencies) as Latencies,
});

function figuresOf(slots: readonly Slot[]) {
	const { delivered, failed, latencies } = sumOf(slots);
	const [p50, p95, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.95), percentile(latencies, 0.99)];
	return {
		delivered,
		failed,
		success_rate: delivered + failed === 0 ? null : delivered / (delivered + failed),
		latency_ms: p50 === null || p95 === null || p99 === null ? null : { p50, p95, p99 },
	};
}

const toBucket = ({ from, p50, p95, ...counts }: Bucket) => ({ from: toTimestamp(from), ...counts, p50_ms: p50, p95_ms: p95 });
