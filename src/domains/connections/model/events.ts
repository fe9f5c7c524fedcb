// The events that connections to providers of payments raise.

import * as z from "zod";
import { eventType } from "../../../shared/event-type";
import { PAYMENT_PROVIDERS } from "../../../shared/payment-providers";
import { CONNECTION_CHANGES, ENVIRONMENTS } from "./lifecycle";

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

export const connectionLowOnFloat = eventType({
	type: "payment_connection.low_float",
	category: "ORGANIZATION",
	description:
		"The account from which a connection pays holds less than the payouts that wait and as much again as it paid out within a day. Raised once, until it holds enough again",
	data: z.object({
		provider: z.enum(PAYMENT_PROVIDERS),
		currency: z.string(),
		available: z.int().meta({ description: "The money in the account, in minor units" }),
		waiting: z.int().meta({ description: "Payouts that have not ended" }),
		paid_last_day: z.int().meta({ description: "Payouts of the last 24 hours" }),
	}),
	example: { provider: "daraja", currency: "KES", available: 1_500_000, waiting: 200_000, paid_last_day: 4_700_000 },
});

export const connectionCannotVerify = eventType({
	type: "payment_connection.cannot_verify",
	category: "ORGANIZATION",
	description:
		"The provider does not let the connection's initiator ask what became of a transaction: payments are not verified until it has the role",
	data: z.object({
		provider: z.enum(PAYMENT_PROVIDERS),
		result_code: z.string().meta({ description: "The provider's code, such as 21 of Daraja" }),
	}),
	example: { provider: "daraja", result_code: "21" },
});

export const connectionChanged = eventType({
	type: "payment_connection.changed",
	category: "ORGANIZATION",
	description:
		"Somebody has connected, changed or disconnected the organization's account with a provider of payments, or asked for another",
	data: z.object({
		provider: z.enum(PAYMENT_PROVIDERS),
		change: z.enum(CONNECTION_CHANGES).meta({
			description:
				"UPDATED: the account is the same. REPLACEMENT_REQUESTED: another account waits for a second person or a day. REPLACED: it is connected now. REPLACEMENT_DISCARDED: it will not be",
		}),
		environment: z.enum(ENVIRONMENTS),
		account: z.string().meta({ description: "The account that the change is about: the shortcode, or the API user" }),
		changed_by: z.string().nullable().meta({ description: "The user or operator; null: the service, a day after the request" }),
	}),
	example: {
		provider: "daraja",
		change: "REPLACEMENT_REQUESTED",
		environment: "production",
		account: "600997",
		changed_by: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11",
	},
});
