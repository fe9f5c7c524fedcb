// Finds what decides whether a month of the ledger can be closed, and stores that it is.

import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm, Write } from "../../../db/database";
import { lastDayOf, type Month, type Standing } from "./closing.policy";
import { journalEntries, type LedgerClosingRow, ledgerClosings, ledgerDays, ledgers } from "./table";

const [entry, closing] = [alias(journalEntries, "journal_entry"), alias(ledgerClosings, "ledger_closing")];
const ledger = alias(ledgers, "ledger");

/** Always one row. */
export const findStanding = (orm: Orm, organizationId: string) =>
	orm.all<Standing>(sql`
		select (select ${ledger.closedThrough} from ${ledgers} ${ledger} where ${ledger.organizationId} = ${organizationId}) as "closedThrough",
			(select min(${entry.day}) from ${journalEntries} ${entry} where ${entry.organizationId} = ${organizationId}) as "began",
			(select max(${closing.month}) from ${ledgerClosings} ${closing} where ${closing.organizationId} = ${organizationId}) as "lastMonth"`);

/** The balances of the month's last day. */
export const findFigures = (orm: Orm, organizationId: string, month: Month) =>
	orm
		.select()
		.from(ledgerDays)
		.where(and(eq(ledgerDays.organizationId, organizationId), eq(ledgerDays.day, lastDayOf(month))));

/** Triggers refuse a month whose turn it is not, or that has open days. */
export const insertClosing = (orm: Orm, row: LedgerClosingRow): Write => orm.insert(ledgerClosings).values(row);
