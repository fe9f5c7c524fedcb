// The delivery log and manual retries.

import { and, eq, inArray, sql } from "drizzle-orm";
import * as z from "zod";
import type { Orm } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { byCreation } from "../../../db/keyset";
import { first } from "../../../db/reads";
import { webhookDeliveries, webhookEndpoints } from "../../../events/table";
import { member } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { openPage, paging } from "../../../http/paging";
import type { HandlerServices } from "../../../runtime/services";
import { ApiError, tooManyRequests } from "../../../shared/errors";
import { toTimestamp } from "../../../shared/time";
import { Instant } from "../../../shared/timestamp";
import { DELIVERY_STATES } from "../../../shared/webhook-states";
import { retry } from "../attempts/policy";
import { DELIVERY_TRANSITIONS } from "../endpoints/lifecycle";
import { checkFilter } from "../event-type.policy";
import { archivedDelivery } from "../keeping/archive.procedure";
import { restoredFrom } from "../keeping/archive.store";
import { rowsFrom } from "../keeping/archive.wire";
import { holdingOf } from "../keeping/quota.store";
import { attemptOf, deliveryOf, findReceipt, receiptsIn, restored } from "../keeping/receipts.store";
import { hasNoIndex, judged, positionOf } from "../log.policy";
import { attemptsOf, findEndpoint } from "../store";
import { DeliveryRecord, DeliverySummary, toDeliveryRecord, toDeliverySummary } from "../wire";
import { edgesOfForsaken, forsakenIn, logBy, lookedAtIn, ofAnEndpoint, summaryColumns } from "./log.store";
import { endpointOf, findDelivery } from "./store";

const { RETRY } = DELIVERY_TRANSITIONS;

const nothing = (orm: Orm) => orm.all<never>(sql`select 1 where false`);

export const listDeliveries = operation({
	id: "listDeliveries",
	method: "GET",
	path: "/v1/webhooks/deliveries",
	summary: "Deliveries, newest first",
	description: "With `event_type` a page may have fewer rows than `size`, or none: follow `next` until it is null.",
	access: member("org:webhooks:read"),
	request: {
		query: z.object({
			...paging,
			webhook_id: z.uuid().toLowerCase().optional(),
			event_id: z.uuid().toLowerCase().optional(),
			event_type: z.string().optional(),
			status: z.enum(DELIVERY_STATES).optional(),
			created_from: Instant.optional().meta({ description: "Inclusive" }),
			created_until: Instant.optional().meta({ description: "Exclusive" }),
		}),
	},
	response: z.object({
		data: z.array(DeliverySummary),
		next: z.string().nullable(),
		prev: z.string().nullable(),
		complete_from: z.iso.datetime().nullable().meta({
			description:
				"Finished deliveries made before this may be missing: archived ones are found by their id. null: all that are kept are in the list",
		}),
	}),
	reads: "primary",
	async handle({ query, caller: { organizationId } }, services) {
		const { webhook_id, event_id, event_type, status, created_from, created_until } = query;
		checkFilter(await services.eventTypes(), "query.event_type", event_type);
		const range = { from: created_from, until: created_until };
		const filter = { webhookId: webhook_id, eventId: event_id, eventType: event_type, status };
		const { statement, merge, window, page } = await openPage(services, query, {
			list: "webhook-deliveries",
			owner: organizationId,
			filters: { webhook_id, event_id, event_type, status, created_from, created_until },
			select: (orm) => orm.select(summaryColumns).from(logBy(filter)).$dynamic(),
			key: byCreation(webhookDeliveries),
			where: and(
				eq(webhookDeliveries.organizationId, organizationId),
				webhook_id === undefined ? undefined : eq(webhookDeliveries.webhookId, webhook_id),
				event_id === undefined ? undefined : eq(webhookDeliveries.eventId, event_id),
				event_type === undefined ? undefined : eq(webhookDeliveries.eventType, event_type),
				status === "PENDING" ? ofAnEndpoint : undefined,
			),
			range,
		});
		const { orm } = services.db;
		const of = [orm, organizationId, filter, window, range] as const;
		const mayHaveReceipts = status === undefined || status === "DELIVERED";
		const isFailed = status === "FAILED";
		const { looked, holding, receipts, forsaken, edges } = await services.db.read({
			looked: hasNoIndex(filter) ? lookedAtIn(...of) : statement,
			holding: first(holdingOf(orm, organizationId)),
			receipts: mayHaveReceipts ? receiptsIn(...of) : nothing(orm),
			forsaken: isFailed ? forsakenIn(...of) : nothing(orm),
			edges: isFailed && event_type !== undefined && event_id === undefined ? edgesOfForsaken(...of) : nothing(orm),
		});
		const [inRows, inReceipts] = [judged(looked), judged(receipts)];
		const found = merge([inRows.rows, inReceipts.rows.map(deliveryOf), forsaken]);
		const ends = [inRows.edge, inReceipts.edge, ...edges.map(positionOf)].filter((edge) => edge !== undefined);
		const { rows, next, prev } = await page(found, ends);
		const { completeFrom = null } = holding ?? {};
		return { data: rows.map(toDeliverySummary), next, prev, complete_from: completeFrom === null ? null : toTimestamp(completeFrom) };
	},
});

