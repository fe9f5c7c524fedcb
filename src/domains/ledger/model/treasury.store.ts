// Finds what decides whether a treasury record can be stored, and stores it.

import { and, eq, isNull, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isOneOf } from "../../../db/columns";
import type { Orm, Write } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import { first } from "../../../db/reads";
import { visibleKey } from "../../../shared/visible-key";
import type { Treasury } from "./treasury.policy";
import { type TreasuryRow, treasuryRecords } from "./treasury.table";

const correcting = alias(treasuryRecords, "correcting");

/** Neither takes another back nor is taken back. */
const counts = (orm: Orm) =>
	and(
		isNull(treasuryRecords.correctsId),
		notExists(
			orm
				.select({ one: sql`1` })
				.from(correcting)
				.where(sql`${correcting.correctsId} = ${treasuryRecords.id} and ${correcting.correctsId} is not null`),
		),
	);

/** The records that count with one of these references, in the form of `visibleKey`. */
export const findByReference = (orm: Orm, organizationId: string, keys: readonly string[]) =>
	orm
		.select()
		.from(treasuryRecords)
		.where(and(eq(treasuryRecords.organizationId, organizationId), isOneOf(treasuryRecords.referenceKey, keys), counts(orm)));

/** A record of the same money that counts. */
const findSame = (orm: Orm, organizationId: string, { kind, amount, currency, account, value_date, reference }: Treasury) =>
	orm
		.select({ id: treasuryRecords.id })
		.from(treasuryRecords)
		.where(
			and(
				eq(treasuryRecords.organizationId, organizationId),
				eq(treasuryRecords.referenceKey, visibleKey(reference)),
				eq(treasuryRecords.valueDate, value_date),
				eq(treasuryRecords.amount, amount),
				eq(treasuryRecords.kind, kind),
				eq(treasuryRecords.currency, currency),
				eq(treasuryRecords.account, account),
				counts(orm),
			),
		)
		.limit(1);

export const findPriors = (orm: Orm, organizationId: string, record: Treasury) => ({
	same: first(findSame(orm, organizationId, record)),
	corrected: first(
		orm
			.select()
			.from(treasuryRecords)
			.where(and(eq(treasuryRecords.id, record.corrects_id ?? ""), eq(treasuryRecords.organizationId, organizationId))),
	),
	correction: first(
		orm
			.select({ id: treasuryRecords.id })
			.from(treasuryRecords)
			.where(sql`${treasuryRecords.correctsId} = ${record.corrects_id} and ${treasuryRecords.correctsId} is not null`),
	),
});

/** Stale if somebody else has recorded the same meanwhile, or taken the same record back. */
export const insertTreasury = (orm: Orm, row: TreasuryRow, record: Treasury): Write[] => [
	orStaleUnless(
		record.corrects_id === null
			? sql`not exists ${findSame(orm, row.organizationId, record)}`
			: sql`not exists (select 1 from ${treasuryRecords} where ${treasuryRecords.correctsId} = ${record.corrects_id} and ${treasuryRecords.correctsId} is not null)`,
	),
	orm.insert(treasuryRecords).values(row),
];
