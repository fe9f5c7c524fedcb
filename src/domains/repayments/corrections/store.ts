// Finds what can be undone: a posted transaction with its account, and the money that it moved.

import { type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../../db/database";
import { findLoaded, loadedOf } from "../../credit-accounts/ledger.store";
import type { Loaded } from "../../credit-accounts/postings/rows.store";
import { accountTransactions } from "../../credit-accounts/table";
import { selectAccounts } from "../../current-accounts/ledger/store";
import { type CurrentAccountRow, currentAccountEntries, currentAccounts } from "../../current-accounts/table";
import { findDisbursement } from "../../disbursements/store";
import type { DisbursementRow } from "../../disbursements/table";

/** What `reversibleOf` takes, and the account. With all its history: the transaction may be older than what still matters. */
export function findReversible(orm: Orm, transactionId: string) {
	const accounts: SQL = sql`(select t.account_id from ${accountTransactions} t where t.id = ${transactionId})`;
	const statements = [
		findPayer(orm, transactionId),
		findDisbursement(orm, transactionId),
		findCredited(orm, transactionId),
		...findLoaded(accounts, "HISTORY"),
	] as const;
	return { accounts, statements };
}

/** The current account that made the payment. */
const findPayer = (orm: Orm, transactionId: string) =>
	selectAccounts(orm).where(
		sql`${currentAccounts.id} in (
			select e.account_id from ${currentAccountEntries} e where e.source_id = ${transactionId} and e.type = 'LOAN_REPAYMENT')`,
	);

/** The entry of the current account that got the refund. */
const findCredited = (orm: Orm, transactionId: string) =>
	orm
		.select({ id: currentAccountEntries.id })
		.from(currentAccountEntries)
		.where(sql`${currentAccountEntries.sourceId} = ${transactionId} and ${currentAccountEntries.type} = 'LOAN_REFUND'`);

export type Reversible = {
	/** The current account that made the payment; undefined when it came from outside. */
	readonly payer: CurrentAccountRow | undefined;
	/** What paid the draw or refund out. */
	readonly payout: DisbursementRow | undefined;
	/** The refund went to a current account. */
	readonly wasCredited: boolean;
	readonly loaded: Loaded;
	readonly original: Loaded["transactions"][number];
	readonly isReversed: boolean;
};

type ReversibleRows = readonly [
	readonly CurrentAccountRow[],
	readonly DisbursementRow[],
	readonly unknown[],
	...Parameters<typeof loadedOf>[0],
];

/** The posted transaction of this id, if there is one. */
export function reversibleOf([[payer], [payout], credited, ...rows]: ReversibleRows, transactionId: string): Reversible | undefined {
	const loaded = loadedOf(rows);
	const original = loaded?.transactions.find(({ id }) => id === transactionId);
	if (!loaded || !original) return undefined;
	const isReversed = loaded.transactions.some(({ reversesId }) => reversesId === transactionId);
	return { payer, payout, wasCredited: credited.length > 0, loaded, original, isReversed };
}

/** The same, of payments only. */
export function reversiblePaymentOf(rows: ReversibleRows, transactionId: string): Reversible | undefined {
	const found = reversibleOf(rows, transactionId);
	return found?.original.kind === "REPAYMENT" ? found : undefined;
}
