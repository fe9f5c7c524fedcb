// Money that enters or leaves the cash accounts for no loan, wallet or invoice: what the lender borrows, what its owners put in, and what
// it moves between channels. A trigger in `journal.triggers.sql` writes the entry of each.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { CalendarDate } from "../../../shared/time";
import { CASH_ACCOUNTS, TREASURY_KINDS } from "./treasury.policy";

/** Append-only by trigger. */
export const treasuryRecords = sqliteTable(
	"treasury_records",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		kind: text({ enum: TREASURY_KINDS }).notNull(),
		amount: integer().notNull(),
		currency: text().notNull(),
		account: text({ enum: CASH_ACCOUNTS }).notNull(),
		/** Of a TRANSFER: where the money goes. */
		toAccount: text({ enum: CASH_ACCOUNTS }),
		/** The day on which the money moved. */
		valueDate: text().$type<CalendarDate>().notNull(),
		reference: text().notNull(),
		/** As it is compared, with others and with the lines of statements. */
		referenceKey: text().notNull(),
		/** The record that it takes back. */
		correctsId: text(),
		approvalId: text().notNull(),
		requestedBy: text().notNull(),
		approvedBy: text().notNull(),
		reason: text(),
		bookedAt: integer().notNull(),
	},
	(table) => [
		index("treasury_records_list").on(table.organizationId, table.bookedAt, table.id),
		index("treasury_records_by_reference").on(table.organizationId, table.referenceKey),
		uniqueIndex("treasury_records_corrected_once").on(table.correctsId).where(sql`corrects_id is not null`),
		check("treasury_records_amount", sql`amount between 1 and 9007199254740991`),
		check(
			"treasury_records_accounts",
			sql`account in ('1110', '1120', '1130', '1140', '1150') and coalesce(to_account, '1110') in ('1110', '1120', '1130', '1140', '1150') and to_account is not account`,
		),
		check("treasury_records_kind", sql`(kind = 'TRANSFER') = (to_account is not null)`),
	],
);

export type TreasuryRow = typeof treasuryRecords.$inferSelect;
