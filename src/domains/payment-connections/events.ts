// The events that connections to providers of payments raise.

import * as z from "zod";
import { eventType } from "../../shared/event-type";
import { PAYMENT_PROVIDERS } from "../../shared/payment-providers";

export const connectionPaused = eventType({
	type: "payment_connection.paused",
	category: "ORGANIZATION",
	description: "A connection to a provider pays nothing until it is resumed, or until `paused_until`",
	data: z.object({
		provider: z.enum(PAYMENT_PROVIDERS),
		reason: z
			.string()
			.meta({ description: "INSUFFICIENT_FUNDS, PRODUCT_NOT_ALLOWED, or RESULT_ with the provider's code about the lender's account" }),
		paused_until: z.iso.datetime().nullable().meta({ description: "null: until it is resumed, or has other credentials" }),
	}),
	example: { provider: "daraja", reason: "INSUFFICIENT_FUNDS", paused_until: "2026-01-31T09:15:00.000Z" },
});
