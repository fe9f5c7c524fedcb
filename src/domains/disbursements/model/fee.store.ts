// Finds payouts with what their providers charged for them.

import { getTableColumns, sql } from "drizzle-orm";
import { qualified } from "../../../db/columns";
import type { Orm } from "../../../db/database";
import { tariffCharges } from "../../ledger/model/tariff.table";
import { disbursements } from "./table";

const { id, organizationId, status, occurredAt, changedAt, createdAt, paidAt, contradictedAt } = disbursements;

/** As `charges_of_payouts` has it. */
const paidOn = sql`date((iif(${status} in ('SUCCEEDED', 'RETURNED'), coalesce(${occurredAt}, ${changedAt}, ${createdAt}), coalesce(${paidAt}, ${contradictedAt})) + 10800000) / 1000, 'unixepoch')`;

export const selectDisbursements = (orm: Orm) =>
	orm
		.select({
			...getTableColumns(disbursements),
			fee: qualified(
				sql<number | null>`(select ${tariffCharges.amount} from ${tariffCharges} where ${tariffCharges.organizationId} = ${organizationId}
					and ${tariffCharges.day} = ${paidOn} and ${tariffCharges.fact} = 'PAYOUT ' || ${id})`,
			).as("fee"),
		})
		.from(disbursements);
