// Builds the statements on mobile-number changes.

import { and, eq, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import { DAY_MS } from "../../shared/time";
import { custodianInstructions } from "../current-accounts/custodian/table";
import { type LendingReader, reachOf } from "../reach/callers";
import { mobileNumberChanges } from "../users/number-change.table";
import { ownedBy } from "../users/store";

const c = alias(mobileNumberChanges, "c");
const i = alias(custodianInstructions, "i");

/** As in the indexes of open changes. */
const isOpen = sql`${mobileNumberChanges.status} in ('INITIALIZING', 'AUTHORIZED')`;

export const findChange = (orm: Orm, id: string, userId: string) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(and(eq(mobileNumberChanges.id, id), eq(mobileNumberChanges.userId, userId)));

/** The change, if the caller reaches it. */
export const findReachedChange = (orm: Orm, id: string, caller: LendingReader) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(and(eq(mobileNumberChanges.id, id), reachOf(caller, ownedBy(mobileNumberChanges.userId))));

export const findOpenChange = (orm: Orm, userId: string) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(and(eq(mobileNumberChanges.userId, userId), isOpen));

export const findExpired = (orm: Orm, now: number, limit: number) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(and(lte(mobileNumberChanges.expiresAt, now), isOpen))
		.limit(limit);

/** Completed changes that the directory does not know of yet. */
export const findUnfinished = (orm: Orm, limit: number) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(sql`${mobileNumberChanges.status} = 'COMPLETED' and ${mobileNumberChanges.namesFinishedAt} is null`)
		.limit(limit);

/** The state of the instruction that tells the provider of the change; no row if there is none. */
export const findCommitOf = (orm: Orm, changeId: string) =>
	orm
		.select({ status: custodianInstructions.status })
		.from(custodianInstructions)
		.where(and(eq(custodianInstructions.subjectId, changeId), eq(custodianInstructions.kind, "NUMBER_COMMIT")));

/** For this long after a change transfers are limited, so that somebody who took over a number cannot empty the account at once. */
const CAUTION_MS = DAY_MS;

export const cautionSince = (now: number): number => now - CAUTION_MS;

/** Whether the user's number has changed since then. */
export const hasChangedSince = (userId: Placeholder, since: Placeholder): SQL =>
	sql`exists (select 1 from ${mobileNumberChanges} ${c}
		where ${c.userId} = ${userId} and ${c.status} = 'COMPLETED' and ${c.completedAt} > ${since})`;

/** Authorized changes whose number the provider has refused. */
export const findRefused = (orm: Orm, limit: number) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(
			sql`${isOpen} and ${mobileNumberChanges.status} = 'AUTHORIZED' and exists (select 1 from ${custodianInstructions} ${i}
				where ${i.subjectId} = ${mobileNumberChanges.id} and ${i.kind} = 'NUMBER_COMMIT' and ${i.status} = 'REFUSED')`,
		)
		.limit(limit);
