// Finds versions of the mapping to the lender's own ledger, and stores a new one.

import { and, asc, desc, eq, gte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm, Write } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import { ALL_PRODUCTS } from "./mapping.policy";
import { type LedgerMappingRow, ledgerMappings } from "./mapping.table";
import { ledgers } from "./table";

const earlier = alias(ledgerMappings, "earlier");
const ledger = alias(ledgers, "ledger");
const same = alias(ledgerMappings, "same");

/** The versions that count on one of the days, of all products. */
export const findMappings = (orm: Orm, organizationId: string, first: SQL, last: SQL) =>
	orm
		.select()
		.from(ledgerMappings)
		.where(
			and(
				eq(ledgerMappings.organizationId, organizationId),
				sql`${ledgerMappings.effectiveFrom} between coalesce((select max(${earlier.effectiveFrom}) from ${ledgerMappings} ${earlier}
					where ${earlier.organizationId} = ${organizationId} and ${earlier.loanProductId} = ${ledgerMappings.loanProductId}
						and ${earlier.effectiveFrom} <= ${first}), ${first}) and ${last}`,
			),
		);

const ofAll = (organizationId: string) =>
	and(eq(ledgerMappings.organizationId, organizationId), eq(ledgerMappings.loanProductId, ALL_PRODUCTS));
const inOrderOfMaking = [asc(ledgerMappings.createdAt), asc(ledgerMappings.id)] as const;

/** The version for all products that was made first. */
export const findFirstMade = (orm: Orm, organizationId: string) =>
	orm
		.select()
		.from(ledgerMappings)
		.where(ofAll(organizationId))
		.orderBy(...inOrderOfMaking)
		.limit(1);

/** The first version that names the account of the chart. */
export const findFirstNaming = (orm: Orm, organizationId: string, account: string) =>
	orm
		.select()
		.from(ledgerMappings)
		.where(
			and(
				ofAll(organizationId),
				sql`exists (select 1 from json_each(${ledgerMappings.accounts}) a where a.value ->> 'account' = ${account})`,
			),
		)
		.orderBy(...inOrderOfMaking)
		.limit(1);

/** The version that was made last, of any product. */
export const findLastMade = (orm: Orm, organizationId: string) =>
	orm
		.select({ id: ledgerMappings.id })
		.from(ledgerMappings)
		.where(eq(ledgerMappings.organizationId, organizationId))
		.orderBy(desc(ledgerMappings.createdAt), desc(ledgerMappings.id))
		.limit(1);

type Start = Pick<LedgerMappingRow, "organizationId" | "loanProductId" | "effectiveFrom">;

/** The version of the same product, or of all products, from the same day. */
export const findSameStart = (orm: Orm, { organizationId, loanProductId, effectiveFrom }: Start) =>
	orm
		.select({ id: ledgerMappings.id })
		.from(ledgerMappings)
		.where(
			and(
				eq(ledgerMappings.organizationId, organizationId),
				eq(ledgerMappings.loanProductId, loanProductId),
				eq(ledgerMappings.effectiveFrom, effectiveFrom),
			),
		);

export const findClosedThrough = (orm: Orm, organizationId: string) =>
	orm.select({ closedThrough: ledgers.closedThrough }).from(ledgers).where(eq(ledgers.organizationId, organizationId));

/** Stale if the day is closed meanwhile, or somebody else has stored a version from the same day. */
export const insertMapping = (orm: Orm, row: LedgerMappingRow): Write[] => [
	orStaleUnless(sql`not exists (select 1 from ${ledgers} ${ledger} where ${and(eq(ledger.organizationId, row.organizationId), gte(ledger.closedThrough, row.effectiveFrom))})
		and not exists (select 1 from ${ledgerMappings} ${same} where ${and(
			eq(same.organizationId, row.organizationId),
			eq(same.loanProductId, row.loanProductId),
			eq(same.effectiveFrom, row.effectiveFrom),
		)})`),
	orm.insert(ledgerMappings).values(row),
];
