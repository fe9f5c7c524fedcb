// The ledger on the wire. Amounts are in minor units.

import * as z from "zod";
import { toTimestamp } from "../../shared/time";
import { CHART_ACCOUNTS, type ChartAccount, CLASSES, normalSideOf } from "./model/chart.policy";
import { isByProduct } from "./model/mapping.policy";
import { ENTRY_SOURCES, type JournalEntryRow, type LedgerClosingRow, type LedgerDayRow, NO_PRODUCT } from "./model/table";

const side = z.int().min(0);
const number = z.string();

export const LedgerAccount = z
	.object({
		number,
		name: z.string(),
		class: z.enum(CLASSES),
		normal_side: z.enum(["DEBIT", "CREDIT"]),
		posts: z.string().meta({ description: "The changes that are posted to it" }),
		by_product: z.boolean().meta({ description: "A loan product may have a number of its own for it in the lender's own ledger" }),
	})
	.meta({ id: "LedgerAccount" });

export const toLedgerAccount = (account: ChartAccount): z.input<typeof LedgerAccount> => ({
	number: account.number,
	name: account.name,
	class: account.class,
	normal_side: normalSideOf(account),
	posts: account.posts,
	by_product: isByProduct(account.number),
});

export const LedgerLine = z
	.object({
		entry_id: z.string(),
		line: z.int().meta({ description: "From 1, in its entry" }),
		day: z.iso.date(),
		account: number,
		account_name: z.string(),
		debit: side,
		credit: side,
		currency: z.string(),
		source: z.enum(ENTRY_SOURCES),
		source_id: z.string(),
		account_id: z.uuid().nullable().meta({ description: "The credit account or current account" }),
		loan_product_id: z.uuid().nullable(),
		value_date: z.iso.date().meta({ description: "The day on which it counts for the borrower" }),
		corrects_id: z.string().nullable().meta({ description: "The source that it takes back" }),
		booked_at: z.iso.datetime(),
	})
	.meta({ id: "LedgerLine" });

export type LineOfEntry = { readonly entry: JournalEntryRow; readonly index: number };

const NAMES = new Map(CHART_ACCOUNTS.map((account) => [account.number, account]));
export const nameOf = (account: string): string => NAMES.get(account)?.name ?? "";
export const sidesOf = (amount: number) => ({ debit: Math.max(amount, 0), credit: Math.max(-amount, 0) });

export function toLedgerLine({ entry, index }: LineOfEntry): z.input<typeof LedgerLine> {
	const [account, amount] = entry.lines[index] ?? ["", 0];
	return {
		entry_id: entry.id,
		line: index + 1,
		day: entry.day,
		account,
		account_name: nameOf(account),
		...sidesOf(amount),
		currency: entry.currency,
		source: entry.source,
		source_id: entry.sourceId,
		account_id: entry.accountId,
		loan_product_id: entry.loanProductId === NO_PRODUCT ? null : entry.loanProductId,
		value_date: entry.valueDate,
		corrects_id: entry.correctsId,
		booked_at: toTimestamp(entry.bookedAt),
	};
}

export const TrialBalanceRow = z
	.object({ on: z.iso.date(), account: number, name: z.string(), class: z.enum(CLASSES), currency: z.string(), debit: side, credit: side })
	.meta({ id: "TrialBalanceRow" });

/** The balances of a day, by currency and account number. */
export function sumsOf(days: readonly Pick<LedgerDayRow, "currency" | "balances">[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
	const sums = new Map<string, Map<string, number>>();
	for (const { currency, balances } of days) {
		const totals = sums.get(currency) ?? new Map<string, number>();
		sums.set(currency, totals);
		for (const [account, amount] of Object.entries(balances)) totals.set(account, (totals.get(account) ?? 0) + amount);
	}
	return sums;
}

/** The balances that are not zero. */
export function toTrialBalance(on: string, sums: ReadonlyMap<string, ReadonlyMap<string, number>>): z.input<typeof TrialBalanceRow>[] {
	return [...sums].sort().flatMap(([currency, balances]) =>
		CHART_ACCOUNTS.flatMap(({ number: account, name, class: of }) => {
			const balance = balances.get(account) ?? 0;
			return balance === 0 ? [] : [{ on, account, name, class: of, currency, ...sidesOf(balance) }];
		}),
	);
}

const display = z.string().nullable();

/** Who asked for it, and who approved it. */
export const askedAndApproved = {
	approval_request_id: z.uuid(),
	requested_by: z.string().meta({ description: "A user, or an operator" }),
	requested_by_display: display.meta({ description: "A member's name or tag, or an operator's subject" }),
	approved_by: z.string(),
	approved_by_display: display,
	reason: z.string().nullable(),
};

export const LedgerClosing = z
	.object({
		month: z.string().meta({ description: "Such as 2026-03", examples: ["2026-03"] }),
		last_day: z.iso.date().meta({ description: "The day of its trial balance" }),
		...askedAndApproved,
		closed_at: z.iso.datetime(),
	})
	.meta({ id: "LedgerClosing" });

export const LedgerClosingFigures = z
	.object({ ...LedgerClosing.shape, balances: z.array(TrialBalanceRow).meta({ description: "Those that are not zero" }) })
	.meta({ id: "LedgerClosingFigures" });

export type ShownClosing = LedgerClosingRow & { readonly askerCalled: string | null; readonly deciderCalled: string | null };

/** `called`: what people are called, by their ids. */
export const toLedgerClosing = (row: ShownClosing, called: ReadonlyMap<string, string | null>): z.input<typeof LedgerClosing> => ({
	month: row.month,
	last_day: row.lastDay,
	approval_request_id: row.approvalId,
	requested_by: row.requestedBy,
	requested_by_display: called.get(row.requestedBy) ?? null,
	approved_by: row.approvedBy,
	approved_by_display: called.get(row.approvedBy) ?? null,
	reason: row.reason,
	closed_at: toTimestamp(row.closedAt),
});
