// Builds the writes of a posting: transactions, allocations, cycles and the account's caches, with their events. The account's last
// position is the lock: a posting that read an older one is stale.

import { insertAll } from "../../../db/insert-all";
import type { Services } from "../../../runtime/services";
import { toNumber } from "../../../shared/money";
import { type CalendarDate, localDate, startOfDay } from "../../../shared/time";
import { enterPortfolio } from "../../portfolio/model/store";
import { balanceOf } from "../book/balance.policy";
import { capReachedOn, type Standing, standingOf } from "../book/standing.policy";
import { bookOf, idsByPlace, placeKey, recordedOf } from "../ledger.store";
import { type AccountChanges, insertCycle, moveCycle, updateAccount } from "../store";
import {
	accountTransactions,
	allocations,
	type CreditAccountRow,
	type CreditCycleRow,
	installments,
	type StoredAllocation,
} from "../table";
import { postingEvents } from "./events.plan";
import { journalEntries } from "./journal.plan";
import { computePosting, type Posting, repaidCycles, statusBy } from "./policy";
import {
	cycleRow,
	factRows,
	type Loaded,
	laterInstallments,
	type NewCycle,
	type NewTransaction,
	type Posted,
	penaltyRows,
} from "./rows.plan";

export const todayOf = ({ terms }: Pick<CreditAccountRow, "terms">, now: number): CalendarDate => localDate(now, terms.timeZone);

type How = {
	readonly newCycles?: readonly NewCycle[];
	/** History of another program: no messages about what happened long ago, and all is allocated as it is replayed now. */
	readonly isBackfill?: boolean;
	/** The ids that `renewedBook` has given to the roll-overs that come first: a transaction may name their cycles. */
	readonly renewalIds?: readonly string[];
};

/** Posts the transactions, which may be none: then only what time brings is posted. Throws ScheduleOutOfRange. */
export function planPosting(services: Services, loaded: Loaded, newTransactions: readonly NewTransaction[], how: How = {}): Posted {
	const { newCycles: given = [], isBackfill = false } = how;
	const { account } = loaded;
	const { now } = services;
	const renewalIds = [...(how.renewalIds ?? [])];
	const newId = () => renewalIds.shift() ?? services.newId();
	const today = todayOf(account, now);
	const positions = new Map(loaded.installments.map(({ id, position }) => [id, position]));
	const posting = computePosting(
		bookOf(loaded),
		recordedOf(loaded, loaded.allocations),
		account,
		{
			facts: newTransactions.map(({ id, kind, amount, valueDate, cycleId, reversesId, dueDates, validUntil, ...row }) => ({
				...{ id, kind, amount, valueDate, position: 0, cycleId: cycleId ?? null, reversesId: reversesId ?? null },
				installment: row.installment ?? positions.get(row.installmentId ?? "") ?? null,
				...(dueDates && { dueDates }),
				...(validUntil && { validUntil }),
			})),
			newCycles: given,
		},
		{ lastPosition: account.lastPosition, today, newId },
	);

	const newCycles = posting.newCycles.map((cycle) => cycleRow(services, account.id, cycle, posting, newTransactions, given));
	const scheduled = newCycles.flatMap(({ installments: rows }) => rows);
	const newInstallments = [...scheduled, ...laterInstallments(services, account, [...loaded.installments, ...scheduled], posting)];
	const allInstallments = [...loaded.installments, ...newInstallments];
	const ids = idsByPlace(allInstallments);
	const balances = new Map([...loaded.cycles, ...newCycles.map(({ cycle }) => cycle)].map(({ id, balanceId }) => [id, balanceId]));
	const facts = factRows(services, account, posting, newTransactions, ids);
	const transactions = [...facts, ...penaltyRows(services, account, posting, facts, ids)];
	const stored = posting.allocations.map(({ installment, ...row }): StoredAllocation => {
		const installmentId = ids.get(placeKey({ cycleId: row.cycleId, position: installment }));
		const balanceId = balances.get(row.cycleId);
		if (!installmentId || !balanceId) throw new Error("an allocation names no installment");
		const source = isBackfill ? "BACKFILL" : row.source;
		return { ...row, source, id: newId(), accountId: account.id, balanceId, installmentId, position: installment, allocatedAt: now };
	});

	const standing = standingOf(posting.ledger);
	const repaid = new Map(repaidCycles(posting).map((cycle) => [cycle.cycleId, cycle]));
	// Without them a cycle has no draw that stands: nothing was lent on it after all.
	const funded = new Set(posting.ledger.cycles.map(({ cycle }) => cycle.id));
	const occurred = new Map([...loaded.transactions, ...facts].map(({ id, occurredAt }) => [id, occurredAt]));
	const changed = loaded.cycles.flatMap(({ id, status }): Moved[] => {
		const settled = repaid.get(id);
		if (!funded.has(id)) return status === "CLOSED" ? [] : [{ cycleId: id, isOnTime: false, paidAt: now }];
		if ((status === "CLOSED") === (settled !== undefined)) return [];
		return [
			{
				cycleId: id,
				isOnTime: settled?.isOnTime ?? wasOnTime(loaded, id),
				paidAt: settled ? (occurred.get(settled.transactionId) ?? now) : null,
			},
		];
	});
	// A cycle that a repayment ahead or an overpayment settles from the start.
	for (const row of newCycles) {
		const settled = repaid.get(row.cycle.id);
		if (settled) Object.assign(row.cycle, { status: "CLOSED", paidAt: occurred.get(settled.transactionId) ?? now });
	}
	const changes: AccountChanges = {
		...changesOf(account, posting, today, standing, changed, newCycles.at(-1)?.cycle),
		updatedAt: now,
		lastPosition: account.lastPosition + transactions.length,
		workedThrough: today,
	};
	const after: CreditAccountRow = { ...account, ...changes };
	const closed = changed.flatMap(({ cycleId, paidAt }) => (paidAt === null ? [] : [{ cycleId, paidAt }]));
	const moved = new Map(changed.map(({ cycleId, paidAt }) => [cycleId, { status: paidAt === null ? "OPEN" : "CLOSED", paidAt } as const]));
	const cycles = [...loaded.cycles.map((cycle) => ({ ...cycle, ...moved.get(cycle.id) })), ...newCycles.map(({ cycle }) => cycle)];
	const result = { posting, standing, account: after, transactions, allocations: stored, cycles, installments: allInstallments, closed };
	return {
		...result,
		writes: [
			updateAccount(account, changes),
			...newCycles.map(({ cycle }) => insertCycle(cycle)),
			...insertAll(installments, newInstallments),
			...insertAll(accountTransactions, transactions),
			...enterPortfolio(services, after),
			...insertAll(allocations, stored),
			...journalEntries(services, after, posting, { facts, isBackfill }),
			...[...moved].map(([id, set]) => moveCycle({ id, ...set })),
			...(isBackfill ? [] : postingEvents(services, account, result, newCycles)),
		],
	};
}

