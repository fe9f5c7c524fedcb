// Reads the records of credit accounts, and makes the book of an account from them.

import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isOneOf } from "../../db/columns";
import type { Orm } from "../../db/database";
import { hole, prebuilt } from "../../db/prebuilt";
import { type Reader, reachOf, reachOfStaff, type Staff } from "../../db/reach";
import { addDays, type CalendarDate, startOfDay } from "../../shared/time";
import { creditProfiles, loanProducts } from "../loan-products/model/table";
import { users } from "../users/model/table";
import type { AccountBook, Recorded } from "./book/account-book.policy";
import type { Fact } from "./book/facts.policy";
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

const creditAccount = alias(creditAccounts, "credit_account");
const accountTransaction = alias(accountTransactions, "account_transaction");
const cycle = alias(creditCycles, "cycle");

/** BOOK: what still matters. HISTORY: everything, for reads of the past and for reversals. */
export type Extent = "BOOK" | "HISTORY";

const firstPosition = (extent: Extent, account: SQL) =>
	extent === "HISTORY"
		? sql`1`
		: sql`(select ${creditAccount.bookFrom} from ${creditAccounts} ${creditAccount} where ${creditAccount.id} = ${account})`;

/** Cycles that the book's facts name. */
const cyclesOf = (accounts: SQL, extent: Extent) => sql`(
	select ${accountTransaction.cycleId} from ${accountTransactions} ${accountTransaction}
	where ${accountTransaction.accountId} in ${accounts} and ${accountTransaction.position} >= ${firstPosition(extent, sql`${accountTransaction.accountId}`)} and ${accountTransaction.kind} in ('DRAW', 'ROLL_OVER'))`;

/** The last cycle of each account, which numbers and terms of the next follow, even where the book begins behind it. */
const newestCycles = (accounts: SQL) => sql`
	select (select ${cycle.id} from ${creditCycles} ${cycle} where ${cycle.accountId} = of.id order by ${cycle.number} desc limit 1)
	from (with named(id) as ${accounts} select id from named) of`;

const findCycles = (orm: Orm, accounts: SQL, extent: Extent) =>
	orm
		.select()
		.from(creditCycles)
		.where(sql`${creditCycles.accountId} in ${accounts} and ${creditCycles.id} in ${cyclesOf(accounts, extent)}`);

const findCyclesToPost = (orm: Orm, accounts: SQL, extent: Extent) =>
	orm
		.select()
		.from(creditCycles)
		.where(sql`${creditCycles.id} in (select * from ${cyclesOf(accounts, extent)} union all ${newestCycles(accounts)})`);

const inExtent = (accounts: SQL, extent: Extent) =>
	sql`${accountTransactions.accountId} in ${accounts} and ${accountTransactions.position} >= ${firstPosition(extent, sql`${accountTransactions.accountId}`)}`;

const HOLE = hole("accounts");

const recordsIn = (extent: Extent) => ({
	accounts: prebuilt((orm) => orm.select().from(creditAccounts).where(sql`${creditAccounts.id} in ${HOLE}`)),
	transactions: prebuilt((orm) =>
		orm
			.select()
			.from(accountTransactions)
			.where(inExtent(HOLE, extent))
			.orderBy(accountTransactions.accountId, accountTransactions.position),
	),
	cycles: prebuilt((orm) => findCyclesToPost(orm, HOLE, extent)),
	installments: prebuilt((orm) =>
		orm
			.select()
			.from(installments)
			.where(sql`${installments.cycleId} in ${cyclesOf(HOLE, extent)}`)
			.orderBy(installments.cycleId, installments.position),
	),
	allocations: prebuilt((orm) =>
		orm
			.select()
			.from(allocations)
			.where(
				sql`${allocations.transactionId} in (
					select ${accountTransaction.id} from ${accountTransactions} ${accountTransaction}
					where ${accountTransaction.accountId} in ${HOLE} and ${accountTransaction.position} >= ${firstPosition(extent, sql`${accountTransaction.accountId}`)}
						and ${accountTransaction.kind} in ('REPAYMENT', 'REVERSAL', 'WAIVER', 'ROLL_OVER', 'SETTLEMENT'))`,
			),
	),
});
const RECORDS = { BOOK: recordsIn("BOOK"), HISTORY: recordsIn("HISTORY") } satisfies Record<Extent, unknown>;

