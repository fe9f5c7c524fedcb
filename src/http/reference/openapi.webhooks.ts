// The `webhooks` section of the OpenAPI document: the request that an endpoint receives for each event type.

import * as z from "zod";
import { type EventType, type EventTypes, PAYLOAD_VERSION } from "../../shared/event-type";
import { SIGNATURE_HEADER } from "../../webhook-verify/verify";

import type { Examples } from "./openapi.examples";

type JsonSchema = { [member: string]: unknown };

/** Generators write the calls of a tag into one file: what endpoints receive has a tag of its own. */
export const WEBHOOK_EVENTS = {
	name: "Webhook events",
	description: "The requests that endpoints receive: one for each event, or, with `batch`, one for several.",
};

/** @param convert from a zod schema to one of the document */
export const webhooksOf = (
	eventTypes: EventTypes,
	convert: (schema: z.core.$ZodType) => JsonSchema,
	examples: Pick<Examples, "events">,
): { [type: string]: { post: JsonSchema } } =>
	Object.fromEntries([...eventTypes.values()].map((eventType) => [eventType.type, { post: deliveryOf(eventType, convert, examples) }]));

function deliveryOf(
	eventType: EventType,
	convert: (schema: z.core.$ZodType) => JsonSchema,
	{ events = true }: Pick<Examples, "events">,
): JsonSchema {
	const { type, description, data, example, subscribable } = eventType;
	const envelope = z.object({
		delivery_id: z.uuid().meta({ description: "As in `X-Service-Delivery-Id`; the same in every attempt" }),
		event_type: z.literal(type),
		payload_version: z.literal(PAYLOAD_VERSION),
		sent_at: z.iso.datetime().meta({ description: "When the delivery was created; the same in every attempt" }),
		organization_id: z.string(),
		data,
	});
	return {
		operationId: `webhook_${type.replaceAll(".", "_")}`,
		summary: description,
		...(!subscribable && { description: "Endpoints receive it without subscribing to it." }),
		tags: [WEBHOOK_EVENTS.name],
		security: [],
		parameters: OF_EVENT,
		requestBody: {
			required: true,
			content: { "application/json": { schema: convert(envelope), ...(events && { example: exampleOf(type, example) }) } },
		},
		responses: RESPONSES,
	};
}

/** @param deliveries the schema of each */
export const batchSchema = (deliveries: JsonSchema): JsonSchema => ({
	type: "object",
	description: "The request that an endpoint with `batch` receives: deliveries of several events",
	properties: { batch_id: UUID, deliveries: { type: "array", items: deliveries } },
	required: ["batch_id", "deliveries"],
});

/** The two requests that endpoints receive, by the schemas of their bodies. */
export const requestsOf = (event: JsonSchema, batch: JsonSchema): { event: { post: JsonSchema }; batch: { post: JsonSchema } } => ({
	event: { post: received("webhook_event", "An event", OF_EVENT, event) },
	batch: { post: received("webhook_batch", "Several events in one request, to an endpoint with `batch`", OF_BATCH, batch) },
});

const received = (operationId: string, summary: string, parameters: readonly JsonSchema[], schema: JsonSchema): JsonSchema => ({
	operationId,
	summary,
	tags: [WEBHOOK_EVENTS.name],
	security: [],
	// Copied, because what requests have alike is put in its place.
	parameters: [...parameters],
	requestBody: { required: true, content: { "application/json": { schema } } },
	responses: { ...RESPONSES },
});

const exampleOf = (type: string, data: EventType["example"]) => ({
	delivery_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e20",
	event_type: type,
	payload_version: PAYLOAD_VERSION,
	sent_at: "2026-03-02T09:30:00.000Z",
	organization_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e21",
	data,
});

function header(name: string, description: string, schema: JsonSchema = { type: "string" }): JsonSchema {
	return { name, in: "header", required: true, description, schema };
}

const UUID: JsonSchema = { type: "string", format: "uuid" };
const SIGNATURE = header(SIGNATURE_HEADER, "`t=<unix seconds>,v1=<hex>`, with one `v1` for each active signing key, the newest first");
/** The headers of Standard Webhooks. */
const STANDARD = [
	header("webhook-id", "The delivery id, or that of the batch, for libraries of Standard Webhooks", UUID),
	header("webhook-timestamp", "The `t` of the signature, in unix seconds"),
	header(
		"webhook-signature",
		"Standard Webhooks: `v1,<base64>` for each active signing key, the newest first, separated by spaces. HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the decoded base64 after `whsec_`",
	),
];

const OF_EVENT = [
	SIGNATURE,
	header("X-Service-Event-Type", "The event type, as in the body"),
	header("X-Service-Delivery-Id", "The idempotency key: an id that was processed before needs only a 2xx answer", UUID),
	...STANDARD,
];
const OF_BATCH = [SIGNATURE, header("X-Service-Batch-Id", "The batch's id, as in the body", UUID), ...STANDARD];

const RESPONSES = {
	"2XX": { description: "The delivery succeeded, if the answer came within the endpoint's timeout. The body is ignored." },
	default: { description: "The attempt failed. The same body is sent again, in up to six attempts over about half an hour." },
};
