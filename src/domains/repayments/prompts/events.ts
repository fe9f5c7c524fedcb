// The events that repayment prompts raise. Amounts are in minor units of the currency.

import * as z from "zod";
import { eventType } from "../../../shared/event-type";

const members = { prompt_id: z.uuid(), account_id: z.uuid(), reference: z.string(), amount: z.int(), currency: z.string() };
const prompt = {
	prompt_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e41",
	account_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e14",
	reference: "R10007K3M9QX",
	amount: 550_000,
	currency: "KES",
};

export const promptSucceeded = eventType({
	type: "repayment_prompt.succeeded",
	category: "REPAYMENT",
	description: "The payer of a prompt has paid. It may follow repayment_prompt.failed: a payment counts more than a report",
	data: z.object({ ...members, transaction_id: z.uuid() }),
	example: { ...prompt, transaction_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e31" },
});

export const promptFailed = eventType({
	type: "repayment_prompt.failed",
	category: "REPAYMENT",
	description: "The payer of a prompt has not paid",
	data: z.object({ ...members, failure_reason: z.string() }),
	example: { ...prompt, failure_reason: "CANCELLED" },
});
