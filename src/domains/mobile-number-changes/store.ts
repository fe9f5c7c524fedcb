// Builds the statements on mobile-number changes.

import { and, eq, isNotNull, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm } from "../../db/database";
import { guarded } from "../../db/guards";
import { type Reader, reachOf } from "../../db/reach";
import { DAY_MS } from "../../shared/time";
import { custodianInstructions } from "../current-accounts/custodian/table";
import { type ChangeRow, mobileNumberChanges } from "../users/model/number-change.table";
import { ownedBy } from "../users/model/store";

const mobileNumberChange = alias(mobileNumberChanges, "mobile_number_change");
const custodianInstruction = alias(custodianInstructions, "custodian_instruction");

/** As in the indexes of open changes. */
const isOpen = sql`${mobileNumberChanges.status} in ('INITIALIZING', 'AUTHORIZED')`;

export const findChange = (orm: Orm, id: string, userId: string) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(and(eq(mobileNumberChanges.id, id), eq(mobileNumberChanges.userId, userId)));

/** The recovery of the user's number. */
export const findRecovery = (orm: Orm, id: string, userId: string) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(and(eq(mobileNumberChanges.id, id), eq(mobileNumberChanges.userId, userId), isNotNull(mobileNumberChanges.notBefore)));

/** The change, if the caller reaches it. */
export const findReachedChange = (orm: Orm, id: string, caller: Reader) =>
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

/** The state of the instruction that notifies the provider of the change; no row if there is none. */
export const findCommitOf = (orm: Orm, changeId: string) =>
	orm
		.select({ status: custodianInstructions.status })
		.from(custodianInstructions)
		.where(and(eq(custodianInstructions.subjectId, changeId), eq(custodianInstructions.kind, "NUMBER_COMMIT")));

/** Recoveries that the sweep has to work on. */
export const findDueRecoveries = (orm: Orm, now: number, limit: number) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(sql`${mobileNumberChanges.status} = 'AUTHORIZED' and ${mobileNumberChanges.dueAt} <= ${now}`)
		.orderBy(mobileNumberChanges.dueAt)
		.limit(limit);

/** Puts the work on a recovery off. Stale if another sweep has, or if it has ended: so each notice is sent once. */
export const putOff = (orm: Orm, { id, dueAt }: ChangeRow, until: number): Effect =>
	guarded(
		orm
			.update(mobileNumberChanges)
			.set({ dueAt: until })
			.where(and(eq(mobileNumberChanges.id, id), eq(mobileNumberChanges.status, "AUTHORIZED"), eq(mobileNumberChanges.dueAt, dueAt ?? 0))),
	);

/** Stores the instruction about a change of which the provider knows nothing. */
export const setProvider = (orm: Orm, { id, status }: ChangeRow, provider: ChangeRow["provider"]): Effect =>
	guarded(
		orm
			.update(mobileNumberChanges)
			.set({ provider })
			.where(and(eq(mobileNumberChanges.id, id), eq(mobileNumberChanges.status, status), eq(mobileNumberChanges.provider, "NONE"))),
	);

/** For this long after a change transfers are limited, so that somebody who took over a number cannot empty the account at once. */
const CAUTION_MS = DAY_MS;

export const cautionSince = (now: number): number => now - CAUTION_MS;

/** Whether the user's number has changed since then. */
export const hasChangedSince = (userId: Placeholder, since: Placeholder): SQL =>
	sql`exists (select 1 from ${mobileNumberChanges} ${mobileNumberChange}
		where ${mobileNumberChange.userId} = ${userId} and ${mobileNumberChange.status} = 'COMPLETED' and ${mobileNumberChange.completedAt} > ${since})`;

/** Authorized changes whose number the provider has refused. */
export const findRefused = (orm: Orm, limit: number) =>
	orm
		.select()
		.from(mobileNumberChanges)
		.where(
			sql`${isOpen} and ${mobileNumberChanges.status} = 'AUTHORIZED' and exists (select 1 from ${custodianInstructions} ${custodianInstruction}
				where ${custodianInstruction.subjectId} = ${mobileNumberChanges.id} and ${custodianInstruction.kind} = 'NUMBER_COMMIT' and ${custodianInstruction.status} = 'REFUSED')`,
		)
		.limit(limit);
