// What an import raises: one event an account, and nothing of its history.

import * as z from "zod";
import { eventType } from "../../shared/event-type";

export const creditAccountImported = eventType({
	type: "credit_account.imported",
	category: "CREDIT_ACCOUNT",
	description: "A running account of another program was imported, equal to its balances there; its history raises no further events",
	data: z.object({
		account_id: z.uuid(),
		resource_id: z.string().meta({ description: "The account's prefixed id, `acc_...`" }),
		user_id: z.uuid(),
		account_number: z.string(),
		import_id: z.uuid(),
		old_account_id: z.string(),
		total_outstanding: z.int(),
		currency: z.string(),
	}),
	example: {
		account_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e14",
		resource_id: "acc_01920f8e7b1c7a529a4e3c5d8f2b6e14",
		user_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11",
		account_number: "1020481203377",
		import_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e40",
		old_account_id: "L-2041",
		total_outstanding: 500_000,
		currency: "KES",
	},
});
