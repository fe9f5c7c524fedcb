// Reverses a posted payment: a transaction of its own, after which the account is as if the payment had never been made. What a
// current account paid goes back to it.

import { type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../../db/database";
import { raise } from "../../../events/raise";
import type { CommitOptions, Services } from "../../../runtime/services";
import { findLoaded, loadedOf } from "../../credit-accounts/ledger.store";
import type { Loaded } from "../../credit-accounts/postings/rows.store";
import { planPosting, todayOf } from "../../credit-accounts/postings/store";
import { accountTransactions } from "../../credit-accounts/table";
import { credit, post, selectAccounts } from "../../current-accounts/ledger/store";
import { type CurrentAccountRow, currentAccountEntries, currentAccounts } from "../../current-accounts/table";
import { repaymentReversed } from "../events";

/** What `reversibleOf` takes, and the account of the payment. With all its history: the payment may be older than what still matters. */
export function findReversible(orm: Orm, transactionId: string) {
	const accounts: SQL = sql`(select t.account_id from ${accountTransactions} t where t.id = ${transactionId})`;
	return { accounts, statements: [findPayer(orm, transactionId), ...findLoaded(accounts, "HISTORY")] as const };
}

/** The current account that made the payment. */
const findPayer = (orm: Orm, transactionId: string) =>
	selectAccounts(orm).where(
		sql`${currentAccounts.id} in (
			select e.account_id from ${currentAccountEntries} e where e.source_id = ${transactionId} and e.type = 'LOAN_REPAYMENT')`,
	);

export type Reversible = {
	/** The current account that made the payment; undefined when it came from outside. */
	readonly payer: CurrentAccountRow | undefined;
	readonly loaded: Loaded;
	readonly original: Loaded["transactions"][number];
	readonly isReversed: boolean;
};

type ReversibleRows = readonly [readonly CurrentAccountRow[], ...Parameters<typeof loadedOf>[0]];

/** The posted payment of this id, if there is one. */
export function reversibleOf([[payer], ...rows]: ReversibleRows, transactionId: string): Reversible | undefined {
	const loaded = loadedOf(rows);
	const original = loaded?.transactions.find(({ id }) => id === transactionId);
	if (!loaded || original?.kind !== "REPAYMENT") return undefined;
	return { payer, loaded, original, isReversed: loaded.transactions.some(({ reversesId }) => reversesId === transactionId) };
}

export type ReversalRefusal = "ALREADY_REVERSED" | "PAYER_CLOSED";

/** The writes belong in a commit in the account's home; they are stale when anything was posted since. */
export function planReversal(
	services: Services,
	{ payer, loaded, original, isReversed }: Reversible,
	by: { reason: string; actor: string },
) {
	if (isReversed) return { accepted: false, reason: "ALREADY_REVERSED" } as const;
	if (payer?.status === "CLOSED") return { accepted: false, reason: "PAYER_CLOSED" } as const;
	const { account } = loaded;
	const { now } = services;
	const reversal = {
		id: services.newId(),
		kind: "REVERSAL" as const,
		amount: original.amount,
		valueDate: todayOf(account, now),
		occurredAt: now,
		reversesId: original.id,
		...by,
	};
	const { writes } = planPosting(services, loaded, [reversal]);
	const { currency, organizationId, id: account_id } = account;
	const data = { transaction_id: reversal.id, account_id, amount: original.amount, currency, original_transaction_id: original.id };
	const options: CommitOptions = { unique: [[[accountTransactions.reversesId], "STALE"]] };
	return {
		accepted: true,
		reversal,
		writes: [
			...(payer ? post(services, payer, credit("LOAN_REFUND", reversal.id, original.amount)) : []),
			...writes,
			raise(services, repaymentReversed, { organizationId, entityId: reversal.id, data }),
		],
		options,
	} as const;
}
