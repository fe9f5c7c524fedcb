// Accounts of either kind and their statements on the wire; an account's `type` says which it is.

import * as z from "zod";
import { Links } from "../../http/paging";
import { CreditAccount } from "../credit-accounts/wire";
import { CurrentAccount } from "../current-accounts/accounts/wire";

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
