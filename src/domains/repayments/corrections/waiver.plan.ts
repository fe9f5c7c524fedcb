// Gives up part of what an installment owes today: a transaction of its own.

import type { Write } from "../../../db/database";
import { raise } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import { toBigInt } from "../../../shared/money";
import { replay } from "../../credit-accounts/book/book.policy";
import { waivableOf } from "../../credit-accounts/book/installments.policy";
import { creditAccountPenaltyWaived } from "../../credit-accounts/events";
import { bookOf } from "../../credit-accounts/ledger.store";
import { accountMembers } from "../../credit-accounts/postings/events.plan";
import { planPosting, todayOf } from "../../credit-accounts/postings/plan";
import type { Loaded } from "../../credit-accounts/postings/rows.plan";
import type { InstallmentRow } from "../../credit-accounts/table";

type Waived = { readonly amount: number; readonly reason: string; readonly actor: string };

/** The writes belong in a commit in the account's home; they are stale when anything was posted since. */
export function planWaiver(services: Services, loaded: Loaded, { id: installmentId, cycleId, position }: InstallmentRow, waived: Waived) {
	const { now } = services;
	const { account } = loaded;
	const today = todayOf(account, now);
	// One of a cycle that was settled before the book owes nothing.
	const owed = waivableOf(replay(bookOf(loaded), today), cycleId, position);
	if (toBigInt(waived.amount) > owed) return { accepted: false, reason: "MORE_THAN_OWED", owed } as const;
	const waiver = { id: services.newId(), kind: "WAIVER" as const, valueDate: today, occurredAt: now, cycleId, installmentId, ...waived };
	const posted = planPosting(services, loaded, [waiver]);
	const { currency, organizationId } = account;
	const penalty = posted.allocations.reduce((sum, row) => (row.transactionId === waiver.id ? sum + row.penaltyAmount : sum), 0);
	const about = { cycle_id: cycleId, installment_id: installmentId, transaction_id: waiver.id, amount: penalty, currency };
	const data = { ...accountMembers(account), ...about };
	const told: Write[] = penalty > 0 ? [raise(services, creditAccountPenaltyWaived, { organizationId, entityId: waiver.id, data })] : [];
	return { accepted: true, waiver, writes: [...posted.writes, ...told] } as const;
}
