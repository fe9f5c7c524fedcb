// Registers, reads, changes, suspends, resumes and deletes webhook endpoints. Whenever a URL is set, it is checked and its name resolved.

import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { effect, type Write } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { first } from "../../../db/reads";
import { raise } from "../../../events/raise";
import { webhookEndpoints } from "../../../events/table";
import { byBody, isOnly, member } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { atPresent } from "../../../runtime/making-services";
import type { JobServices, Services } from "../../../runtime/services";
import { ApiError } from "../../../shared/errors";
import { nearest } from "../../../shared/nearest";
import { toTimestamp } from "../../../shared/time";
import { nextProbe } from "../attempts/probes.policy";
import { subscriptionTo } from "../event-type.policy";
import { webhookSuspended } from "../events";
import { MAX_ACTIVE_KEYS } from "../signing/policy";
import { activeKeysOf, activeKeysOfAll, orWrongKeyCount } from "../signing/store";
import { forgetStatistics } from "../statistics/store";
import { findEndpoint } from "../store";
import { webhookSigningKeys } from "../table";
import { type EndpointRow, toSigningKey, toWebhookEndpoint, WebhookEndpoint } from "../wire";
import { checkConditions } from "./filter.policy";
import { ENDPOINT_TRANSITIONS } from "./lifecycle";
import { newEndpoint } from "./plan";
import {
	countEndpoints,
	endpointsOf,
	failPending,
	holdLeft,
	holdPending,
	MAX_ENDPOINTS,
	PORTION,
	releaseProbe,
	rememberDeletion,
	sealHeaders,
} from "./store";
import { judge, resolve } from "./url.procedure";
import { batchColumns, EndpointChanges, NewEndpoint } from "./wire";

const { RESUME, SUSPEND } = ENDPOINT_TRANSITIONS;

const path = z.object({ webhook_id: z.uuid().toLowerCase() });

export const createWebhook = operation({
	id: "createWebhook",
	method: "POST",
	path: "/v1/webhooks",
	summary: "Register a webhook endpoint",
	access: member("org:webhooks:write"),
	request: { body: NewEndpoint },
	response: WebhookEndpoint,
	status: 201,
	shownOnce: ["secret"],
	errors: ["WEBHOOK_NAME_TAKEN", "TOO_MANY_WEBHOOKS"],
	async handle({ body, caller: { organizationId } }, services) {
		const { db } = services;
		const eventTypes = await services.eventTypes();
		const events = subscriptionTo(eventTypes, body.events);
		checkConditions(eventTypes, { events, filter: body.filter }, nearest);
		const name = judge(services, body.url);
		const existing = await db.read(first(countEndpoints(db.orm, organizationId)));
		if ((existing?.count ?? 0) >= MAX_ENDPOINTS) throw new ApiError("TOO_MANY_WEBHOOKS");
		await resolve(services, name);
		const { row, key, writes } = await newEndpoint(services, organizationId, { ...body, events, urlOf: () => body.url });
		return services.commit(writes, toWebhookEndpoint(row, [toSigningKey(key.row, key.secret)]), {
			unique: [[[webhookEndpoints.organizationId, webhookEndpoints.name], "WEBHOOK_NAME_TAKEN"]],
		});
	},
});

export const listWebhooks = operation({
	id: "listWebhooks",
	method: "GET",
	path: "/v1/webhooks",
	summary: "Webhook endpoints of the organization, newest first",
	access: member("org:webhooks:read"),
	request: {},
	response: z.array(WebhookEndpoint),
	async handle({ caller: { organizationId } }, { db, now }) {
		const { endpoints, keys } = await db.read({
			endpoints: endpointsOf(db.orm, organizationId),
			keys: activeKeysOfAll(db.orm, organizationId, now),
		});
		const newestFirst = keys.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
		const keysOf = Map.groupBy(newestFirst, ({ webhookId }) => webhookId);
		return endpoints.map((row) =>
			toWebhookEndpoint(
				row,
				(keysOf.get(row.id) ?? []).map((key) => toSigningKey(key)),
			),
		);
	},
});