/** A cycle that the posting closes, or opens again where `paidAt` is null. */
type Moved = { readonly cycleId: string; readonly isOnTime: boolean; readonly paidAt: number | null };

/** What the posting changes about the account: its status, its terms when a cycle starts, and what is stored of its balance. */
function changesOf(
	account: CreditAccountRow,
	{ ledger, book }: Posting,
	today: CalendarDate,
	standing: Standing,
	moved: readonly Moved[],
	newest: CreditCycleRow | undefined,
): Omit<AccountChanges, "updatedAt" | "lastPosition" | "workedThrough"> {
	const balance = balanceOf(ledger);
	const status = statusBy(account.status, standing, book.cycles.length > 0);
	const [nextWorkOn] = [standing.nextWorkOn, capReachedOn(book, ledger)].filter((day) => day !== null).sort();
	const onTime = moved.reduce((sum, { isOnTime, paidAt }) => sum + (isOnTime ? (paidAt === null ? -1 : 1) : 0), account.loansRepaidOnTime);
	return {
		status,
		terms: newest?.terms ?? account.terms,
		nextTenure: newest ? null : account.nextTenure,
		loansRepaidOnTime: status === "DEFAULTED" ? 0 : Math.max(0, onTime),
		openedAt: account.openedAt ?? newest?.startedAt ?? null,
		bookFrom: Math.max(1, ledger.bookFrom),
		principalOutstanding: toNumber(balance.breakdown.principal + balance.breakdown.refundUncovered),
		overpaidAmount: toNumber(balance.overpaid),
		earliestDue: standing.dueDate,
		inDuplumToldOn: toldOn(account, ledger, today),
		nextWorkAt: nextWorkOn === undefined ? null : startOfDay(nextWorkOn, account.terms.timeZone),
	};
}

/** The cap on charges in default raises one event in each streak of overdue days. */
function toldOn({ inDuplumToldOn }: CreditAccountRow, { inDuplum }: Posting["ledger"], today: CalendarDate): CalendarDate | null {
	if (!inDuplum?.reachedOn) return inDuplumToldOn;
	return inDuplumToldOn !== null && inDuplumToldOn >= inDuplum.since ? inDuplumToldOn : today;
}

/** A cycle counted as repaid on time when it was closed: nothing of it was allocated late. */
const wasOnTime = ({ allocations: rows }: Loaded, cycleId: string): boolean =>
	rows.reduce((late, row) => (row.cycleId === cycleId && row.timing === "LATE" ? late + row.allocatedAmount : late), 0) === 0;
