// Builds the writes of a posting: transactions, allocations, cycles and the account's caches, with the events that tell of them. The
// account's last position is the lock: a posting that read an older one is stale.

import { eq, sql } from "drizzle-orm";
import type { Write } from "../../db/database";
import { insertAll } from "../../db/insert-all";
import { insertOf, prebuilt } from "../../db/prebuilt";
import type { Services } from "../../runtime/services";
import { toNumber } from "../../shared/money";
import { type CalendarDate, localDate, startOfDay } from "../../shared/time";
import { type FrozenTerms, scheduleOf } from "../loans/products/policy";
import { balanceOf } from "./book/balance.policy";
import { installmentsOf } from "./book/installments.policy";
import { type Standing, standingOf } from "./book/standing.policy";
import { type AccountRecords, bookOf, idsByPlace, placeKey, recordedOf } from "./ledger.store";
import { type Posting, post, repaidCycles, statusBy } from "./posting.policy";
import { postingEvents } from "./posting-events.store";
import { type Caches, updateAccount } from "./store";
import {
	type AccountTransactionRow,
	accountTransactions,
	allocations,
	type CreditAccountRow,
	type CreditCycleRow,
	creditCycles,
	type InstallmentRow,
	installments,
	type StoredAllocation,
} from "./table";

export type NewTransaction = Pick<AccountTransactionRow, "id" | "kind" | "amount" | "valueDate" | "occurredAt"> &
	Partial<Pick<AccountTransactionRow, "cycleId" | "installmentId" | "reversesId" | "reason" | "actor">>;

/** A cycle that the posted draw starts. */
export type NewCycle = Pick<CreditCycleRow, "id" | "applicationId" | "mobileMoneyTransactionId"> & {
	number: number;
	startDate: CalendarDate;
	terms: FrozenTerms;
};

export type Loaded = AccountRecords & { readonly allocations: readonly StoredAllocation[] };

export type Posted = {
	readonly posting: Posting;
	readonly standing: Standing;
	/** After the posting. */
	readonly account: CreditAccountRow;
	readonly transactions: readonly AccountTransactionRow[];
	readonly allocations: readonly StoredAllocation[];
	/** Of the book, with those that the posting starts. */
	readonly cycles: readonly CreditCycleRow[];
	readonly installments: readonly InstallmentRow[];
	readonly closed: readonly { readonly cycleId: string; readonly paidAt: number }[];
	readonly writes: readonly Write[];
};

/** A posting would make an earlier refund exceed what was overpaid. */
export class RefundUncovered extends Error {}

/** A cycle would have amounts beyond what a number holds exactly. */
export class ScheduleOutOfRange extends Error {}

export const todayOf = ({ terms }: Pick<CreditAccountRow, "terms">, now: number): CalendarDate => localDate(now, terms.timeZone);

const BLANK = { cycleId: null, installmentId: null, reversesId: null, number: null, causeId: null, reason: null, actor: null };

