// Allocations as they are recorded. A posting writes its own rows and, where it makes other transactions fall elsewhere, the signed
// differences to what was recorded of them: so the rows of a transaction always sum to what the book allocates of it.

import { toBigInt, toNumber } from "../../../shared/money";
import type { Allocation } from "./entries.policy";
import { type Fact, factsInOrder, originOf } from "./facts.policy";
import type { Ledger } from "./ledger.policy";

export const ALLOCATION_EFFECTS = ["OBLIGATION_SETTLED", "OBLIGATION_REDUCED", "OBLIGATION_REINSTATED", "OBLIGATION_WAIVED"] as const;
export const ALLOCATION_SOURCES = ["LIVE", "REPLAY", "BACKFILL"] as const;
export const ALLOCATION_TIMINGS = ["IN_ADVANCE", "ON_TIME", "LATE"] as const;

export type AllocationRow = {
	readonly transactionId: string;
	/** The transaction that was posted when the row was written. */
	readonly causeId: string;
	/** From 1 among the rows of the same transaction and cause. */
	readonly sequence: number;
	readonly cycleId: string;
	/** Position of the installment. */
	readonly installment: number;
	/** principalAmount + interestAmount + arrearsAmount */
	readonly allocatedAmount: number;
	readonly principalAmount: number;
	readonly interestAmount: number;
	/** Overdue interest and penalties. */
	readonly arrearsAmount: number;
	/** Of the arrears. */
	readonly penaltyAmount: number;
	readonly effect: (typeof ALLOCATION_EFFECTS)[number];
	/** REPLAY: another transaction is the cause. BACKFILL: the transaction was imported from another program. */
	readonly source: (typeof ALLOCATION_SOURCES)[number];
	/** Before, on or after the due date. */
	readonly timing: (typeof ALLOCATION_TIMINGS)[number];
};

type Sums = { principal: bigint; interest: bigint; arrears: bigint; penalty: bigint };
type Sum = Sums & {
	readonly transactionId: string;
	readonly cycleId: string;
	readonly installment: number;
	readonly isWaiver: boolean;
	/** The last part left nothing owed. */
	settles: boolean;
	timing: AllocationRow["timing"];
};

const keyOf = ({ transactionId, cycleId, installment }: Pick<AllocationRow, "transactionId" | "cycleId" | "installment">) =>
	`${transactionId} ${cycleId} ${installment}`;

/** One sum for each transaction and installment, in the order of their first parts. */
function summed(parts: readonly Sum[]): Map<string, Sum> {
	const sums = new Map<string, Sum>();
	for (const part of parts) {
		const known = sums.get(keyOf(part));
		if (!known) {
			sums.set(keyOf(part), { ...part });
			continue;
		}
		known.principal += part.principal;
		known.interest += part.interest;
		known.arrears += part.arrears;
		known.penalty += part.penalty;
		known.settles = part.settles;
		known.timing = part.timing;
	}
	return sums;
}

function timingOf({ date, dueDate }: Allocation): AllocationRow["timing"] {
	if (date === dueDate) return "ON_TIME";
	return date < dueDate ? "IN_ADVANCE" : "LATE";
}

const fromAllocation = (allocation: Allocation): Sum => ({ ...allocation, timing: timingOf(allocation) });

const fromRow = (row: AllocationRow): Sum => ({
	transactionId: row.transactionId,
	cycleId: row.cycleId,
	installment: row.installment,
	principal: toBigInt(row.principalAmount),
	interest: toBigInt(row.interestAmount),
	arrears: toBigInt(row.arrearsAmount - row.penaltyAmount),
	penalty: toBigInt(row.penaltyAmount),
	timing: row.timing,
	settles: row.effect === "OBLIGATION_SETTLED",
	isWaiver: row.effect === "OBLIGATION_WAIVED",
});

function minus(a: Sums, b: Sums): Sums {
	return {
		principal: a.principal - b.principal,
		interest: a.interest - b.interest,
		arrears: a.arrears - b.arrears,
		penalty: a.penalty - b.penalty,
	};
}