export const getDelivery = operation({
	id: "getDelivery",
	method: "GET",
	path: "/v1/webhooks/deliveries/{id}",
	summary: "A delivery with all its attempts",
	access: member("org:webhooks:read"),
	request: { path: z.object({ id: z.uuid().toLowerCase() }) },
	response: DeliveryRecord,
	reads: "primary",
	errors: ["NOT_FOUND"],
	async handle({ path, caller: { organizationId } }, services) {
		const { db } = services;
		const { row, attempts, receipt } = await db.read({
			row: first(findDelivery(db.orm, organizationId, path.id)),
			attempts: attemptsOf(db.orm, path.id),
			receipt: first(findReceipt(db.orm, organizationId, path.id)),
		});
		if (row) return toDeliveryRecord(row, attempts);
		if (receipt) return toDeliveryRecord({ ...deliveryOf(receipt), body: receipt.body }, [attemptOf(receipt)]);
		const archived = await archivedDelivery(services, organizationId, path.id);
		if (archived) return archived;
		throw new ApiError("NOT_FOUND");
	},
});

/** Finds a delivery in the table, the receipts or the archive, with its endpoint, if any, and the statements that restore its row. */
async function findToRetry(services: HandlerServices, organizationId: string, id: string) {
	const { orm } = services.db;
	const { row, endpoint, attempts, receipt } = await services.db.read({
		row: first(findDelivery(orm, organizationId, id)),
		endpoint: first(endpointOf(orm, organizationId, id)),
		attempts: attemptsOf(orm, id),
		receipt: first(findReceipt(orm, organizationId, id)),
	});
	if (row) return { delivery: row, endpoint, attempts, restoring: [] };
	if (receipt) {
		const delivery = { ...deliveryOf(receipt), body: receipt.body };
		return { delivery, endpoint, attempts: [attemptOf(receipt)], restoring: restored(orm, organizationId, id) };
	}
	const archived = await archivedDelivery(services, organizationId, id);
	if (!archived) return undefined;
	const endpointOfArchived = await services.db.read(first(findEndpoint(orm, organizationId, archived.webhook_id)));
	const of = rowsFrom(archived);
	const delivery = { ...of.row, body: archived.body, endpointStatus: undefined };
	return { delivery, endpoint: endpointOfArchived, attempts: of.attempts, restoring: restoredFrom(orm, organizationId, archived) };
}

export const retryDelivery = operation({
	id: "retryDelivery",
	method: "POST",
	path: "/v1/webhooks/deliveries/{delivery_id}/retry",
	summary: "Resend a finished delivery",
	description: "Sends the recorded bytes again under the same delivery id, in up to six attempts. Allowed once a minute for each delivery.",
	access: member("org:webhooks:write"),
	request: { path: z.object({ delivery_id: z.uuid().toLowerCase() }) },
	response: DeliveryRecord,
	errors: ["NOT_FOUND", "DELIVERY_IN_PROGRESS", "WEBHOOK_SUSPENDED"],
	async handle({ path, caller: { organizationId } }, services) {
		const { db, now } = services;
		const look = async () => {
			const found = await findToRetry(services, organizationId, path.delivery_id);
			if (!found?.endpoint) throw new ApiError("NOT_FOUND");
			const { delivery, endpoint, ...rest } = found;
			const { status, lastManualRetryAt } = delivery;
			const decision = retry({ status, endpointStatus: endpoint.status, lastManualRetryAt }, now);
			if (decision.accepted) return { delivery, endpoint, ...rest };
			throw decision.reason === "TOO_SOON" ? tooManyRequests(decision.retryAfterSeconds) : new ApiError(decision.reason);
		};
		const { delivery, endpoint, attempts, restoring } = await look();
		const guard = services.env.DELIVERY_RETRIES.getByName(delivery.id);
		const permit = await guard.take(now);
		if (!permit.taken) {
			// Another call has the permit. If its retry is already stored, DELIVERY_IN_PROGRESS is the more helpful error.
			await look();
			throw tooManyRequests(permit.waitMs / 1000);
		}
		const changed = {
			status: RETRY.to,
			round: delivery.round + 1,
			roundAttempts: 0,
			roundInterrupted: 0,
			nextAttemptAt: now,
			lastManualRetryAt: now,
			deliveredAt: null,
			failedAt: null,
		};
		try {
			return await services.commit(
				[
					...restoring,
					guarded(
						db.orm
							.update(webhookDeliveries)
							.set(changed)
							.where(
								and(
									eq(webhookDeliveries.id, delivery.id),
									inArray(webhookDeliveries.status, RETRY.from),
									eq(webhookDeliveries.round, delivery.round),
									sql`exists (
										select 1 from ${webhookEndpoints}
										where ${webhookEndpoints.id} = ${delivery.webhookId} and ${webhookEndpoints.status} = 'ACTIVE')`,
								),
							),
						() =>
							services.afterwards(() => services.queue.poke([{ webhookId: delivery.webhookId, lane: endpoint.slow ? "SLOW" : "QUICK" }])),
					),
				],
				toDeliveryRecord({ ...delivery, ...changed, endpointStatus: "ACTIVE" }, attempts),
			);
		} catch (error) {
			await guard.giveBack();
			throw error;
		}
	},
});
