// Makes the rows that a posting adds: its transactions, and the cycles that it starts with their installments.

import type { Write } from "../../../db/database";
import type { Services } from "../../../runtime/services";
import { toNumber } from "../../../shared/money";
import type { CalendarDate } from "../../../shared/time";
import { type FrozenTerms, scheduleOf } from "../../loan-products/model/policy";
import { NO_ORGANIZATION } from "../../portfolio/model/table";
import { installmentsOf } from "../book/installments.policy";
import type { Standing } from "../book/standing.policy";
import { type AccountRecords, idsByPlace, placeKey } from "../ledger.store";
import type { AccountTransactionRow, CreditAccountRow, CreditCycleRow, InstallmentRow, StoredAllocation } from "../table";
import type { Posting } from "./policy";

export type NewTransaction = Pick<AccountTransactionRow, "id" | "kind" | "amount" | "valueDate" | "occurredAt"> &
	Partial<
		Pick<AccountTransactionRow, "cycleId" | "installmentId" | "reversesId" | "number" | "dueDates" | "validUntil" | "reason" | "actor">
	> & {
		/** Position of an installment that may have no row yet, instead of its id. */
		readonly installment?: number | undefined;
	};

/** A cycle that a posted draw or roll-over starts. */
export type NewCycle = Pick<CreditCycleRow, "id" | "applicationId" | "mobileMoneyTransactionId" | "rolledFromId"> & {
	number: number;
	startDate: CalendarDate;
	terms: FrozenTerms;
};

/** What a posting starts from. */
export type Loaded = AccountRecords & { readonly allocations: readonly StoredAllocation[] };

/** What a posting has made of it. */
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

/** A cycle would have amounts beyond what a number holds exactly. */
export class ScheduleOutOfRange extends Error {}

const BLANK = {
	cycleId: null,
	installmentId: null,
	reversesId: null,
	dueDates: null,
	validUntil: null,
	number: null,
	causeId: null,
	reason: null,
	actor: null,
};

const ownerOf = ({ id, organizationId }: CreditAccountRow) => ({ accountId: id, organizationId: organizationId ?? NO_ORGANIZATION });

/** The rows of the facts that are posted: those of the new transactions, and those that time brings. */
export function factRows(
	{ now }: Services,
	account: CreditAccountRow,
	{ posted }: Posting,
	newTransactions: readonly NewTransaction[],
	installmentIds: ReadonlyMap<string, string>,
): AccountTransactionRow[] {
	const given = new Map(newTransactions.map((transaction) => [transaction.id, transaction]));
	return posted.map(({ installment, ...fact }) => {
		const { reason = null, actor = null, occurredAt = now, number = fact.kind === "REVERSAL" ? 1 : null } = given.get(fact.id) ?? {};
		const place = installment !== null && fact.cycleId !== null ? { cycleId: fact.cycleId, position: installment } : undefined;
		const installmentId = given.get(fact.id)?.installmentId ?? (place && installmentIds.get(placeKey(place))) ?? null;
		return { ...BLANK, ...fact, ...ownerOf(account), installmentId, number, reason, actor, occurredAt, postedAt: now };
	});
}

/** The rows of the penalties, which follow the facts. */
export function penaltyRows(
	services: Services,
	account: CreditAccountRow,
	{ penalties }: Posting,
	facts: readonly AccountTransactionRow[],
	installmentIds: ReadonlyMap<string, string>,
): AccountTransactionRow[] {
	const { now } = services;
	const causeId = facts.at(-1)?.id ?? null;
	const lastFact = account.lastPosition + facts.length;
	return penalties.map(({ installment, ...row }, index) => ({
		...BLANK,
		...row,
		id: services.newId(),
		...ownerOf(account),
		position: lastFact + index + 1,
		installmentId: installmentIds.get(placeKey({ cycleId: row.cycleId, position: installment })) ?? null,
		causeId,
		occurredAt: now,
		postedAt: now,
	}));
}

export function cycleRow(
	services: Services,
	accountId: string,
	{ id, number, startDate, terms, rolledFromId }: Posting["newCycles"][number],
	{ posted }: Posting,
	newTransactions: readonly NewTransaction[],
	given: readonly NewCycle[],
): { cycle: CreditCycleRow; installments: InstallmentRow[] } {
	const first = posted.find(({ cycleId }) => cycleId === id);
	if (!first) throw new Error("a cycle starts without a transaction");
	const schedule = scheduleOf(rolledFromId === null ? terms : { ...terms, feeBasisPoints: 0 }, first.amount, startDate);
	if (!schedule) throw new ScheduleOutOfRange();
	const own = given.find((cycle) => cycle.id === id);
	const cycle: CreditCycleRow = {
		id,
		accountId,
		number,
		applicationId: own?.applicationId ?? null,
		balanceId: services.newId(),
		status: "OPEN",
		principal: schedule.totalPrincipal,
		fee: schedule.fee,
		terms,
		startDate,
		finalDueDate: schedule.installments.at(-1)?.dueDate ?? startDate,
		startedAt: newTransactions.find((transaction) => transaction.id === first.id)?.occurredAt ?? services.now,
		rolledFromId,
		mobileMoneyTransactionId: own?.mobileMoneyTransactionId ?? null,
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

/**
 * The installments that a cycle got since it started: those of a reschedule, and the one behind the last of the cycle, which takes the
 * penalties after the loan's end.
 */
export function laterInstallments(
	services: Services,
	account: CreditAccountRow,
	known: readonly InstallmentRow[],
	{ ledger, penalties, allocations: rows }: Posting,
): InstallmentRow[] {
	const ids = idsByPlace(known);
	const needed = new Set([...penalties, ...rows].map(({ cycleId, installment }) => placeKey({ cycleId, position: installment })));
	return installmentsOf(ledger).flatMap(({ cycleId, position, dueDate, principal, interest, fee }) => {
		const period = ledger.cycles.find(({ cycle }) => cycle.id === cycleId)?.periods[position - 1];
		const key = placeKey({ cycleId, position });
		if (ids.has(key) || !(period || needed.has(key))) return [];
		const amounts = period
			? { principal: toNumber(principal), interest: toNumber(interest), fee: toNumber(fee) }
			: { principal: 0, interest: 0, fee: 0 };
		return [
			{ id: services.newId(), accountId: account.id, cycleId, position, startDate: period?.startDate ?? dueDate, dueDate, ...amounts },
		];
	});
}
