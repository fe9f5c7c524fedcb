// Accounts of either kind and their statements on the wire; an account's `type` says which it is.

import * as z from "zod";
import { Links } from "../../http/paging";
import { LocalDate } from "../../shared/timestamp";
import { CreditAccount } from "../credit-accounts/wire";
import { CurrentAccount } from "../current-accounts/accounts/wire";
import { LISTED_STATUSES, SORTS } from "./sorts.policy";

export const Account = z.discriminatedUnion("type", [CreditAccount, CurrentAccount]).meta({ id: "Account" });

/** An amount in minor units, negative or not. */
const amount = z.int();

export const StatementEntry = z.object({
	date: z.iso.date(),
	component: z
		.enum(["PRINCIPAL", "INTEREST", "ARREARS", "PENALTY", "OVERPAYMENT", "REFUND_UNCOVERED", "BALANCE"])
		.meta({ description: "The part of a credit account's balance that changed; BALANCE for a current account" }),
	amount,
	rule: z.string().meta({ description: "Why it changed; for a current account the type of the transaction" }),
	transaction_id: z.uuid().nullable(),
	installment_id: z.uuid().nullable(),
	running_balance: amount,
});

export const Statement = z
	.object({
		from: z.iso.date(),
		to: z.iso.date(),
		currency: z.string(),
		opening_balance: amount,
		entries: z.array(StatementEntry),
		closing_balance: amount,
		links: Links,
	})
	.meta({ id: "Statement" });

/** How a lender's people choose among its loans, and in which order: members of the query. */
export const ofBook = {
	due_on: LocalDate.optional().meta({ description: "The oldest unpaid installment is due on this day" }),
	past_due_over: z
		.string()
		.regex(/^\d{1,4}$/, "must be digits")
		.transform(Number)
		.optional()
		.meta({ description: "An installment is overdue for more days than these", type: "integer", minimum: 0, maximum: 9_999 }),
	loan_product_id: z.uuid().toLowerCase().optional(),
	status: z.enum(LISTED_STATUSES).optional(),
	sort: z.enum(SORTS).optional().meta({ description: "OUTSTANDING: by principal. With a filter by days, DAYS_PAST_DUE is the default" }),
};
export const bookFilters = ["due_on", "past_due_over", "loan_product_id", "status", "sort"] as const;
