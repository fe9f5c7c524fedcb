// Finds and makes credit accounts.

import { and, eq, ne, notInArray, type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../db/database";
import type { Services } from "../../runtime/services";
import { accountNumberOf } from "./account-number.policy";
import { type CreditAccountRow, creditAccounts } from "./table";

export const findAccount = (orm: Orm, id: string) => orm.select().from(creditAccounts).where(eq(creditAccounts.id, id));

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

/** The account that a payer who names none means: their only one in use with the organization, or the only one that owes anything. */
export const useOfPayer = (orm: Orm, userId: string, organizationId: string) =>
	orm
		.select({
			id: sql<string | null>`coalesce(
				case when count(*) = 1 then max(id) end,
				case when count(earliest_due) = 1 then max(case when earliest_due is not null then id end) end)`,
		})
		.from(creditAccounts)
		.where(
			and(
				eq(creditAccounts.userId, userId),
				eq(creditAccounts.organizationId, organizationId),
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
	nextTenure: null,
});
