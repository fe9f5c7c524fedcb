// The events that webhooks raise about themselves.

import * as z from "zod";
import { eventType } from "../../shared/event-type";
import { ERROR_CLASSES, SUSPENSION_REASONS } from "../../shared/webhook-states";

const members = { webhook_id: z.uuid(), name: z.string().meta({ description: "Of the endpoint" }) };
const endpoint = { webhook_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e13", name: "billing" };

export const webhookTest = eventType({
	type: "webhook.test",
	category: "WEBHOOK",
	description: "Sent on request, to the tested endpoint alone",
	data: z.object(members),
	example: endpoint,
	subscribable: false,
});

export const webhookFailing = eventType({
	type: "webhook.failing",
	category: "WEBHOOK",
	description: "Five or eight deliveries to an endpoint failed in a row",
	data: z.object({
		...members,
		failures_in_row: z.int().meta({ description: "Deliveries that have FAILED since the last DELIVERED one" }),
		suspended_at_failures: z.int().meta({ description: "How many failures in a row suspend the endpoint" }),
	}),
	example: { ...endpoint, failures_in_row: 5, suspended_at_failures: 10 },
});

export const webhookSuspended = eventType({
	type: "webhook.suspended",
	category: "WEBHOOK",
	description: "An endpoint was suspended",
	data: z.object({ ...members, reason: z.enum(SUSPENSION_REASONS), suspended_at: z.iso.datetime() }),
	example: { ...endpoint, reason: "TEN_FAILED_DELIVERIES", suspended_at: "2026-03-02T09:30:00.000Z" },
});

const outage = { ...members, suspended_at: z.iso.datetime() };
const outageExample = { ...endpoint, suspended_at: "2026-03-02T09:30:00.000Z" };

export const webhookProbeFailed = eventType({
	type: "webhook.probe_failed",
	category: "WEBHOOK",
	description: "A suspended endpoint that recovers by itself was probed, and has not answered with a 2xx",
	data: z.object({
		...outage,
		probed_at: z.iso.datetime(),
		error_class: z.enum(ERROR_CLASSES),
		next_probe_at: z.iso.datetime().nullable().meta({ description: "null when this was the last probe: it must be resumed by hand" }),
	}),
	example: { ...outageExample, probed_at: "2026-03-02T09:31:00.000Z", error_class: "TIMEOUT", next_probe_at: "2026-03-02T09:35:00.000Z" },
});

export const webhookRecovered = eventType({
	type: "webhook.recovered",
	category: "WEBHOOK",
	description: "A suspended endpoint answered a probe with a 2xx and is ACTIVE again; what it missed follows",
	data: z.object({ ...outage, recovered_at: z.iso.datetime() }),
	example: { ...outageExample, recovered_at: "2026-03-02T09:35:00.000Z" },
});

export const webhookKeyExpired = eventType({
	type: "webhook.key_expired",
	category: "WEBHOOK",
	description: "A signing key stopped signing by itself, some time after the rotation that replaced it",
	data: z.object({ ...members, signing_key_id: z.uuid(), expired_at: z.iso.datetime() }),
	example: { ...endpoint, signing_key_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e14", expired_at: "2026-03-02T09:30:00.000Z" },
});

const holding = {
	organization_id: z.uuid(),
	held: z.int().meta({ description: "Deliveries that are kept, in any state" }),
	quota: z.int().meta({ description: "How many may be kept" }),
};
const held = { organization_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e15", quota: 2_000_000 };

export const webhookQuotaNearing = eventType({
	type: "webhook.quota_nearing",
	category: "WEBHOOK",
	description: "Four fifths of the deliveries that the organization may keep are kept",
	data: z.object(holding),
	example: { ...held, held: 1_600_000 },
});

export const webhookQuotaReached = eventType({
	type: "webhook.quota_reached",
	category: "WEBHOOK",
	description: "No deliveries are made, because the organization has reached its quota; raised once a day. The feed has all events",
	data: z.object(holding),
	example: { ...held, held: 2_000_000 },
});