/** The records of the accounts whose ids the subquery selects, from which `recordsOf` makes those of one account: for postings. */
export function findRecords(accounts: SQL, extent: Extent) {
	const of = { accounts };
	const find = RECORDS[extent];
	return { accounts: find.accounts(of), transactions: find.transactions(of), cycles: find.cycles(of), installments: find.installments(of) };
}

/** Allocations of the book's transactions, for postings. */
export const findAllocations = (accounts: SQL, extent: Extent) => RECORDS[extent].allocations({ accounts });

// An account may have thousands of transactions and installments: reads take no column and no row that the book does without.
const FACT_COLUMNS = {
	id: accountTransactions.id,
	accountId: accountTransactions.accountId,
	position: accountTransactions.position,
	kind: accountTransactions.kind,
	valueDate: accountTransactions.valueDate,
	amount: accountTransactions.amount,
	cycleId: accountTransactions.cycleId,
	installmentId: accountTransactions.installmentId,
	reversesId: accountTransactions.reversesId,
	dueDates: accountTransactions.dueDates,
	validUntil: accountTransactions.validUntil,
	postedAt: accountTransactions.postedAt,
};
const PLACE_COLUMNS = {
	id: installments.id,
	accountId: installments.accountId,
	cycleId: installments.cycleId,
	position: installments.position,
};

/** ALL: for answers that name installments. WAIVED: the facts name no others. */
export type NamedInstallments = "ALL" | "WAIVED";

/** The same for reads, without what only postings need. */
export const findBook = (orm: Orm, accounts: SQL, extent: Extent, named: NamedInstallments) => ({
	accounts: orm.select().from(creditAccounts).where(sql`${creditAccounts.id} in ${accounts}`),
	transactions: orm
		.select(FACT_COLUMNS)
		.from(accountTransactions)
		.where(sql`${inExtent(accounts, extent)} and ${accountTransactions.kind} not in ('PENALTY', 'PENALTY_CORRECTION')`)
		.orderBy(accountTransactions.accountId, accountTransactions.position),
	cycles: findCycles(orm, accounts, extent),
	installments: orm
		.select(PLACE_COLUMNS)
		.from(installments)
		.where(
			named === "ALL"
				? sql`${installments.cycleId} in ${cyclesOf(accounts, extent)}`
				: sql`(${installments.cycleId}, ${installments.id}) in (
						select ${accountTransaction.cycleId}, ${accountTransaction.installmentId} from ${accountTransactions} ${accountTransaction}
						where ${accountTransaction.accountId} in ${accounts} and ${accountTransaction.position} >= ${firstPosition(extent, sql`${accountTransaction.accountId}`)} and ${accountTransaction.kind} = 'WAIVER')`,
		),
});

/** What the limits of the accounts follow from, and which of their users are blocked. */
export const findLimitSources = (orm: Orm, accounts: SQL) => ({
	products: orm
		.select()
		.from(loanProducts)
		.where(
			sql`${loanProducts.id} in (select ${creditAccount.loanProductId} from ${creditAccounts} ${creditAccount} where ${creditAccount.id} in ${accounts})`,
		),
	profiles: orm
		.select()
		.from(creditProfiles)
		.where(
			sql`${creditProfiles.userId} in (select ${creditAccount.userId} from ${creditAccounts} ${creditAccount} where ${creditAccount.id} in ${accounts})`,
		),
	blocked: orm
		.select({ id: users.id })
		.from(users)
		.where(
			sql`${users.id} in (select ${creditAccount.userId} from ${creditAccounts} ${creditAccount} where ${creditAccount.id} in ${accounts}) and ${users.blockedAt} is not null`,
		),
});

/** The installment with this id, if it is of one of the account's cycles. */
export const isInstallmentOf = (account: SQL | string, id: SQL | string) =>
	sql`${installments.cycleId} in (select ${cycle.id} from ${creditCycles} ${cycle} where ${cycle.accountId} = ${account}) and ${installments.id} = ${id}`;

