// Finds and makes credit accounts.

import { and, eq, type SQL } from "drizzle-orm";
import type { Orm } from "../../db/database";
import type { Services } from "../../runtime/services";
import { accountNumberOf } from "./account-number.policy";
import { type CreditAccountRow, creditAccounts } from "./table";

export const findAccount = (orm: Orm, id: string) => orm.select().from(creditAccounts).where(eq(creditAccounts.id, id));

export const findAccountOfProduct = (orm: Orm, userId: string, productId: SQL) =>
	orm
		.select()
		.from(creditAccounts)
		.where(and(eq(creditAccounts.userId, userId), eq(creditAccounts.loanProductId, productId)));

/** A random account number of the home. */
function newAccountNumber(home: number): string {
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
