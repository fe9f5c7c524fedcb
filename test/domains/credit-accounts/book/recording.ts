// What postings record of a book, one after another, and what a ledger says in all.

import { type AllocationRow, newAllocationRows } from "../../../../src/domains/credit-accounts/book/allocation-rows.policy";
import { balanceOf } from "../../../../src/domains/credit-accounts/book/balance.policy";
import { replay } from "../../../../src/domains/credit-accounts/book/book.policy";
import type { Book } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { installmentsOf } from "../../../../src/domains/credit-accounts/book/installments.policy";
import type { Ledger } from "../../../../src/domains/credit-accounts/book/ledger.policy";
import { newPenaltyRows, type PenaltyRow } from "../../../../src/domains/credit-accounts/book/penalty-rows.policy";

export const total = (amounts: Iterable<bigint>) => [...amounts].reduce((sum, amount) => sum + amount, 0n);

/** Everything in a ledger except the entries: interest may be charged in more or fewer of them. */
export const saidBy = (ledger: Ledger) => ({
	balance: balanceOf(ledger),
	installments: installmentsOf(ledger),
	allocations: ledger.allocations,
	penalties: ledger.penalties,
	uncovered: ledger.uncoveredRefund,
});

const postedUntil = ({ facts }: Book, count: number) => {
	const posted = facts.slice(0, count);
	return { posted, day: posted.reduce((latest, { valueDate }) => (valueDate > latest ? valueDate : latest), "") };
};

/** Posts the facts one after another, and records what each posting changes. */
export function recordingOf(book: Book, through: string): { allocations: AllocationRow[]; penalties: PenaltyRow[] } {
	const allocations: AllocationRow[] = [];
	const penalties: PenaltyRow[] = [];
	for (const [index, fact] of book.facts.entries()) {
		const { posted, day } = postedUntil(book, index + 1);
		const ledger = replay({ ...book, facts: posted }, day);
		allocations.push(...newAllocationRows(ledger, posted, allocations, [fact]));
		penalties.push(...newPenaltyRows(ledger, penalties));
	}
	penalties.push(...newPenaltyRows(replay(book, through), penalties));
	return { allocations, penalties };
}
