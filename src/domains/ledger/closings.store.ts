// Finds the closed months of a ledger, with the names of those who closed them.

import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../db/columns";
import type { Orm } from "../../db/database";
import type { Keyset } from "../../db/keyset";
import { namedBy } from "../organizations/members/display.store";
import { ledgerClosings, ledgerDays } from "./model/table";
import type { ShownClosing } from "./wire";

const { organizationId, month, requestedBy, approvedBy } = ledgerClosings;

const closing = alias(ledgerClosings, "ledger_closing");

export const selectShown = (orm: Orm) =>
	orm
		.select({
			...getTableColumns(ledgerClosings),
			askerCalled: qualified(namedBy(organizationId, requestedBy)).as("asker_called"),
			deciderCalled: qualified(namedBy(organizationId, approvedBy)).as("decider_called"),
		})
		.from(ledgerClosings);

export const findClosing = (orm: Orm, organization: string, of: string) =>
	selectShown(orm).where(and(eq(organizationId, organization), eq(month, of)));

/** The balances of the last day of a closed month. */
export const findFigures = (orm: Orm, organization: string, of: string) =>
	orm
		.select()
		.from(ledgerDays)
		.where(
			and(
				eq(ledgerDays.organizationId, organization),
				sql`${ledgerDays.day} = (select ${closing.lastDay} from ${ledgerClosings} ${closing} where ${closing.organizationId} = ${organization} and ${closing.month} = ${of})`,
			),
		);

/** By month, the last one first. */
export const BY_MONTH: Keyset<ShownClosing> = {
	at: month,
	id: month,
	of: (row) => [Date.parse(`${row.month}-01`), row.month],
	stored: (at) => new Date(at).toISOString().slice(0, 7),
	order: "newest",
};
