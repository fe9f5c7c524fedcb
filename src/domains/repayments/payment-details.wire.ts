// How a payment was made, on the wire and as it is stored.

import * as z from "zod";

const text = z.string().trim().min(1).max(64);

/** How the money was paid. */
export const PaymentDetails = z
	.discriminatedUnion("type", [
		z.object({ type: z.literal("BUY_GOODS"), till_number: text }),
		z.object({ type: z.literal("PAY_BILL"), paybill_number: text, account_reference: text }),
		z.object({ type: z.literal("SEND_MONEY"), mobile_number: text }),
		z.object({ type: z.literal("WALLET"), account_id: z.uuid() }),
		z.object({ type: z.literal("AGENT_CASH"), agent_user_id: z.uuid() }),
		z.object({ type: z.literal("BANK_TRANSFER"), bank_code: text, reference: text }),
	])
	.meta({ id: "PaymentDetails" });
export type PaymentDetails = z.output<typeof PaymentDetails>;
