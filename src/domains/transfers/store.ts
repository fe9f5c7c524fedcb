// Builds the statements on transfers.

import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { Orm, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import { prebuilt } from "../../db/prebuilt";
import { HOUR_MS, SECOND_MS } from "../../shared/time";
import { findAccountById } from "../current-accounts/accounts/store";
import { cautionSince, hasChangedSince } from "../mobile-number-changes/store";
import { users } from "../users/table";
import { incomingTransfers, type TransferRow, transfers } from "./table";

const FIRST_DELAY_MS = 15 * SECOND_MS;
const MAX_DELAY_MS = HOUR_MS;

/** How long after an attempt, counted from one, the next one follows. */
export const delayAfter = (attempts: number): number => Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 16));

const senderById = prebuilt((orm) =>
	orm
		.select({
			id: users.id,
			mobileNumber: users.mobileNumber,
			email: users.email,
			numberChanged: sql<number>`${hasChangedSince(sql.placeholder("id"), sql.placeholder("since"))}`.as("number_changed"),
		})
		.from(users)
		.where(eq(users.id, sql.placeholder("id"))),
);

/** Who orders a transfer, and whether their number has changed so recently that transfers are limited. */
export const findSender = (id: string, now: number) => senderById({ id, since: cautionSince(now) });

export const findTransfer = (orm: Orm, id: string) => orm.select().from(transfers).where(eq(transfers.id, id));

/** The account that a transfer pays from. */
export const findAccountOf = (orm: Orm, id: string) =>
	findAccountById(orm, sql`(select t.account_id from ${transfers} t where t.id = ${id})`);

export const findOwnTransfer = (orm: Orm, id: string, userId: string) =>
	orm
		.select()
		.from(transfers)
		.where(and(eq(transfers.id, id), eq(transfers.userId, userId)));

export const findDueTransfers = (orm: Orm, now: number, limit: number) =>
	orm.select().from(transfers).where(lte(transfers.nextAttemptAt, now)).orderBy(transfers.nextAttemptAt).limit(limit);

export const findIncoming = (orm: Orm, transferId: string) =>
	orm.select().from(incomingTransfers).where(eq(incomingTransfers.transferId, transferId));

/** Counts an attempt before it is made; stale when somebody else makes it, or the transfer has ended. */
export const countAttempt = (orm: Orm, { id, attempts }: TransferRow, now: number): Write =>
	guarded(
		orm
			.update(transfers)
			.set({ attempts: attempts + 1, nextAttemptAt: now + delayAfter(attempts + 1) })
			.where(and(eq(transfers.id, id), eq(transfers.status, "PENDING"), eq(transfers.taken, false), eq(transfers.attempts, attempts))),
	);

/** The payout provider has the instruction. From here on only its report ends the transfer. */
export const markTaken = (orm: Orm, id: string): Write =>
	orm
		.update(transfers)
		.set({ taken: true, nextAttemptAt: null })
		.where(and(eq(transfers.id, id), eq(transfers.status, "PENDING")));

/** Open transfers follow the payee's accounts when payees are combined, so that they count as uses of the account that remains. */
export const repointOpen = (orm: Orm, payeeAccountIds: readonly string[], to: { payeeId: string; payeeAccountId?: string }): Write =>
	orm
		.update(transfers)
		.set(to)
		.where(and(inArray(transfers.payeeAccountId, [...payeeAccountIds]), sql`status in ('AWAITING_OTP', 'PENDING')`));
