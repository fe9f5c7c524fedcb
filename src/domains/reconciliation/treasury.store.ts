// Builds the SQL for the lines of statements that report treasury records, or payments of a reference.

import { and, eq, type SQL, sql } from "drizzle-orm";
import { isOneOf } from "../../db/columns";
import type { Orm } from "../../db/database";
import { treasuryRecords } from "../ledger/model/treasury.table";
import { statementLines } from "./table";

/** Which payments of these ids, and treasury records of these references, lines of statements report. */
export const findReported = (orm: Orm, organizationId: string, references: readonly string[]) =>
	orm
		.select({ kind: statementLines.factKind, key: statementLines.factKey })
		.from(statementLines)
		.where(
			and(
				eq(statementLines.organizationId, organizationId),
				sql`${statementLines.factKey} in (select value from json_each(${JSON.stringify(references)})
					union all select ${treasuryRecords.id} from ${treasuryRecords} where ${ofReferences(organizationId, references)}
					union all select ${treasuryRecords.id} || ' to' from ${treasuryRecords} where ${ofReferences(organizationId, references)})`,
				sql`${statementLines.factKey} is not null`,
			),
		);

const ofReferences = (organizationId: string, references: readonly string[]): SQL =>
	sql`${treasuryRecords.organizationId} = ${organizationId} and ${isOneOf(treasuryRecords.referenceKey, references)}`;
