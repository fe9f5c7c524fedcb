// The events that credit accounts raise. Amounts are in minor units of the currency.

import * as z from "zod";
import { eventType } from "../../shared/event-type";
import { TENURE_UNITS } from "../loans/products/policy";

const members = {
	account_id: z.uuid(),
	resource_id: z.string().meta({ description: "The account's prefixed id, `acc_...`" }),
	user_id: z.uuid(),
};
const account = {
	account_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e14",
	resource_id: "acc_01920f8e7b1c7a529a4e3c5d8f2b6e14",
	user_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11",
};

export const creditAccountOpened = eventType({
	type: "credit_account.opened",
	category: "CREDIT_ACCOUNT",
	description: "A credit account was opened by its first disbursement",
	data: z.object({ ...members, account_number: z.string(), currency: z.string(), opened_at: z.iso.datetime() }),
	example: { ...account, account_number: "1020481203377", currency: "KES", opened_at: "2026-03-02T09:30:00.000Z" },
});

export const creditAccountCycleStarted = eventType({
	type: "credit_account.cycle_started",
	category: "CREDIT_ACCOUNT",
	description: "A balance was drawn and its schedule was fixed",
	data: z.object({
		...members,
		cycle_id: z.uuid(),
		cycle_number: z.int().meta({ description: "Counts the account's cycles from 1" }),
		principal: z.int(),
		currency: z.string(),
		tenure: z.object({ duration: z.int(), unit: z.enum(TENURE_UNITS) }),
		final_payment_due_date: z.iso.date(),
	}),
	example: {
		...account,
		cycle_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e15",
		cycle_number: 1,
		principal: 500_000,
		currency: "KES",
		tenure: { duration: 30, unit: "DAYS" },
		final_payment_due_date: "2026-04-01",
	},
});
