// Finds the entries that moved the balance of a current account, each with the name of the other side.

import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import { indexedBy } from "../../db/indexed-by";
import { SharedSelect } from "../../db/keyset";
import { type Reader, reachOf } from "../../db/reach";
import type { ContraSide, EntryType } from "../current-accounts/entries.policy";
import { currentAccountEntries, currentAccounts, HAS_A_SOURCE_OF_OURS } from "../current-accounts/table";
import { incomingTransfers, transfers } from "./table";

const e = currentAccountEntries;
const currentAccount = alias(currentAccounts, "current_account");
/** A transfer that was ordered in the same database; the account may be the payer's or the payee's. */
const transfer = alias(transfers, "transfer");
/** A transfer that has come from another database. */
const incomingTransfer = alias(incomingTransfers, "incoming_transfer");

const ofTransfer = sql`${transfer.id} = ${e.sourceId} and ${e.contra} in ('TRANSFER', 'PAYOUT')`;
const incoming = sql`${incomingTransfer.transferId} = ${e.sourceId} and ${e.type} = 'TRANSFER_IN'`;

/** Each column has a name of its own, because D1 returns rows as objects. */
const transactionColumns = {
	id: sql<string>`${e.id}`.as("entry_id"),
	day: sql<string>`${e.day}`.as("entry_day"),
	position: sql<number>`${e.position}`.as("entry_position"),
	type: sql<EntryType>`${e.type}`.as("entry_type"),
	contra: sql<ContraSide>`${e.contra}`.as("entry_contra"),
	amount: sql<number>`${e.amount}`.as("entry_amount"),
	balanceAfter: sql<number>`${e.balanceAfter}`.as("entry_balance"),
	sourceId: sql<string>`${e.sourceId}`.as("entry_source"),
	createdAt: sql<number>`${e.createdAt}`.as("entry_created_at"),
	name: sql<
		string | null
	>`case when ${e.amount} < 0 then ${transfer.snapshot} ->> 'name' else coalesce(${transfer.payerName}, ${incomingTransfer.payerName}) end`.as(
		"other_name",
	),
	note: sql<string | null>`coalesce(${transfer.note}, ${incomingTransfer.note})`.as("transfer_note"),
};

/** Names the index without holds and releases, because SQLite would not choose it. */
export const movesWithParties = new SharedSelect((orm: Orm) =>
	orm
		.select(transactionColumns)
		.from(indexedBy(e, "current_account_entries_moves"))
		.leftJoin(transfer, ofTransfer)
		.leftJoin(incomingTransfer, incoming)
		.$dynamic(),
);

export const moves = (accountId: SQL): SQL => sql`${e.accountId} = ${accountId} and ${e.amount} <> 0`;

/** The transfer with this id, if it has come into an account that the caller reaches. */
export const findReceived = (orm: Orm, id: string, caller: Reader) =>
	orm
		.select({ ...transactionColumns, currency: sql<string>`${currentAccount.currency}`.as("account_currency") })
		.from(e)
		.innerJoin(currentAccount, eq(currentAccount.id, e.accountId))
		.leftJoin(transfer, ofTransfer)
		.leftJoin(incomingTransfer, incoming)
		.where(and(eq(e.sourceId, id), HAS_A_SOURCE_OF_OURS, sql`${e.type} = 'TRANSFER_IN'`, reachOf(caller, currentAccount)));
