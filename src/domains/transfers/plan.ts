// Plans the moves of a transfer: each with the entries in the payer's account, the event, and the count of the payee's uses.

import { and, eq, inArray } from "drizzle-orm";
import type { Orm, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import { raise } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { delayAfter } from "../../shared/backoff";
import { toTimestamp } from "../../shared/time";
import { post, release, settle } from "../current-accounts/ledger/plan";
import type { LedgerAccount } from "../current-accounts/ledger/store";
import { countUseOf } from "../payees/plan";
import { transferCompleted, transferFailed } from "./events";
import { statusAfter, statusesBefore, type TransferMove } from "./lifecycle";
import { type TransferRow, transfers } from "./table";

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

/** The writes for money that has reached the payee: the event, and one more use of the payee's account. */
export const completedWrites = (services: Services, row: TransferRow): Write[] => [
	countUseOf(row.payeeAccountId, services.now),
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

/** Completes a transfer: the held money leaves the payer's account. */
export function complete(services: Services, row: TransferRow, account: LedgerAccount, report: Report = {}): Moved {
	const ended = { completedAt: services.now, nextAttemptAt: null, ...report };
	const moved = move(services.db, row, "complete", ended);
	return { row: moved.row, writes: [moved.write, ...post(services, account, settle(row.id)), ...completedWrites(services, row)] };
}

/** Fails a transfer: the payer can spend the held money again. */
export function fail(services: Services, row: TransferRow, account: LedgerAccount, failureReason: string, report: Report = {}): Moved {
	const ended = { completedAt: services.now, nextAttemptAt: null, failureReason, ...report };
	const moved = move(services.db, row, "fail", ended);
	return { row: moved.row, writes: [moved.write, ...post(services, account, release(row.id)), failedEvent(services, row, failureReason)] };
}

/** Makes a confirmed transfer PENDING, and counts the first attempt, which follows the commit. */
export function confirm({ db, now }: Services, row: TransferRow): Moved {
	const moved = move(db, row, "confirm", { attempts: 1, nextAttemptAt: now + delayAfter(1) });
	return { row: moved.row, writes: [moved.write] };
}
