// Builds the writes of transfers: each status goes with its entries in the payer's account, its event, and the uses of the payee.

import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { Orm, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import { prebuilt } from "../../db/prebuilt";
import { raise } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { HOUR_MS, SECOND_MS, toTimestamp } from "../../shared/time";
import { findAccountById } from "../current-accounts/accounts/store";
import { type LedgerAccount, post, release, settle } from "../current-accounts/ledger/store";
import { cautionSince, hasChangedSince } from "../mobile-number-changes/store";
import { countUseOf } from "../payees/store";
import { users } from "../users/table";
import { transferCompleted, transferFailed } from "./events";
import { statusAfter, statusesBefore, type TransferMove } from "./lifecycle";
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

/** The move of a transfer to its next status; stale when the transfer has left the status it was seen in. */
function move(
	{ orm }: { orm: Orm },
	row: TransferRow,
	by: TransferMove,
	columns: Partial<TransferRow>,
): { row: TransferRow; write: Write } {
	const status = statusAfter(row.status, by);
	if (!status) throw new Error(`a transfer that is ${row.status} cannot ${by}`);
	const moved = { ...row, ...columns, status };
	return {
		row: moved,
		write: guarded(
			orm
				.update(transfers)
				.set({ ...columns, status })
				.where(and(eq(transfers.id, row.id), eq(transfers.status, row.status), inArray(transfers.status, statusesBefore(by)))),
		),
	};
}

type Moved = { readonly row: TransferRow; readonly writes: readonly Write[] };

/** A transfer whose money has reached the payee: the event, and one use more of the payee's account. */
export const completedWrites = (services: Services, row: TransferRow): Write[] => [
	...countUseOf(row.payeeAccountId, services.now),
	raise(services, transferCompleted, {
		organizationId: row.organizationId,
		entityId: row.id,
		data: { transfer_id: row.id, account_id: row.accountId, amount: row.amount, completed_at: toTimestamp(services.now) },
	}),
];

export const failedEvent = (services: Services, row: TransferRow, failureReason: string): Write =>
	raise(services, transferFailed, {
		organizationId: row.organizationId,
		entityId: row.id,
		data: {
			transfer_id: row.id,
			account_id: row.accountId,
			amount: row.amount,
			failure_reason: failureReason,
			failed_at: toTimestamp(services.now),
		},
	});

type Report = Partial<Pick<TransferRow, "providerReference" | "reportedAt">>;

/** Ends a transfer well: the held money leaves the payer's account. */
export function complete(services: Services, row: TransferRow, account: LedgerAccount, report: Report = {}): Moved {
	const ended = { completedAt: services.now, nextAttemptAt: null, ...report };
	const moved = move(services.db, row, "complete", ended);
	return { row: moved.row, writes: [moved.write, ...post(services, account, settle(row.id)), ...completedWrites(services, row)] };
}

/** Ends a transfer without success: the held money is the payer's to spend again. */
export function fail(services: Services, row: TransferRow, account: LedgerAccount, failureReason: string, report: Report = {}): Moved {
	const ended = { completedAt: services.now, nextAttemptAt: null, failureReason, ...report };
	const moved = move(services.db, row, "fail", ended);
	return { row: moved.row, writes: [moved.write, ...post(services, account, release(row.id)), failedEvent(services, row, failureReason)] };
}

/** A confirmed transfer, whose first attempt follows the commit and is counted by it. */
export function confirm({ db, now }: Services, row: TransferRow): Moved {
	const moved = move(db, row, "confirm", { attempts: 1, nextAttemptAt: now + delayAfter(1) });
	return { row: moved.row, writes: [moved.write] };
}

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
