// Versions of the mapping to the lender's own ledger on the wire.

import * as z from "zod";
import { toTimestamp } from "../../shared/time";
import type { LedgerMappingRow } from "./model/mapping.table";

export const LedgerMapping = z
	.object({
		id: z.uuid(),
		loan_product_id: z
			.uuid()
			.nullable()
			.meta({ description: "null: of all loan products, unless a product has a number of its own for the account" }),
		effective_from: z.iso.date().meta({ description: "It counts from this day until the next version" }),
		accounts: z.array(
			z.object({
				account: z.string().meta({ description: "A number of the chart of accounts" }),
				number: z.string().meta({ description: "Its number in the lender's own ledger" }),
				name: z.string().nullable(),
			}),
		),
		approval_request_id: z.uuid(),
		requested_by: z.string(),
		approved_by: z.string(),
		reason: z.string().nullable(),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "LedgerMapping" });

export const toLedgerMapping = (row: LedgerMappingRow): z.input<typeof LedgerMapping> => ({
	id: row.id,
	loan_product_id: row.loanProductId || null,
	effective_from: row.effectiveFrom,
	accounts: row.accounts.map(({ account, number, name }) => ({ account, number, name })),
	approval_request_id: row.approvalId,
	requested_by: row.requestedBy,
	approved_by: row.approvedBy,
	reason: row.reason,
	created_at: toTimestamp(row.createdAt),
});
