// Tools for people who run a receiver: the signature debugger, and delivery statistics.

import { sql } from "drizzle-orm";
import * as z from "zod";
import { webhookDeliveries } from "../../../events/table";
import { member } from "../../../http/access";
import { operation } from "../../../http/operation";
import { utf8 } from "../../../shared/bytes";
import { ApiError } from "../../../shared/errors";
import { toTimestamp } from "../../../shared/time";
import { DELIVERY_STATES } from "../../../shared/webhook-states";
import { logOf } from "../deliveries/store";
import { findEndpoint } from "../endpoints/store";
import { isInTime } from "../signing/expiry.policy";
import { allKeysOf, secretContext } from "../signing/store";
import { webhookAttempts } from "../table";
import { DIAGNOSES, diagnose } from "./policy";

const path = z.object({ webhook_id: z.uuid().toLowerCase() });

const MAX_HEADER_LENGTH = 4_096;
const MAX_BODY_BYTES = 64 * 1024;

export const verifySignature = operation({
	id: "verifySignature",
	method: "POST",
	path: "/v1/webhooks/{webhook_id}/verify",
	summary: "Explain why a signature does not match",
	access: member("org:webhooks:read"),
	request: {
		path,
		body: z.strictObject({
			header: z.string().max(MAX_HEADER_LENGTH).meta({ description: "The value of X-Service-Signature" }),
			body: z
				.string()
				.max(MAX_BODY_BYTES, { abort: true })
				.refine((text) => utf8(text).length <= MAX_BODY_BYTES, { error: "must have at most 64 KiB", params: { sub_code: "TOO_LONG" } })
				.meta({ description: "The body as the receiver passes it to its signature check, at most 64 KiB" }),
		}),
	},
	response: z.object({ valid: z.boolean(), reason: z.enum(DIAGNOSES), message: z.string() }),
	errors: ["NOT_FOUND"],
	// Changes nothing, so there is nothing to replay.
	idempotent: false,
	async handle({ path, body, caller: { organizationId } }, { db, config, now, realNow }) {
		const [[endpoint], keys] = await db.read(findEndpoint(db.orm, organizationId, path.webhook_id), allKeysOf(db.orm, path.webhook_id));
		if (!endpoint) throw new ApiError("NOT_FOUND");
		const open = async (active: boolean) => {
			const secrets = await Promise.all(
				keys
					.filter((key) => (key.revokedAt === null && isInTime(key, now)) === active)
					.map(({ id, sealedSecret }) =>
						config.keyring.open("webhook-secret", secretContext({ organizationId, webhookId: endpoint.id, keyId: id }), sealedSecret),
					),
			);
			return secrets.filter((secret) => secret !== undefined);
		};
		const [activeSecrets, revokedSecrets] = await Promise.all([open(true), open(false)]);
		return diagnose({ ...body, activeSecrets, revokedSecrets, now: realNow });
	},
});

/** How many of the latest deliveries the statistics cover. */
const STATS_WINDOW = 1_000;

export const getWebhookStats = operation({
	id: "getWebhookStats",
	method: "GET",
	path: "/v1/webhooks/{webhook_id}/stats",
	summary: "Delivery statistics over the last 1,000 deliveries",
	access: member("org:webhooks:read"),
	request: { path },
	response: z.object({
		deliveries: z.object({ delivered: z.int(), failed: z.int(), pending: z.int() }),
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
	}),
	reads: "primary",
	errors: ["NOT_FOUND"],
	async handle({ path, caller: { organizationId } }, { db }) {
		const recent = sql`(
			select id, status, created_at, attempt_duration_ms, response_status from ${logOf(DELIVERY_STATES)}
			where organization_id = ${organizationId} and webhook_id = ${path.webhook_id} order by created_at desc, id desc limit ${STATS_WINDOW})`;
		const [[endpoint], counts, [pending], [answered]] = await db.read(
			findEndpoint(db.orm, organizationId, path.webhook_id),
			db.orm.all<{ status: string; count: number }>(sql`select status as "status", count(*) as "count" from ${recent} group by status`),
			db.orm.all<{ oldest: number | null }>(
				sql`select min(created_at) as "oldest" from ${webhookDeliveries} where organization_id = ${organizationId} and webhook_id = ${path.webhook_id} and status = 'PENDING'`,
			),
			db.orm.all<{ durations: string }>(sql`
				with recent as materialized ${recent}
				select json_group_array(answered.duration_ms) as "durations" from (
					select attempt_duration_ms as duration_ms from recent where response_status is not null
					union all
					select a.duration_ms from recent d cross join ${webhookAttempts} a on a.delivery_id = d.id where a.response_status is not null) answered`),
		);
		if (!endpoint) throw new ApiError("NOT_FOUND");
		const of = (status: string) => counts.find((row) => row.status === status)?.count ?? 0;
		const [delivered, failed] = [of("DELIVERED"), of("FAILED")];
		const durations = (JSON.parse(answered?.durations ?? "[]") as number[]).sort((a, b) => a - b);
		const percentile = (share: number) => durations[Math.max(0, Math.ceil(durations.length * share) - 1)] ?? 0;
		const oldest = pending?.oldest ?? null;
		return {
			deliveries: { delivered, failed, pending: of("PENDING") },
			success_rate: delivered + failed === 0 ? null : delivered / (delivered + failed),
			latency_ms: durations.length === 0 ? null : { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) },
			oldest_pending_at: oldest === null ? null : toTimestamp(oldest),
			failures_in_row: endpoint.failuresInRow,
		};
	},
});
