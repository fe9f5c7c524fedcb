// The work of a lender's own people: where it is, along an index of the organization, and each piece of it by its id.

import { eq, type SQL, Subquery, sql } from "drizzle-orm";
import { SharedSelect } from "../../db/keyset";
import { approvals } from "../approvals/table";
import { disbursements, IS_OPEN } from "../disbursements/model/table";
import { statementBreaks } from "../reconciliation/table";
import { payments } from "../repayments/table";
import { users } from "../users/model/table";
import type { LenderKind } from "./kinds.policy";
import { SOURCES } from "./store";

/** SQLite merges the two states in the order of the list. */
const openPayouts = new Subquery(
	sql.join(
		["PENDING", "ACCEPTED"].map(
			// In the words of the index too.
			(status) => sql`select * from ${disbursements} where ${disbursements.status} = ${sql.raw(`'${status}'`)} and ${IS_OPEN}`,
		),
		sql` union all `,
	),
	{},
	"disbursements",
);
const payoutsOf = new SharedSelect(SOURCES.DISBURSEMENT.rows(openPayouts));

/** The list of a kind, and its condition. */
export function workOf(kind: LenderKind, organizationId: string, now: number) {
	const { select, where } = SOURCES[kind];
	switch (kind) {
		case "WAITING_USER":
			return { select, where: sql`${where} and ${eq(users.homeOrganizationId, organizationId)}` };
		case "PAYMENT":
			return { select, where: sql`${where} and ${payments.status} <> 'POSTED' and ${eq(payments.organizationId, organizationId)}` };
		case "DISBURSEMENT":
			return { select: payoutsOf, where: eq(disbursements.organizationId, organizationId) };
		case "APPROVAL":
			return { select, where: sql`${where} and ${eq(approvals.organizationId, organizationId)} and ${approvals.expiresAt} > ${now}` };
		case "STATEMENT_BREAK":
			return { select, where: sql`${where} and ${eq(statementBreaks.organizationId, organizationId)}` };
	}
}

/** Those of these that wait, whose they may be. */
export const workNamed = (kind: LenderKind, ids: readonly string[]) => {
	const { id, where, rows, table } = SOURCES[kind];
	const named: SQL = sql`${id} in (select value from json_each(${JSON.stringify(ids)}))`;
	return { rows: rows(table), where: sql`${named} and +(${where})` };
};
