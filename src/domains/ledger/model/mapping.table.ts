// The numbers that accounts of the chart have in the lender's own ledger.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { CalendarDate } from "../../../shared/time";
import type { MappedAccount } from "./mapping.policy";

/** Append-only by trigger. A version counts from a day that was open when it was approved. */
export const ledgerMappings = sqliteTable(
	"ledger_mappings",
	{
		organizationId: text().notNull(),
		/** Empty for all products without numbers of their own. */
		loanProductId: text().notNull(),
		effectiveFrom: text().$type<CalendarDate>().notNull(),
		id: text().notNull(),
		accounts: text({ mode: "json" }).$type<readonly MappedAccount[]>().notNull(),
		approvalId: text().notNull(),
		requestedBy: text().notNull(),
		approvedBy: text().notNull(),
		reason: text(),
		createdAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.loanProductId, table.effectiveFrom] }),
		index("ledger_mappings_by_organization").on(table.organizationId, table.createdAt, table.id),
		check("ledger_mappings_accounts", sql`json_type(accounts) = 'array' and (loan_product_id <> '' or json_array_length(accounts) > 0)`),
	],
);

export type LedgerMappingRow = typeof ledgerMappings.$inferSelect;