export const getWebhook = operation({
	id: "getWebhook",
	method: "GET",
	path: "/v1/webhooks/{webhook_id}",
	summary: "A webhook endpoint",
	access: member("org:webhooks:read"),
	request: { path },
	response: WebhookEndpoint,
	errors: ["NOT_FOUND"],
	async handle({ path, caller: { organizationId } }, { db, now }) {
		const { row, keys } = await db.read({
			row: first(findEndpoint(db.orm, organizationId, path.webhook_id)),
			keys: activeKeysOf(db.orm, organizationId, path.webhook_id, now),
		});
		if (!row) throw new ApiError("NOT_FOUND");
		return toWebhookEndpoint(
			row,
			keys.map((key) => toSigningKey(key)),
		);
	},
});

export const updateWebhook = operation({
	id: "updateWebhook",
	method: "PATCH",
	path: "/v1/webhooks/{webhook_id}",
	summary: "Change, suspend or resume a webhook endpoint",
	access: byBody(member("org:webhooks:write"), (sent) => (isOnly(sent, { status: "SUSPENDED" }) ? "ALONE" : "REFUSED")),
	request: { path, body: EndpointChanges },
	response: WebhookEndpoint,
	errors: ["NOT_FOUND", "NO_SIGNING_KEY"],
	async handle({ path, body, caller: { organizationId } }, services) {
		const { db, now } = services;
		const eventTypes = await services.eventTypes();
		const events = body.events && subscriptionTo(eventTypes, body.events);
		const name = body.url === undefined ? undefined : judge(services, body.url);
		const { row, keys } = await db.read({
			row: first(findEndpoint(db.orm, organizationId, path.webhook_id)),
			keys: activeKeysOf(db.orm, organizationId, path.webhook_id, now),
		});
		if (!row) throw new ApiError("NOT_FOUND");
		const subscribed = { events: events ?? row.events, filter: body.filter === undefined ? row.filter : body.filter };
		if (body.events ?? body.filter) checkConditions(eventTypes, subscribed, nearest);
		await resolve(services, name);
		const shownKeys = keys.map((key) => toSigningKey(key));
		if (Object.keys(body).length === 0) return toWebhookEndpoint(row, shownKeys);

		const transition = transitionOf(row, body.status);
		if (transition === "RESUME" && keys.every(({ expiresAt }) => expiresAt !== null)) throw new ApiError("NO_SIGNING_KEY");
		const changed: Partial<EndpointRow> = {
			...(await changesOf(services, row, body)),
			...(events && { events }),
			...(body.filter !== undefined && { filter: body.filter }),
			...(transition === "RESUME" && { status: RESUME.to, suspendedAt: null, suspensionReason: null, probeAt: null }),
			...(transition === "SUSPEND" && { status: SUSPEND.to, suspendedAt: now, suspensionReason: "MANUAL", releasedUntil: null }),
			...(transition === undefined && healingOf(row, body, now)),
			updatedAt: now,
		};
		const { status, failuresInRow } = { ...row, ...changed };
		const troubledSince = status === "SUSPENDED" || failuresInRow > 0 ? (row.troubledSince ?? now) : null;
		return services.commit(
			[
				guarded(
					db.orm
						.update(webhookEndpoints)
						.set({ ...changed, ...(troubledSince !== row.troubledSince && { troubledSince }) })
						.where(
							and(eq(webhookEndpoints.id, row.id), eq(webhookEndpoints.status, row.status), eq(webhookEndpoints.updatedAt, row.updatedAt)),
						),
				),
				...consequencesOf(transition, services, row),
			],
			toWebhookEndpoint({ ...row, ...changed }, shownKeys),
		);
	},
});

type Transition = keyof typeof ENDPOINT_TRANSITIONS;

function transitionOf({ status }: EndpointRow, wanted: EndpointRow["status"] | undefined): Transition | undefined {
	if (status === RESUME.from[0] && wanted === RESUME.to) return "RESUME";
	if (status === SUSPEND.from[0] && wanted === SUSPEND.to) return "SUSPEND";
	return undefined;
}

/** When a suspended endpoint is probed next. An endpoint that its owner suspends once more is suspended by hand, and does not heal. */
function healingOf(row: EndpointRow, body: z.output<typeof EndpointChanges>, now: number): Partial<EndpointRow> {
	if (row.suspensionReason !== "TEN_FAILED_DELIVERIES" || row.suspendedAt === null) return {};
	if (body.status === SUSPEND.to) return { suspensionReason: "MANUAL", probeAt: null };
	if (body.auto_recover === undefined) return {};
	return { probeAt: body.auto_recover ? nextProbe(row.suspendedAt, now) : null };
}

