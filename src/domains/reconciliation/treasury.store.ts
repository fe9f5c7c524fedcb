// Builds the SQL for the lines of statements that report treasury records, or payments of a reference.

import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, isOneOf } from "../../db/columns";
import type { Orm, Write } from "../../db/database";
import { treasuryRecords } from "../ledger/model/treasury.table";
import { providerStatements, statementLines } from "./table";

const eachLine = alias(statementLines, "each_line");

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

/** Of a TRANSFER, its two sides are facts of two statements. */
const sidesOf = (recordId: string): readonly string[] => [recordId, `${recordId} to`];

type TakenBack = { readonly id: string; readonly organizationId: string; readonly referenceKey: string };

/**
 * Compares again what reports a treasury record that is taken back: its lines have lost their fact. A line without a receipt of its own gets the
 * record's reference, so that another record is found by it. A line that somebody has explained stays so. Comparisons under way begin again, because
 * they may have read the record before.
 */
export function compareAgain(orm: Orm, { id, organizationId, referenceKey }: TakenBack, now: number): Write[] {
	const { status, factKind, factKey, receipt, reference } = statementLines;
	const keys = sidesOf(id);
	const reports = sql`${eachLine.organizationId} = ${organizationId} and ${isOneOf(eachLine.factKey, keys)} and ${eachLine.factKey} is not null
		and ${eachLine.factKind} = 'TREASURY' and ${eachLine.status} <> 'EXPLAINED'`;
	const restart = (where: SQL | undefined): Write =>
		orm
			.update(providerStatements)
			.set({ status: "MATCHING", round: sql`${providerStatements.round} + 1`, cursor: null, updatedAt: now })
			.where(where);
	return [
		restart(
			and(
				// The `+` keeps SQLite from the organization's index, so that it uses that of the statements with work.
				sql`+${providerStatements.organizationId} = ${organizationId}`,
				sql`${providerStatements.status} in ('MATCHING', 'SEEKING', 'LOOKING', 'DISCARDING')`,
				sql`${providerStatements.status} <> 'DISCARDING'`,
			),
		),
		restart(
			and(
				sql`${providerStatements.id} in (select ${eachLine.statementId} from ${statementLines} ${eachLine} where ${reports})`,
				eq(providerStatements.status, "COMPARED"),
			),
		),
		orm.run(sql`update ${statementLines} set ${assign(statementLines, {
			status: "STAGED",
			round: 0,
			[factKind.name]: null,
			[factKey.name]: null,
			reference: sql`coalesce(${reference}, iif(${receipt} is ${referenceKey}, null, ${referenceKey}))`,
		})} where ${statementLines.organizationId} = ${organizationId} and ${isOneOf(factKey, keys)} and ${factKey} is not null
			and ${factKind} = 'TREASURY' and ${status} <> 'EXPLAINED'`),
	];
}
