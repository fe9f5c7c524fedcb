// Finds treasury records, with the names of those who asked for and approved them.

import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../db/columns";
import type { Orm } from "../../db/database";
import { namedBy } from "../organizations/members/display.store";
import { treasuryRecords } from "./model/treasury.table";

const { id, organizationId, requestedBy, approvedBy } = treasuryRecords;
const correcting = alias(treasuryRecords, "correcting");

export const selectTreasury = (orm: Orm) =>
	orm
		.select({
			...getTableColumns(treasuryRecords),
			correctedById: qualified(
				sql<
					string | null
				>`(select ${correcting.id} from ${treasuryRecords} ${correcting} where ${correcting.correctsId} = ${id} and ${correcting.correctsId} is not null)`,
			).as("corrected_by_id"),
			askerCalled: qualified(namedBy(organizationId, requestedBy)).as("asker_called"),
			deciderCalled: qualified(namedBy(organizationId, approvedBy)).as("decider_called"),
		})
		.from(treasuryRecords);

export const findTreasury = (orm: Orm, organization: string, recordId: string) =>
	selectTreasury(orm).where(and(eq(id, recordId), eq(organizationId, organization)));
