// How a payment was made, on the wire and as it is stored.

import * as z from "zod";

const text = z.string().trim().min(1).max(64);

/** How the money was paid. */
export const PaymentDetails = z
	.discriminatedUnion("type", [
		z.object({ type: z.literal("BUY_GOODS"), till_number: text }).meta({ id: "BuyGoodsDetails" }),
		z.object({ type: z.literal("PAY_BILL"), paybill_number: text, account_reference: text }).meta({ id: "PayBillDetails" }),
		z.object({ type: z.literal("SEND_MONEY"), mobile_number: text }).meta({ id: "SendMoneyDetails" }),
		z.object({ type: z.literal("WALLET"), account_id: z.uuid() }).meta({ id: "WalletDetails" }),
		z.object({ type: z.literal("AGENT_CASH"), agent_user_id: z.uuid() }).meta({ id: "AgentCashDetails" }),
		z.object({ type: z.literal("BANK_TRANSFER"), bank_code: text, reference: text }).meta({ id: "BankTransferDetails" }),
	])
	.meta({ id: "PaymentDetails" });
export type PaymentDetails = z.output<typeof PaymentDetails>;
