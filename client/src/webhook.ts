// What a receiver is sent.

import type { Events } from "./generated.ts";

/** The body of a webhook about events of these types. Its `event_type` tells which `data` it has. */
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
