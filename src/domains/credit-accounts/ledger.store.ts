// Reads the records of credit accounts, and makes the book of an account from them.

import { type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../db/database";
import { creditProfiles, loanProducts } from "../loans/table";
import type { Fact } from "./book/facts.policy";
import type { AccountBook, Recorded } from "./posting.policy";
import {
	type AccountTransactionRow,
	accountTransactions,
	allocations,
	type CreditAccountRow,
	type CreditCycleRow,
	creditAccounts,
	creditCycles,
	type InstallmentRow,
	installments,
	type StoredAllocation,
} from "./table";

/** BOOK: what still matters. HISTORY: everything, for reads of the past and for reversals. */
export type Extent = "BOOK" | "HISTORY";

const firstPosition = (extent: Extent, account: SQL) =>
	extent === "HISTORY" ? sql`1` : sql`(select a.book_from from ${creditAccounts} a where a.id = ${account})`;

/** Cycles that the book's facts name. */
const cyclesOf = (accounts: SQL, extent: Extent) => sql`(
	select t.cycle_id from ${accountTransactions} t
	where t.account_id in ${accounts} and t.position >= ${firstPosition(extent, sql`t.account_id`)} and t.kind in ('DRAW', 'ROLL_OVER'))`;

/** The records of the accounts whose ids the subquery selects, from which `recordsOf` makes those of one account. */
export const findRecords = (orm: Orm, accounts: SQL, extent: Extent) =>
	[
		orm.select().from(creditAccounts).where(sql`${creditAccounts.id} in ${accounts}`),
		orm
			.select()
			.from(accountTransactions)
			.where(
				sql`${accountTransactions.accountId} in ${accounts} and ${accountTransactions.position} >= ${firstPosition(extent, sql`${accountTransactions.accountId}`)}`,
			)
			.orderBy(accountTransactions.accountId, accountTransactions.position),
		orm
			.select()
			.from(creditCycles)
			.where(sql`${creditCycles.accountId} in ${accounts} and ${creditCycles.id} in ${cyclesOf(accounts, extent)}`),
		orm
			.select()
			.from(installments)
			.where(sql`${installments.cycleId} in ${cyclesOf(accounts, extent)}`)
			.orderBy(installments.cycleId, installments.position),
	] as const;

/** Allocations of the book's transactions, for postings. */
export const findAllocations = (orm: Orm, accounts: SQL, extent: Extent) =>
	orm
		.select()
		.from(allocations)
		.where(
			sql`${allocations.transactionId} in (
				select t.id from ${accountTransactions} t
				where t.account_id in ${accounts} and t.position >= ${firstPosition(extent, sql`t.account_id`)}
					and t.kind in ('REPAYMENT', 'REVERSAL', 'WAIVER', 'ROLL_OVER'))`,
		);

/** What the limits of the accounts follow from. */
export const findLimitSources = (orm: Orm, accounts: SQL) =>
	[
		orm
			.select()
			.from(loanProducts)
			.where(sql`${loanProducts.id} in (select a.loan_product_id from ${creditAccounts} a where a.id in ${accounts})`),
		orm
			.select()
			.from(creditProfiles)
			.where(sql`${creditProfiles.userId} in (select a.user_id from ${creditAccounts} a where a.id in ${accounts})`),
	] as const;

export const theAccount = (id: string) => sql`(select ${id})`;
export const accountsOfUser = (userId: string) => sql`(select a.id from ${creditAccounts} a where a.user_id = ${userId})`;
export const accountsNamed = (ids: readonly string[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;

export type AccountRecords = {
	readonly account: CreditAccountRow;
	readonly transactions: readonly AccountTransactionRow[];
	readonly cycles: readonly CreditCycleRow[];
	readonly installments: readonly InstallmentRow[];
};

export function recordsOf(
	account: CreditAccountRow,
	transactions: readonly AccountTransactionRow[],
	cycles: readonly CreditCycleRow[],
	rows: readonly InstallmentRow[],
): AccountRecords {
	return {
		account,
		transactions: transactions.filter(({ accountId }) => accountId === account.id),
		cycles: cycles.filter(({ accountId }) => accountId === account.id),
		installments: rows.filter(({ accountId }) => accountId === account.id),
	};
}

/** What a posting to the accounts reads, in the order that `loadedOf` takes. */
export const findLoaded = (orm: Orm, accounts: SQL, extent: Extent = "BOOK") =>
	[findAllocations(orm, accounts, extent), ...findRecords(orm, accounts, extent)] as const;

type LoadedRows = readonly [
	readonly StoredAllocation[],
	readonly CreditAccountRow[],
	readonly AccountTransactionRow[],
	readonly CreditCycleRow[],
	readonly InstallmentRow[],
];

/** What was read of the first account found, if any. */
export function loadedOf([found, [account], ...rest]: LoadedRows) {
	return account && { ...recordsOf(account, ...rest), allocations: found };
}

type Place = { readonly cycleId: string; readonly position: number };

/** Installments by cycle and position, which is how the book names them. */
export const placeKey = ({ cycleId, position }: Place): string => `${cycleId} ${position}`;
export const idsByPlace = (rows: readonly InstallmentRow[]): Map<string, string> => new Map(rows.map((row) => [placeKey(row), row.id]));

export function factOf(row: AccountTransactionRow, positions: ReadonlyMap<string, number>): Fact {
	const { id, position, kind, valueDate, amount, cycleId, reversesId, installmentId } = row;
	const installment = installmentId === null ? null : (positions.get(installmentId) ?? null);
	return { id, position, kind, valueDate, amount, cycleId, installment, reversesId };
}

export function bookOf({ transactions, cycles, installments: rows }: AccountRecords): AccountBook {
	const positions = new Map(rows.map(({ id, position }) => [id, position]));
	return {
		facts: transactions.filter(({ kind }) => kind !== "PENALTY" && kind !== "PENALTY_CORRECTION").map((row) => factOf(row, positions)),
		cycles: cycles
			.map(({ id, number, startDate, terms, rolledFromId }) => ({ id, number, startDate, terms, rolledFromId }))
			.sort((a, b) => a.number - b.number),
	};
}

export function recordedOf({ account, transactions, installments: rows }: AccountRecords, stored: readonly StoredAllocation[]): Recorded {
	const positions = new Map(rows.map(({ id, position }) => [id, position]));
	return {
		allocations: stored
			.filter(({ accountId }) => accountId === account.id)
			.map(({ position, ...row }) => ({ ...row, installment: position })),
		penalties: transactions.flatMap(({ kind, cycleId, installmentId, number, valueDate, amount }) => {
			if (kind !== "PENALTY" && kind !== "PENALTY_CORRECTION") return [];
			const installment = positions.get(installmentId ?? "");
			return cycleId === null || installment === undefined || number === null
				? []
				: [{ kind, cycleId, installment, number, valueDate, amount }];
		}),
	};
}

/** The account, if it is the user's and was ever used. */
export const ownAccount = (id: string, userId: string) =>
	sql`(select a.id from ${creditAccounts} a where a.id = ${id} and a.user_id = ${userId} and a.status <> 'PENDING')`;
