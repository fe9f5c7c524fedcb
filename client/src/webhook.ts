// What a receiver is sent.

import type { Events } from "./generated.ts";

/**
 * A delivery of an event of one of these types: the body of a request, or one of a batch. Its `event_type` decides the type of its `data`.
 */
export type Webhook<Type extends keyof Events = keyof Events> = {
	[One in Type]: {
		/** The same in every attempt: of two bodies with one id the second needs only a 2xx answer. */
		readonly delivery_id: string;
		readonly event_type: One;
		readonly payload_version: number;
		/** When the delivery was created. */
		readonly sent_at: string;
		readonly organization_id: string;
		readonly data: Events[One];
	};
}[Type];

/** The body of a request that carries several, to an endpoint with `batch`. `deliveriesIn` reads both. */
export type WebhookBatch = {
	readonly batch_id: string;
	readonly deliveries: readonly Webhook[];
	/** By delivery, where the endpoint asks for order: the last one about the same entity that FAILED. */
	readonly after_failed?: { readonly [deliveryId: string]: string };
};
