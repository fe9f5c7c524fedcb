// Closes an account on which nothing is owed and nothing overpaid. Money that comes later is kept on it, to be refunded.

import { and, eq, notExists } from "drizzle-orm";
import type { Orm, Write } from "../../db/database";
import { guarded, orStaleUnless } from "../../db/guards";
import { raise } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { toTimestamp } from "../../shared/time";
import { findPending } from "../disbursements/model/store";
import { creditAccountClosed } from "./events";
import { findViews, theAccount } from "./ledger.store";
import { accountMembers } from "./postings/events.plan";
import { creditAccounts } from "./table";
import type { AccountView } from "./wire";

/** What a closing reads: the account, and its payouts that have not ended. */
export const findToClose = (orm: Orm, accountId: string) => ({
	pending: findPending(orm, accountId),
	records: findViews(orm, theAccount(accountId)),
});

/** What stops a closing. */
const REFUSALS = {
	ALREADY_CLOSED: "The account is closed",
	SOMETHING_OWED: "The account still owes something",
	OVERPAID: "Refund what was overpaid first",
	PAYOUT_UNDER_WAY: "A payout is on its way",
} as const;

export type PlannedClosing =
	| {
			readonly accepted: true;
			readonly writes: readonly Write[];
			readonly closed: { readonly status: "CLOSED"; readonly updatedAt: number };
	  }
	| { readonly accepted: false; readonly reason: keyof typeof REFUSALS; readonly description: string };

function refusalOf({ account, balance }: AccountView, isPaying: boolean): keyof typeof REFUSALS | undefined {
	if (account.status === "CLOSED") return "ALREADY_CLOSED";
	if (balance.totalOutstanding > 0n) return "SOMETHING_OWED";
	if (balance.overpaid > 0n) return "OVERPAID";
	return isPaying ? "PAYOUT_UNDER_WAY" : undefined;
}

/** The writes are stale when anything was posted or paid out since. */
export function planClosing(services: Services, view: AccountView, pending: readonly unknown[]): PlannedClosing {
	const { db, now } = services;
	const { account } = view;
	const reason = refusalOf(view, pending.length > 0);
	if (reason) return { accepted: false, reason, description: REFUSALS[reason] };
	const closed = { status: "CLOSED" as const, nextWorkAt: null, updatedAt: now };
	const data = { ...accountMembers(account), closed_at: toTimestamp(now) };
	const isAsRead = and(
		eq(creditAccounts.id, account.id),
		eq(creditAccounts.lastPosition, account.lastPosition),
		eq(creditAccounts.status, account.status),
	);
	return {
		accepted: true,
		writes: [
			orStaleUnless(notExists(findPending(db.orm, account.id))),
			guarded(db.orm.update(creditAccounts).set(closed).where(isAsRead)),
			raise(services, creditAccountClosed, { organizationId: account.organizationId, entityId: account.id, data }),
		],
		closed,
	};
}