const NONE: Sums = { principal: 0n, interest: 0n, arrears: 0n, penalty: 0n };

function effectOf(allocated: bigint, { settles, isWaiver }: Pick<Sum, "settles" | "isWaiver">): AllocationRow["effect"] {
	if (allocated < 0n) return "OBLIGATION_REINSTATED";
	if (isWaiver) return "OBLIGATION_WAIVED";
	return settles ? "OBLIGATION_SETTLED" : "OBLIGATION_REDUCED";
}

function rowOf(sum: Sum, { principal, interest, arrears, penalty }: Sums, transactionId: string, causeId: string): AllocationRow {
	const allocated = principal + interest + arrears + penalty;
	return {
		transactionId,
		causeId,
		sequence: 0,
		cycleId: sum.cycleId,
		installment: sum.installment,
		allocatedAmount: toNumber(allocated),
		principalAmount: toNumber(principal),
		interestAmount: toNumber(interest),
		arrearsAmount: toNumber(arrears + penalty),
		penaltyAmount: toNumber(penalty),
		effect: effectOf(allocated, sum),
		source: causeId === transactionId ? "LIVE" : "REPLAY",
		timing: sum.timing,
	};
}

/**
 * The rows to write when `posted` facts have joined the book, of which `ledger` is the replay. `recorded`: all rows of the book's
 * transactions. The rows of a reversed transaction stay; its reversal has what it takes back with the opposite sign, and what undoes that
 * gives it again. So the rows of a transaction and of the reversals about it always sum to what the book allocates of it.
 */
export function newAllocationRows(
	ledger: Ledger,
	facts: readonly Fact[],
	recorded: readonly AllocationRow[],
	posted: readonly Fact[],
): readonly AllocationRow[] {
	const byId = new Map(facts.map((fact) => [fact.id, fact]));
	const aboutId = (id: string): string | undefined => {
		const fact = byId.get(id);
		return fact && originOf(fact, byId)?.id;
	};
	const said = summed(
		recorded.flatMap((row) => {
			const transactionId = aboutId(row.transactionId);
			return transactionId === undefined ? [] : [{ ...fromRow(row), transactionId }];
		}),
	);
	const says = summed(ledger.allocations.map(fromAllocation));
	const reversals = new Map(posted.flatMap(({ kind, id }) => (kind === "REVERSAL" ? [[aboutId(id), id] as const] : [])));
	const postedIds = new Set(posted.map(({ id }) => id));
	// The earliest value date of the new postings moves the transactions after it.
	const causeId = factsInOrder(facts).find(({ id }) => postedIds.has(id))?.id ?? posted[0]?.id;
	if (causeId === undefined) return [];
	const own: AllocationRow[] = [];
	const moved: AllocationRow[] = [];
	for (const [key, sum] of new Map([...said, ...says])) {
		const difference = minus(says.get(key) ?? NONE, said.get(key) ?? NONE);
		if (Object.values(difference).every((part) => part === 0n)) continue;
		const { transactionId } = sum;
		const reversalId = reversals.get(transactionId);
		if (reversalId !== undefined) own.push(rowOf(sum, difference, reversalId, reversalId));
		else moved.push(rowOf(sum, difference, transactionId, postedIds.has(transactionId) ? transactionId : causeId));
	}
	return numbered([...own, ...moved]);
}

function numbered(rows: readonly AllocationRow[]): readonly AllocationRow[] {
	const counts = new Map<string, number>();
	return rows.map((row) => {
		const key = `${row.transactionId} ${row.causeId}`;
		const sequence = (counts.get(key) ?? 0) + 1;
		counts.set(key, sequence);
		return { ...row, sequence };
	});
}

/** What of a transaction no installment has taken. */
export function overpaidOf({ id, amount }: Pick<Fact, "id" | "amount">, { allocations }: Ledger): bigint {
	return allocations.reduce(
		(left, part) => (part.transactionId === id ? left - part.principal - part.interest - part.arrears - part.penalty : left),
		toBigInt(amount),
	);
}