export const theAccount = (id: string) => sql`(select ${id})`;
export const accountsNamed = (ids: readonly string[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;

export type FactRow = Pick<AccountTransactionRow, keyof typeof FACT_COLUMNS>;
export type PlaceRow = Pick<InstallmentRow, keyof typeof PLACE_COLUMNS>;

type RecordsOf<Transaction, Installment> = {
	readonly account: CreditAccountRow;
	readonly transactions: readonly Transaction[];
	readonly cycles: readonly CreditCycleRow[];
	readonly installments: readonly Installment[];
};
/** What the book is made of. */
export type BookRecords = RecordsOf<FactRow, PlaceRow>;
export type AccountRecords = RecordsOf<AccountTransactionRow, InstallmentRow>;

export function recordsOf<Transaction extends FactRow, Installment extends PlaceRow>(
	account: CreditAccountRow,
	{ transactions, cycles, installments: rows }: Omit<RecordsOf<Transaction, Installment>, "account">,
): RecordsOf<Transaction, Installment> {
	const isOwn = ({ accountId }: { accountId: string }) => accountId === account.id;
	return {
		account,
		transactions: transactions.filter(isOwn),
		cycles: cycles.filter(isOwn),
		installments: rows.filter(isOwn),
	};
}

/** What a posting to the accounts reads, for `loadedOf`. */
export const findLoaded = (accounts: SQL, extent: Extent = "BOOK") => ({
	...findRecords(accounts, extent),
	allocations: findAllocations(accounts, extent),
});

export type LoadedRows = Omit<AccountRecords, "account"> & {
	readonly accounts: readonly CreditAccountRow[];
	readonly allocations: readonly StoredAllocation[];
};

/** What was read of the first account found, if any. */
export function loadedOf({ accounts: [account], allocations: found, ...records }: LoadedRows) {
	return account && { ...recordsOf(account, records), allocations: found };
}

type Place = { readonly cycleId: string; readonly position: number };

/** Installments by cycle and position, which is how the book names them. */
export const placeKey = ({ cycleId, position }: Place): string => `${cycleId} ${position}`;
export const idsByPlace = (rows: readonly PlaceRow[]): Map<string, string> => new Map(rows.map((row) => [placeKey(row), row.id]));

function factOf(row: FactRow, positions: ReadonlyMap<string, number>): Fact {
	const { id, position, kind, valueDate, amount, cycleId, reversesId, installmentId, dueDates, validUntil } = row;
	const installment = installmentId === null ? null : (positions.get(installmentId) ?? null);
	const terms = { ...(dueDates && { dueDates }), ...(validUntil && { validUntil }) };
	return { id, position, kind, valueDate, amount, cycleId, installment, reversesId, ...terms };
}

/** The records as they were known at the end of the local day: without what was posted later. */
export function knownOn<Records extends BookRecords>(records: Records, day: CalendarDate): Records {
	const end = startOfDay(addDays(day, 1), records.account.terms.timeZone);
	return { ...records, transactions: records.transactions.filter(({ postedAt }) => postedAt < end) };
}

export function bookOf({ account, transactions, cycles, installments: rows }: BookRecords): AccountBook {
	const positions = new Map(rows.map(({ id, position }) => [id, position]));
	return {
		facts: transactions.filter(({ kind }) => kind !== "PENALTY" && kind !== "PENALTY_CORRECTION").map((row) => factOf(row, positions)),
		cycles: cycles
			.map(({ id, number, startDate, terms, rolledFromId }) => ({ id, number, startDate, terms, rolledFromId }))
			.sort((a, b) => a.number - b.number),
		// Products never change, so all cycles of an account have the same.
		allocation: account.terms.allocation,
		inDuplum: account.terms.inDuplum,
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

/** The account, if the caller reaches it and it was ever used. */
export const reachedAccount = (id: string, caller: Reader) =>
	sql`(select ${creditAccount.id} from ${creditAccounts} ${creditAccount} where ${creditAccount.id} = ${id} and ${reachOf(caller, creditAccount)} and ${creditAccount.status} <> 'PENDING')`;

/** Those of these accounts that the caller reaches and that were ever used. */
export const reachedAccounts = (ids: readonly string[], caller: Reader) =>
	sql`(select ${creditAccount.id} from ${creditAccounts} ${creditAccount} where ${isOneOf(creditAccount.id, ids)} and ${reachOf(caller, {
		userId: sql`+${creditAccount.userId}`,
		organizationId: sql`+${creditAccount.organizationId}`,
	})} and ${creditAccount.status} <> 'PENDING')`;

/** The account, used or not, if it is within the reach of those who work for the lender. */
export const accountWithin = (id: string, caller: Staff) =>
	sql`(select ${creditAccount.id} from ${creditAccounts} ${creditAccount} where ${creditAccount.id} = ${id} and ${reachOfStaff(caller, creditAccount.organizationId)})`;

/** What views of these accounts are made of, for `readView`. HISTORY: for views of the past. */
export const findViews = (orm: Orm, accounts: SQL, extent: Extent = "BOOK") => ({
	...findLimitSources(orm, accounts),
	...findBook(orm, accounts, extent, "WAIVED"),
});
