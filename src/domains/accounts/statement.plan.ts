// Makes the entries of a statement, of an account of either kind, for its readers.

import type * as z from "zod";
import { badInput } from "../../shared/errors";
import { toNumber } from "../../shared/money";
import type { CalendarDate } from "../../shared/time";
import { type Statement as OfBook, statementOf } from "../credit-accounts/book/statement.policy";
import { type BookRecords, bookOf, idsByPlace, placeKey } from "../credit-accounts/ledger.store";
import { shownAs } from "../current-accounts/accounts/wire";
import type { Days } from "../current-accounts/ledger/statement.store";
import type { CurrentAccountEntryRow } from "../current-accounts/table";
import type { StatementEntry } from "./wire";

type Entry = z.input<typeof StatementEntry>;

export function requireValid({ from, to }: Days, today: CalendarDate, part: "query" | "body" = "query"): void {
	if (to > today) throw badInput(`${part}.to`, "is in the future", "OUT_OF_RANGE");
	if (from > to) throw badInput(`${part}.from`, "is after to", "OUT_OF_RANGE");
}

/** Of a credit account, with the function that makes a line of an entry. */
export function creditStatement(records: BookRecords, { from, to }: Days) {
	const { entries, opening, closing } = statementOf(bookOf(records), from, to);
	const ids = idsByPlace(records.installments);
	const toEntry = ({ cycleId, installment, ...entry }: OfBook["entries"][number]): Entry => ({
		date: entry.date,
		component: entry.component,
		amount: toNumber(entry.amount),
		rule: entry.rule,
		transaction_id: entry.transactionId,
		installment_id: cycleId === null || installment === null ? null : (ids.get(placeKey({ cycleId, position: installment })) ?? null),
		running_balance: toNumber(entry.runningBalance),
	});
	return { entries, opening: toNumber(opening), closing: toNumber(closing), toEntry };
}

/** The line of a current account's entry. */
export const currentEntry = (row: CurrentAccountEntryRow): Entry => ({
	date: row.day,
	component: "BALANCE",
	amount: row.amount,
	rule: shownAs(row),
	transaction_id: row.id,
	installment_id: null,
	running_balance: row.balanceAfter,
});
