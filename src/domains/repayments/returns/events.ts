// The events that returns of money raise. Amounts are in minor units of the currency.

import * as z from "zod";
import { eventType } from "../../../shared/event-type";

const members = {
	transaction_id: z.uuid().meta({ description: "The payment" }),
	reversal_transaction_id: z.uuid(),
	account_id: z.uuid(),
	amount: z.int(),
	currency: z.string(),
};
const returned = {
	transaction_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e31",
	reversal_transaction_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e32",
	account_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e14",
	amount: 550_000,
	currency: "KES",
};

export const moneyReturned = eventType({
	type: "repayment.money_returned",
	category: "REPAYMENT",
	description: "The payer of a reversed payment has the money again. It may follow repayment.return_failed: the provider's word counts",
	data: z.object({
		...members,
		mobile_money_transaction_id: z.string().nullable().meta({ description: "null if the provider reported none" }),
	}),
	example: { ...returned, mobile_money_transaction_id: "SG732NMUAC" },
});

export const returnFailed = eventType({
	type: "repayment.return_failed",
	category: "REPAYMENT",
	description: "The money of a reversed payment was not given back. An operator may retry it, or give it up (failure_reason GIVEN_UP)",
	data: z.object({ ...members, failure_reason: z.string() }),
	example: { ...returned, failure_reason: "INSUFFICIENT_FUNDS" },
});