/** Posts the transactions, which may be none: then only what time brings is posted. Throws RefundUncovered and ScheduleOutOfRange. */
export function planPosting(services: Services, loaded: Loaded, newTransactions: readonly NewTransaction[], newCycle?: NewCycle): Posted {
	const { account } = loaded;
	const { now } = services;
	const newId = () => services.newId();
	const today = todayOf(account, now);
	const positions = new Map(loaded.installments.map(({ id, position }) => [id, position]));
	const posting = post(
		bookOf(loaded),
		recordedOf(loaded, loaded.allocations),
		account,
		{
			facts: newTransactions.map(({ id, kind, amount, valueDate, cycleId, installmentId, reversesId }) => ({
				...{ id, kind, amount, valueDate, position: 0, cycleId: cycleId ?? null, reversesId: reversesId ?? null },
				installment: positions.get(installmentId ?? "") ?? null,
			})),
			newCycles: newCycle ? [{ ...newCycle, rolledFromId: null }] : [],
		},
		{ lastPosition: account.lastPosition, today, newId },
	);
	if (posting.ledger.uncoveredRefund > 0n) throw new RefundUncovered();

	const newCycles = posting.newCycles.map((cycle) => cycleRow(services, account.id, cycle, posting, newTransactions, newCycle));
	const newInstallments = [...newCycles.flatMap(({ installments: rows }) => rows), ...penaltyInstallments(services, loaded, posting)];
	const allInstallments = [...loaded.installments, ...newInstallments];
	const ids = idsByPlace(allInstallments);
	const balances = new Map([...loaded.cycles, ...newCycles.map(({ cycle }) => cycle)].map(({ id, balanceId }) => [id, balanceId]));
	const given = new Map(newTransactions.map((transaction) => [transaction.id, transaction]));
	const facts = posting.posted.map(({ installment, ...fact }): AccountTransactionRow => {
		const source = given.get(fact.id);
		const { installmentId = null, reason = null, actor = null, occurredAt = now } = source ?? {};
		return { ...BLANK, ...fact, accountId: account.id, installmentId, reason, actor, occurredAt, postedAt: now };
	});
	const causeId = facts.at(-1)?.id ?? null;
	const lastFact = account.lastPosition + facts.length;
	const penalties = posting.penalties.map(
		({ installment, ...row }, index): AccountTransactionRow => ({
			...BLANK,
			...row,
			id: newId(),
			accountId: account.id,
			position: lastFact + index + 1,
			installmentId: ids.get(placeKey({ cycleId: row.cycleId, position: installment })) ?? null,
			causeId,
			occurredAt: now,
			postedAt: now,
		}),
	);
	const transactions = [...facts, ...penalties];
	const stored = posting.allocations.map(({ installment, ...row }): StoredAllocation => {
		const installmentId = ids.get(placeKey({ cycleId: row.cycleId, position: installment }));
		const balanceId = balances.get(row.cycleId);
		if (!installmentId || !balanceId) throw new Error("an allocation names no installment");
		return { ...row, id: newId(), accountId: account.id, balanceId, installmentId, position: installment, allocatedAt: now };
	});

	const standing = standingOf(posting.ledger);
	const balance = balanceOf(posting.ledger);
	const repaid = new Map(repaidCycles(posting).map((cycle) => [cycle.cycleId, cycle]));
	const occurred = new Map([...loaded.transactions, ...facts].map(({ id, occurredAt }) => [id, occurredAt]));
	const changed = loaded.cycles.flatMap(({ id, status }) => {
		const settled = repaid.get(id);
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
	const status = statusBy(account.status, standing, posting.book.cycles.length > 0);
	const onTime = changed.reduce(
		(sum, { isOnTime, paidAt }) => sum + (isOnTime ? (paidAt === null ? -1 : 1) : 0),
		account.loansRepaidOnTime,
	);
	const newest = newCycles.at(-1)?.cycle;
	const caches: Caches = {
		status,
		terms: newest?.terms ?? account.terms,
		nextTenure: newest ? null : account.nextTenure,
		loansRepaidOnTime: status === "DEFAULTED" ? 0 : Math.max(0, onTime),
		openedAt: account.openedAt ?? newest?.startedAt ?? null,
		updatedAt: now,
		lastPosition: account.lastPosition + transactions.length,
		bookFrom: Math.max(1, posting.ledger.bookFrom),
		principalOutstanding: toNumber(balance.breakdown.principal),
		overpaidAmount: toNumber(balance.overpaid),
		earliestDue: standing.dueDate,
		nextWorkAt: standing.nextWorkOn === null ? null : startOfDay(standing.nextWorkOn, account.terms.timeZone),
		workedThrough: today,
	};
	const after: CreditAccountRow = { ...account, ...caches };
	const closed = changed.flatMap(({ cycleId, paidAt }) => (paidAt === null ? [] : [{ cycleId, paidAt }]));
	const moved = new Map(changed.map(({ cycleId, paidAt }) => [cycleId, { status: paidAt === null ? "OPEN" : "CLOSED", paidAt } as const]));
	const cycles = [...loaded.cycles.map((cycle) => ({ ...cycle, ...moved.get(cycle.id) })), ...newCycles.map(({ cycle }) => cycle)];
	const result = { posting, standing, account: after, transactions, allocations: stored, cycles, installments: allInstallments, closed };
	return {
		...result,
		writes: [
			updateAccount(account, caches),
			...newCycles.map(({ cycle }) => insertCycle(cycle)),
			...insertAll(installments, newInstallments),
			...insertAll(accountTransactions, transactions),
			...insertAll(allocations, stored),
			...[...moved].map(([id, set]) => moveCycle({ id, ...set })),
			...postingEvents(
				services,
				account,
				result,
				newCycles.map(({ cycle }) => cycle),
			),
		],
	};
}

const { placeholder } = sql;

const insertCycle = insertOf(creditCycles);
const moveCycle = prebuilt((orm) =>
	orm
		.update(creditCycles)
		.set({ status: placeholder("status"), paidAt: placeholder("paidAt") } as never)
		.where(eq(creditCycles.id, placeholder("id"))),
);

/** A cycle counted as repaid on time when it was closed: nothing of it was allocated late. */
const wasOnTime = ({ allocations: rows }: Loaded, cycleId: string): boolean =>
	rows.reduce((late, row) => (row.cycleId === cycleId && row.timing === "LATE" ? late + row.allocatedAmount : late), 0) === 0;

function cycleRow(
	services: Services,
	accountId: string,
	{ id, number, startDate, terms, rolledFromId }: Posting["newCycles"][number],
	{ posted }: Posting,
	newTransactions: readonly NewTransaction[],
	newCycle: NewCycle | undefined,
): { cycle: CreditCycleRow; installments: InstallmentRow[] } {
	const first = posted.find(({ cycleId }) => cycleId === id);
	if (!first) throw new Error("a cycle starts without a transaction");
	const schedule = scheduleOf(rolledFromId === null ? terms : { ...terms, feeBasisPoints: 0 }, first.amount, startDate);
	if (!schedule) throw new ScheduleOutOfRange();
	const given = newCycle?.id === id ? newCycle : undefined;
	const cycle: CreditCycleRow = {
		id,
		accountId,
		number,
		applicationId: given?.applicationId ?? null,
		balanceId: services.newId(),
		status: "OPEN",
		principal: schedule.totalPrincipal,
		fee: schedule.fee,
		terms,
		startDate,
		finalDueDate: schedule.installments.at(-1)?.dueDate ?? startDate,
		startedAt: newTransactions.find((transaction) => transaction.id === first.id)?.occurredAt ?? services.now,
		rolledFromId,
		mobileMoneyTransactionId: given?.mobileMoneyTransactionId ?? null,
		paidAt: null,
		createdAt: services.now,
	};
	const rows = schedule.installments.map(({ position, dueDate, principal, interest }, index) => ({
		id: services.newId(),
		accountId,
		cycleId: id,
		position,
		startDate: schedule.installments[index - 1]?.dueDate ?? startDate,
		dueDate,
		principal,
		interest,
		fee: index === 0 ? schedule.fee : 0,
	}));
	return { cycle, installments: rows };
}

/** The installments behind the last of their cycles, which take the penalties after the loan's end. */
function penaltyInstallments(
	services: Services,
	{ installments: known, account }: Loaded,
	{ ledger, penalties, allocations: rows }: Posting,
): InstallmentRow[] {
	const ids = idsByPlace(known);
	const needed = new Set([...penalties, ...rows].map(({ cycleId, installment }) => placeKey({ cycleId, position: installment })));
	return installmentsOf(ledger).flatMap(({ cycleId, position, dueDate }) => {
		const state = ledger.cycles.find(({ cycle }) => cycle.id === cycleId);
		const isExtra = state !== undefined && position > state.dueDays.length;
		if (!isExtra || ids.has(placeKey({ cycleId, position })) || !needed.has(placeKey({ cycleId, position }))) return [];
		const amounts = { principal: 0, interest: 0, fee: 0 };
		return [{ id: services.newId(), accountId: account.id, cycleId, position, startDate: dueDate, dueDate, ...amounts }];
	});
}