/** The columns that the body sets, without subscriptions and transitions. A new URL, or an explicit ACTIVE, starts the count of failures again. */
async function changesOf(services: Services, row: EndpointRow, body: z.output<typeof EndpointChanges>): Promise<Partial<EndpointRow>> {
	const moved = body.url !== undefined && body.url !== row.url;
	return {
		...(body.description !== undefined && { description: body.description }),
		...(body.url !== undefined && { url: body.url }),
		...(body.timeout !== undefined && { timeoutMs: body.timeout }),
		...(body.max_in_flight !== undefined && { maxInFlight: body.max_in_flight }),
		...(body.rate_limit !== undefined && { rateLimit: body.rate_limit }),
		...(body.auto_recover !== undefined && { autoRecover: body.auto_recover }),
		...(body.ordering && { ordering: body.ordering }),
		...(body.batch !== undefined && batchColumns(body.batch)),
		...(body.headers && (await sealHeaders(services, { organizationId: row.organizationId, webhookId: row.id }, body.headers))),
		...((moved || body.status === "ACTIVE") && { failuresInRow: 0 }),
		...(moved && { slow: false }),
	};
}

/** What the commit of a transition does to the endpoint's deliveries, and whom it notifies. */
function consequencesOf(transition: Transition | undefined, services: Services, { id, organizationId, name }: EndpointRow): Write[] {
	const { db, now } = services;
	switch (transition) {
		case "RESUME":
			return [
				orWrongKeyCount(id, { lasting: 1, most: MAX_ACTIVE_KEYS }, now),
				holdLeft(db.orm, id, now),
				effect([releaseProbe(db.orm, id, now)], ([probe]) => services.afterwards(() => services.queue.poke(probe))),
			];
		case "SUSPEND":
			return [
				effect([holdPending(db.orm, id)], () => services.afterwards((job) => holdOrFailRest(job, organizationId, id, "HOLD"))),
				raise(services, webhookSuspended, {
					organizationId,
					data: { webhook_id: id, name, reason: "MANUAL", suspended_at: toTimestamp(now) },
					except: id,
				}),
			];
		case undefined:
			return [];
	}
}

export const deleteWebhook = operation({
	id: "deleteWebhook",
	method: "DELETE",
	path: "/v1/webhooks/{webhook_id}",
	summary: "Delete a webhook endpoint",
	description: "Its pending deliveries become FAILED. Delivery records stay readable, and the name can be used again.",
	access: member("org:webhooks:write"),
	request: { path },
	response: null,
	errors: ["NOT_FOUND"],
	async handle({ path, caller: { organizationId } }, services) {
		const { db, now } = services;
		const { orm } = db;
		const row = await db.read(first(findEndpoint(orm, organizationId, path.webhook_id)));
		if (!row) throw new ApiError("NOT_FOUND");
		return services.commit(
			[
				guarded(orm.delete(webhookEndpoints).where(eq(webhookEndpoints.id, row.id))),
				orm.delete(webhookSigningKeys).where(eq(webhookSigningKeys.webhookId, row.id)),
				forgetStatistics(orm, row.id),
				effect([failPending(orm, organizationId, row.id, now)], () =>
					services.afterwards((job) => holdOrFailRest(job, organizationId, row.id, "FAIL")),
				),
				rememberDeletion(orm, organizationId, row.id, now),
			],
			undefined,
		);
	},
});

const MAX_PORTIONS = 200;

/** Does the rest of a suspension or deletion after its commit, in portions. When it ends early, the sweep does the rest. */
async function holdOrFailRest(job: JobServices, organizationId: string, webhookId: string, kind: "HOLD" | "FAIL"): Promise<void> {
	// The endpoint may have been resumed meanwhile.
	const suspended = sql`exists (select 1 from ${webhookEndpoints} where ${webhookEndpoints.id} = ${webhookId} and ${webhookEndpoints.status} = 'SUSPENDED')`;
	for (let portion = 0; portion < MAX_PORTIONS; portion++) {
		const { db, now } = atPresent(job);
		const statement = kind === "HOLD" ? holdPending(db.orm, webhookId, suspended) : failPending(db.orm, organizationId, webhookId, now);
		const [done] = await db.commit([statement]);
		if ((done as unknown as D1Result).meta.changes < PORTION) return;
	}
}
