// Finds what is reversed, restored and moved.

import { eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../../db/database";
import { first } from "../../../db/reads";
import { findLoaded } from "../../credit-accounts/ledger.store";
import { accountTransactions, creditCycles } from "../../credit-accounts/table";
import { selectAccounts } from "../../current-accounts/ledger/store";
import { currentAccountEntries, currentAccounts, HAS_A_SOURCE_OF_OURS } from "../../current-accounts/table";
import { disbursements } from "../../disbursements/model/table";
import { paymentReturns } from "../returns/table";
import { payments } from "../table";

const accountTransaction = alias(accountTransactions, "account_transaction");
const currentAccountEntry = alias(currentAccountEntries, "current_account_entry");
const creditCycle = alias(creditCycles, "credit_cycle");

/** What `reversibleOf` takes, and the account. With all its history: the transaction may be older than what still matters. */
export function findReversible(orm: Orm, transactionId: string) {
	const accounts: SQL = sql`(select ${accountTransaction.accountId} from ${accountTransactions} ${accountTransaction} where ${accountTransaction.id} = ${transactionId})`;
	const records = {
		payer: first(findPayer(orm, transactionId)),
		payout: first(findPayout(orm, transactionId)),
		credited: findCredited(orm, transactionId),
		payment: first(orm.select().from(payments).where(eq(payments.id, transactionId))),
		back: first(orm.select().from(paymentReturns).where(eq(paymentReturns.id, transactionId))),
		loaded: findLoaded(accounts, "HISTORY"),
	};
	return { accounts, records };
}

/** The application whose cycle the draw starts: a loan is paid out under its id. */
const applicationOf = (transactionId: string) => sql`(
	select ${creditCycle.applicationId} from ${accountTransactions} ${accountTransaction} join ${creditCycles} ${creditCycle} on ${creditCycle.id} = ${accountTransaction.cycleId}
	where ${accountTransaction.id} = ${transactionId} and ${accountTransaction.kind} = 'DRAW' and ${accountTransaction.occurredAt} = ${creditCycle.startedAt})`;

/** What paid the draw, the loan or the refund out. */
const findPayout = (orm: Orm, transactionId: string) =>
	orm
		.select()
		.from(disbursements)
		.where(sql`${disbursements.id} in (${transactionId}, ${applicationOf(transactionId)})`);

/** The entry of the current account that got the refund or the draw; a loan's names its application, whose cycle the first draw starts. */
const findCredited = (orm: Orm, transactionId: string) =>
	orm
		.select({ id: currentAccountEntries.id })
		.from(currentAccountEntries)
		.where(
			sql`${currentAccountEntries.type} in ('LOAN_REFUND', 'LOAN_DISBURSEMENT') and ${HAS_A_SOURCE_OF_OURS}
				and ${currentAccountEntries.sourceId} in (${transactionId}, ${applicationOf(transactionId)})`,
		);

/** The current account that made the payment. */
const findPayer = (orm: Orm, transactionId: string) =>
	selectAccounts(orm).where(
		sql`${currentAccounts.id} in (
			select ${currentAccountEntry.accountId} from ${currentAccountEntries} ${currentAccountEntry} where ${currentAccountEntry.sourceId} = ${transactionId} and ${HAS_A_SOURCE_OF_OURS} and ${currentAccountEntry.type} = 'LOAN_REPAYMENT')`,
	);
