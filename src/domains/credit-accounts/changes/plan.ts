// What changes a running loan: other due dates for the installments to come, and a settlement at a discount. Each is a transaction, which
// a replay reads like all others.

import type { Write } from "../../../db/database";
import { raise } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import type { SubCode } from "../../../shared/errors";
import { toBigInt, toNumber } from "../../../shared/money";
import { addDays, type CalendarDate } from "../../../shared/time";
import { balanceOf, isOpenCycle } from "../book/balance.policy";
import { replay } from "../book/book.policy";
import type { Fact } from "../book/facts.policy";
import { installmentsOf, type StandingInstallment } from "../book/installments.policy";
import { type Change, type ChangeFault, changedDates } from "../book/reschedule.policy";
import { bookOf } from "../ledger.store";
import { accountMembers } from "../postings/events.plan";
import { planPosting, todayOf } from "../postings/plan";
import { renewedBook } from "../postings/policy";
import type { Loaded, NewTransaction } from "../postings/rows.plan";
import { creditAccountRescheduled, creditAccountSettlementAgreed } from "./events";

type By = { readonly reason: string; readonly actor: string };

export type Rescheduled = {
	readonly cycleId: string;
	/** What is replaced: of which cycle by its number, the due dates to come, and the change that made them. */
	readonly replaced: { readonly cycle: number; readonly dueDates: readonly CalendarDate[]; readonly changeId: string | undefined };
	readonly before: readonly StandingInstallment[];
	readonly after: readonly StandingInstallment[];
	readonly transaction: NewTransaction & { readonly dueDates: readonly CalendarDate[] };
	/** Made only when they are asked for: a preview writes nothing. */
	writes(): readonly Write[];
};
export type RescheduleRefusal = ChangeFault | "NO_SUCH_CYCLE";

/** The member of the request that a refusal is about, and what is wrong with it. */
export const FAULTS = {
	NO_SUCH_CYCLE: ["cycle_id", "is no cycle that owes something", "NOT_ALLOWED"],
	TOO_MANY_INSTALLMENTS: ["installments", "are too many", "OUT_OF_RANGE"],
	TOO_FEW_DATES: ["due_dates", "must be at least as many as there are installments to come", "OUT_OF_RANGE"],
	DATES_NOT_ASCENDING: ["due_dates", "must each be later than the one before", "OUT_OF_RANGE"],
	DATE_NOT_AHEAD: ["due_dates", "must be after today", "OUT_OF_RANGE"],
	DATE_TOO_FAR: ["due_dates", "are too far ahead", "OUT_OF_RANGE"],
} as const satisfies Record<Exclude<RescheduleRefusal, "NOTHING_TO_COME">, readonly [string, string, SubCode]>;

/** `cycleId`: the newest open cycle where it is left out. The installments are those of the cycle, as they stand before and after. */
export function planReschedule(
	services: Services,
	loaded: Loaded,
	change: Change,
	cycleId: string | undefined,
	by: By,
): Rescheduled | { readonly refusal: RescheduleRefusal } {
	const { account } = loaded;
	const { now } = services;
	const today = todayOf(account, now);
	const renewalIds: string[] = [];
	const newId = () => {
		const id = services.newId();
		renewalIds.push(id);
		return id;
	};
	const book = renewedBook(bookOf(loaded), account, { lastPosition: account.lastPosition, today, newId });
	const ledger = replay(book, today);
	const state = ledger.cycles.findLast((each) => (cycleId === undefined ? isOpenCycle(each) : each.cycle.id === cycleId));
	if (!state || state.isStopped) return { refusal: cycleId === undefined ? "NOTHING_TO_COME" : "NO_SUCH_CYCLE" };
	const changed = changedDates(state, change, today);
	if ("fault" in changed) return { refusal: changed.fault };
	const { id } = state.cycle;
	const transaction = {
		...{ id: services.newId(), kind: "RESCHEDULE" as const, amount: toNumber(state.notDue), valueDate: today, occurredAt: now },
		...{ cycleId: id, dueDates: changed.dueDates, ...by },
	};
	const fact: Fact = { ...transaction, position: Number.MAX_SAFE_INTEGER, installment: null, reversesId: null };
	const ofCycle = (rows: readonly StandingInstallment[]) => rows.filter((row) => row.cycleId === id);
	return {
		cycleId: id,
		replaced: {
			cycle: state.cycle.number,
			dueDates: state.periods.slice(state.running).map(({ dueDate }) => dueDate),
			changeId: book.facts.findLast(({ kind }) => kind === "RESCHEDULE")?.id,
		},
		before: ofCycle(installmentsOf(ledger)),
		after: ofCycle(installmentsOf(replay({ ...book, facts: [...book.facts, fact] }, today))),
		transaction,
		writes: () => [
			...planPosting(services, loaded, [transaction], { renewalIds }).writes,
			raise(services, creditAccountRescheduled, {
				organizationId: account.organizationId,
				entityId: transaction.id,
				data: {
					...accountMembers(account),
					...{ cycle_id: id, transaction_id: transaction.id, kind: change.kind, due_dates: [...changed.dueDates] },
					final_payment_due_date: changed.dueDates.at(-1) ?? today,
				},
			}),
		],
	};
}

/** The longest time for which a settlement may be open. */
const MAX_SETTLEMENT_DAYS = 366;

export type SettlementRefusal = "NOTHING_OWED" | "NO_DISCOUNT" | "NOT_AHEAD";

/** Offers to waive the rest once so much is paid by the end of the day. It replaces an earlier one. */
export function planSettlement(
	services: Services,
	loaded: Loaded,
	{ amount, validUntil, ...by }: By & { readonly amount: number; readonly validUntil: CalendarDate },
) {
	const { account } = loaded;
	const { now } = services;
	const today = todayOf(account, now);
	const newId = () => services.newId();
	const ledger = replay(renewedBook(bookOf(loaded), account, { lastPosition: account.lastPosition, today, newId }), today);
	const { totalOutstanding } = balanceOf(ledger);
	if (totalOutstanding === 0n) return { accepted: false, reason: "NOTHING_OWED" } as const;
	if (toBigInt(amount) >= totalOutstanding) return { accepted: false, reason: "NO_DISCOUNT" } as const;
	if (validUntil < today || validUntil > addDays(today, MAX_SETTLEMENT_DAYS)) return { accepted: false, reason: "NOT_AHEAD" } as const;
	const id = services.newId();
	const transaction = { id, kind: "SETTLEMENT" as const, amount, valueDate: today, occurredAt: now, validUntil, ...by };
	const data = {
		...accountMembers(account),
		...{ transaction_id: id, amount, total_outstanding: toNumber(totalOutstanding), currency: account.currency, valid_until: validUntil },
	};
	return {
		accepted: true,
		transaction,
		totalOutstanding: toNumber(totalOutstanding),
		writes: [
			...planPosting(services, loaded, [transaction]).writes,
			raise(services, creditAccountSettlementAgreed, { organizationId: account.organizationId, entityId: id, data }),
		],
	} as const;
}
