// Builds the statements on mobile-number changes.

import { and, eq, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../db/database";
import { DAY_MS } from "../../shared/time";
import { custodianInstructions } from "../current-accounts/custodian/table";
import { mobileNumberChanges } from "../users/number-change.table";

export const findChange = (orm: Orm, id: string, userId: string) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(and(eq(mobileNumberChanges.id, id), eq(mobileNumberChanges.userId, userId)));

export const findOpenChange = (orm: Orm, userId: string) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(and(eq(mobileNumberChanges.userId, userId), sql`status in ('INITIALIZING', 'AUTHORIZED')`));

export const findExpired = (orm: Orm, now: number, limit: number) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(and(lte(mobileNumberChanges.expiresAt, now), sql`status in ('INITIALIZING', 'AUTHORIZED')`))
		.limit(limit);

/** Completed changes that the directory does not know of yet. */
export const findUnfinished = (orm: Orm, limit: number) =>
	orm.select().from(mobileNumberChanges).where(sql`status = 'COMPLETED' and names_finished_at is null`).limit(limit);

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
	sql`exists (select 1 from ${mobileNumberChanges} c where c.user_id = ${userId} and c.status = 'COMPLETED' and c.completed_at > ${since})`;

/** Authorized changes whose number the provider has refused. */
export const findRefused = (orm: Orm, limit: number) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(
			sql`status in ('INITIALIZING', 'AUTHORIZED') and status = 'AUTHORIZED' and exists (select 1 from ${custodianInstructions} i
				where i.subject_id = ${mobileNumberChanges.id} and i.kind = 'NUMBER_COMMIT' and i.status = 'REFUSED')`,
		)
		.limit(limit);
