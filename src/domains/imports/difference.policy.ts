// The first day on which a book and the balances of the old program differ. One replay shows all days: its entries sum to the balance of
// each, by component.

import { toNumber } from "../../shared/money";
import { replay } from "../credit-accounts/book/book.policy";
import type { EntryComponent } from "../credit-accounts/book/entries.policy";
import type { Book } from "../credit-accounts/book/facts.policy";
import { COMPONENTS, type Component, type Difference } from "./fault.policy";

export type OldBalance = Readonly<Record<Component, number>> & { readonly on: string };

const NAMES = {
	PRINCIPAL: "principal",
	INTEREST: "interest",
	ARREARS: "arrears",
	PENALTY: "penalty",
	OVERPAYMENT: "overpaid",
	REFUND_UNCOVERED: "refund_uncovered",
} as const satisfies Record<EntryComponent, Component>;

/** `balances`: at least one. */
export function differenceOf(book: Book, balances: readonly OldBalance[]): Difference | undefined {
	const days = balances.toSorted((a, b) => (a.on < b.on ? -1 : 1));
	const last = days.at(-1)?.on;
	if (last === undefined) return undefined;
	const entries = replay(
		book,
		last,
		days.map(({ on }) => on),
	).entries.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
	const sums: Record<Component, bigint> = { principal: 0n, interest: 0n, arrears: 0n, penalty: 0n, overpaid: 0n, refund_uncovered: 0n };
	let next = 0;
	for (const balance of days) {
		for (let entry = entries[next]; entry && entry.date <= balance.on; entry = entries[++next]) {
			// An overpayment is negative in the book: it is owed to the borrower.
			sums[NAMES[entry.component]] += entry.component === "OVERPAYMENT" ? -entry.amount : entry.amount;
		}
		const component = COMPONENTS.find((each) => sums[each] !== BigInt(balance[each]));
		if (component) return { on: balance.on, component, expected: balance[component], computed: toNumber(sums[component]) };
	}
	return undefined;
}
