// Builds the statements on current accounts.

import { and, eq, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { prebuilt } from "../../../db/prebuilt";
import { type Reader, reachOf } from "../../../db/reach";
import type { Services } from "../../../runtime/services";
import { accountTransactions, creditCycles } from "../../credit-accounts/table";
import { selectAccounts } from "../ledger/store";
import { type AccountMove, SPENDING_STATES, statusAfter, type WalletMove, walletStatusAfter } from "../lifecycle";
import { type CurrentAccountRow, currentAccountEntries, currentAccounts } from "../table";

const currentAccount = alias(currentAccounts, "current_account");

/** The condition that an account is the user's and not closed. */
export const isOpenOf = (userId: SQL | Placeholder): SQL =>
	sql`${currentAccounts.userId} = ${userId} and ${currentAccounts.status} <> 'CLOSED'`;
const openAccountByUser = prebuilt((orm) => selectAccounts(orm).where(isOpenOf(sql.placeholder("userId"))));

/** The organization has, from now on, the open account of a user who had no home until then. */
export const joinOrganization = (orm: Orm, userId: string, organizationId: string) =>
	orm
		.update(currentAccounts)
		.set({ organizationId })
		.where(and(isOpenOf(sql`${userId}`), isNull(currentAccounts.organizationId)));

/** The user's account that is not closed; there is at most one. */
export const findOpenAccount = (userId: string) => openAccountByUser({ userId });

/** The ACTIVE account of a user whom the subquery names. */
export const findActiveAccountOf = (orm: Orm, user: SQL) =>
	selectAccounts(orm).where(and(sql`${currentAccounts.userId} = ${user}`, eq(currentAccounts.status, "ACTIVE")));

/** Its owner may spend, as a condition of a commit. */
export const isSpending = (id: string): SQL =>
	sql`exists (select 1 from ${currentAccounts} ${currentAccount} where ${currentAccount.id} = ${id} and ${currentAccount.status} in ${[...SPENDING_STATES]})`;

/** Its id, for the lists of its rows. */
export const openAccountOf = (userId: string): SQL =>
	sql`(select ${currentAccount.id} from ${currentAccounts} ${currentAccount} where ${currentAccount.userId} = ${userId} and ${currentAccount.status} <> 'CLOSED')`;

/** The account, if the caller reaches it. */
export const findReachedAccount = (orm: Orm, id: string, caller: Reader) =>
	selectAccounts(orm).where(and(eq(currentAccounts.id, id), reachOf(caller, currentAccounts)));

/** Its id. */
export const reachedAccount = (id: string, caller: Reader): SQL =>
	sql`(select ${currentAccount.id} from ${currentAccounts} ${currentAccount} where ${currentAccount.id} = ${id} and ${reachOf(caller, currentAccount)})`;

/** The user's account that is not closed, if the caller reaches it. */
export const findReachedOpen = (orm: Orm, userId: string, caller: Reader) =>
	selectAccounts(orm).where(and(isOpenOf(sql`${userId}`), reachOf(caller, currentAccounts)));

/** Whose account it is, as a scalar subquery. */
export const ownerOf = (id: string): SQL =>
	sql`(select ${currentAccount.userId} from ${currentAccounts} ${currentAccount} where ${currentAccount.id} = ${id})`;

const accountById = prebuilt((orm) => selectAccounts(orm).where(eq(currentAccounts.id, sql.placeholder("id"))));

export const findAccountById = (orm: Orm, id: string | SQL) =>
	typeof id === "string" ? accountById({ id }) : selectAccounts(orm).where(eq(currentAccounts.id, id));

type Change = Partial<
	Pick<
		CurrentAccountRow,
		"walletOnboardingStatus" | "rejectionReasons" | "round" | "externalProvider" | "externalAccountId" | "externalAccountNumber"
	>
>;

type Move = {
	/** What must still hold in addition to the status. */
	only?: SQL;
	/** The recovery that freezes the account. */
	frozenFor?: string;
};

/** Moves an account from the status it was seen in. Throws when the lifecycle has no such move. */
export function moveAccount({ db, now }: Services, seen: CurrentAccountRow, move: AccountMove, { only, frozenFor }: Move = {}): Effect {
	const status = statusAfter(seen.status, move);
	if (!status) throw new Error(`a current account cannot ${move} from ${seen.status}`);
	return guarded(
		db.orm
			.update(currentAccounts)
			.set({ status, frozenFor: frozenFor ?? null, updatedAt: now })
			.where(
				and(
					eq(currentAccounts.id, seen.id),
					eq(currentAccounts.status, seen.status),
					sql`${currentAccounts.frozenFor} is ${seen.frozenFor}`,
					only,
				),
			),
	);
}

/** Moves the onboarding of an account that waits for it. Throws when the lifecycle has no such move. */
export function moveOnboarding({ db, now }: Services, seen: CurrentAccountRow, move: WalletMove, set: Change): Effect {
	const walletOnboardingStatus = walletStatusAfter(seen.walletOnboardingStatus, move);
	if (!walletOnboardingStatus) throw new Error(`onboarding cannot ${move} from ${seen.walletOnboardingStatus}`);
	return guarded(
		db.orm
			.update(currentAccounts)
			.set({ ...set, walletOnboardingStatus, updatedAt: now })
			.where(
				and(
					eq(currentAccounts.id, seen.id),
					eq(currentAccounts.status, "PENDING"),
					eq(currentAccounts.walletOnboardingStatus, seen.walletOnboardingStatus),
					eq(currentAccounts.round, seen.round),
				),
			),
	);
}

/** Whether a loan is open to which this account has paid. */
export const servesLoan = (orm: Orm, accountId: string) =>
	orm
		.select({ id: sql<string>`${currentAccountEntries.sourceId}`.as("id") })
		.from(currentAccountEntries)
		.innerJoin(accountTransactions, eq(accountTransactions.id, currentAccountEntries.sourceId))
		.innerJoin(creditCycles, eq(creditCycles.accountId, accountTransactions.accountId))
		.where(
			and(
				eq(currentAccountEntries.accountId, accountId),
				sql`${currentAccountEntries.type} = 'LOAN_REPAYMENT'`,
				eq(creditCycles.status, "OPEN"),
			),
		)
		.limit(1);
