// Finds, makes and updates credit accounts and their cycles.

import { and, eq, ne, notInArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm } from "../../db/database";
import { guarded } from "../../db/guards";
import { insertOf, prebuilt } from "../../db/prebuilt";
import type { Services } from "../../runtime/services";
import { accountNumberOf } from "./account-number.policy";
import { type CreditAccountRow, creditAccounts, creditCycles } from "./table";

const creditAccount = alias(creditAccounts, "credit_account");

export const findAccount = (orm: Orm, id: string | SQL) => orm.select().from(creditAccounts).where(eq(creditAccounts.id, id));

/** The organization's account of this number. */
export const findAccountNumbered = (orm: Orm, accountNumber: string, organizationId: string) =>
	orm
		.select({ id: creditAccounts.id })
		.from(creditAccounts)
		.where(
			and(
				eq(creditAccounts.accountNumber, accountNumber),
				eq(creditAccounts.organizationId, organizationId),
				ne(creditAccounts.status, "PENDING"),
			),
		);

/** The account of a payer who names none: their only account in use with the organization, or their only indebted account. */
export const useOfPayer = (orm: Orm, userId: string, organizationId: string) =>
	orm
		.select({
			id: sql<string | null>`coalesce(
				case when count(*) = 1 then max(${creditAccounts.id}) end,
				case when count(${creditAccounts.earliestDue}) = 1 then max(case when ${creditAccounts.earliestDue} is not null then ${creditAccounts.id} end) end)`,
		})
		.from(creditAccounts)
		.where(
			and(
				eq(creditAccounts.userId, userId),
				// No term for an index: a user has few accounts, an organization many.
				sql`+${creditAccounts.organizationId} = ${organizationId}`,
				notInArray(creditAccounts.status, ["PENDING", "CLOSED"]),
			),
		);

export const findAccountOfProduct = (orm: Orm, userId: string, productId: SQL) =>
	orm
		.select()
		.from(creditAccounts)
		.where(and(eq(creditAccounts.userId, userId), eq(creditAccounts.loanProductId, productId)));

/** A random account number of the home. */
export function newAccountNumber(home: number): string {
	const digits = Array.from(crypto.getRandomValues(new Uint32Array(8)), (word) => word % 10);
	return accountNumberOf(home, digits.join(""));
}

export const newAccount = (
	{ newId, home, now }: Services,
	of: Pick<CreditAccountRow, "userId" | "organizationId" | "loanProductId" | "currency" | "terms" | "rateSchedule" | "autoRenews">,
): CreditAccountRow => ({
	id: newId(),
	accountNumber: newAccountNumber(home),
	...of,
	status: "PENDING",
	loansRepaidOnTime: 0,
	createdAt: now,
	updatedAt: now,
	openedAt: null,
	lastPosition: 0,
	bookFrom: 1,
	principalOutstanding: 0,
	overpaidAmount: 0,
	earliestDue: null,
	nextWorkAt: null,
	workedThrough: null,
	inDuplumToldOn: null,
	nextTenure: null,
});

export const insertAccount = insertOf(creditAccounts);

/** The columns that a posting changes. An update that set the others too would write their indexes again, even with the same values. */
const CHANGED = [
	"status",
	"terms",
	"nextTenure",
	"loansRepaidOnTime",
	"openedAt",
	"updatedAt",
	"lastPosition",
	"bookFrom",
	"principalOutstanding",
	"overpaidAmount",
	"earliestDue",
	"nextWorkAt",
	"workedThrough",
	"inDuplumToldOn",
] as const satisfies (keyof CreditAccountRow)[];
export type AccountChanges = Pick<CreditAccountRow, (typeof CHANGED)[number]>;

/** Of these, the columns of indexes: most postings leave some as they were. */
const INDEXED = ["status", "principalOutstanding", "earliestDue", "nextWorkAt"] as const satisfies (typeof CHANGED)[number][];

/** The update without the indexed columns that stay as they were read. */
const updateWithout = (same: readonly (typeof INDEXED)[number][]) =>
	prebuilt((orm) => {
		const { id, lastPosition, status, workedThrough, nextTenure, nextWorkAt } = creditAccounts;
		const changed = CHANGED.filter((name) => !same.some((one) => one === name));
		return orm
			.update(creditAccounts)
			.set(Object.fromEntries(changed.map((name) => [name, sql.placeholder(name)])))
			.where(
				and(
					eq(id, sql.placeholder("seenId")),
					// Nothing that a posting reads of the account has changed since.
					eq(lastPosition, sql.placeholder("seenLastPosition")),
					eq(status, sql.placeholder("seenStatus")),
					sql`${workedThrough} is ${sql.placeholder("seenWorkedThrough")}`,
					sql`${nextTenure} is ${sql.placeholder("seenNextTenure")}`,
					// The only one of the indexed columns that something else changes too: the sweep, after a failure.
					same.includes("nextWorkAt") ? sql`${nextWorkAt} is ${sql.placeholder("nextWorkAt")}` : undefined,
				),
			);
	});

const updates = new Map<string, ReturnType<typeof updateWithout>>();

/** Writes what a posting changes of the account as it was read. */
export function updateAccount(seen: CreditAccountRow, changes: AccountChanges): Effect {
	const { id, lastPosition, status, workedThrough, nextTenure } = seen;
	const values = {
		...changes,
		seenId: id,
		seenLastPosition: lastPosition,
		seenStatus: status,
		seenWorkedThrough: workedThrough,
		seenNextTenure: nextTenure === null ? null : JSON.stringify(nextTenure),
	};
	const same = INDEXED.filter((name) => changes[name] === seen[name]);
	const update = updates.get(same.join()) ?? updateWithout(same);
	updates.set(same.join(), update);
	return guarded(update(values));
}

/** The organization that the account belongs to, as a subquery. */
export const lenderOf = (accounts: SQL): SQL =>
	sql`(select ${creditAccount.organizationId} from ${creditAccounts} ${creditAccount} where ${creditAccount.id} in ${accounts})`;

/** The user of an account, as a subquery. */
export const ownerOf = (accounts: SQL) =>
	sql`(select ${creditAccount.userId} from ${creditAccounts} ${creditAccount} where ${creditAccount.id} in ${accounts})`;

export const insertCycle = insertOf(creditCycles);
export const moveCycle = prebuilt((orm) =>
	orm
		.update(creditCycles)
		.set({ status: sql.placeholder("status"), paidAt: sql.placeholder("paidAt") } as never)
		.where(eq(creditCycles.id, sql.placeholder("id"))),
);
