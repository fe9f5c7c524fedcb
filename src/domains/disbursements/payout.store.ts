// Builds the statements on the places where a borrower may be paid.

import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../db/columns";
import type { Orm } from "../../db/database";
import { first } from "../../db/reads";
import { DAY_MS } from "../../shared/time";
import { findConnectionsOf } from "../connections/model/store";
import { creditAccounts } from "../credit-accounts/table";
import { isOpenOf } from "../current-accounts/accounts/store";
import { selectAccounts } from "../current-accounts/ledger/store";
import { payeeAccounts, payees } from "../payees/table";
import { mobileNumberChanges } from "../users/model/number-change.table";
import { users } from "../users/model/table";
import type { Destination } from "./model/destination.policy";

const mobileNumberChange = alias(mobileNumberChanges, "mobile_number_change");
const creditAccount = alias(creditAccounts, "credit_account");
const eachPayee = alias(payees, "payee");
const user = alias(users, "user");
const eachAccount = alias(payeeAccounts, "account");

/** Nothing is paid to a number for so long after it has changed, so that a thief of the number gets none of it. */
const SETTLING_MS = DAY_MS;

/** A first number took nobody's place, so that only one who has drawn before waits for it. */
const changedOf = (now: number): SQL =>
	qualified(sql`exists (select 1 from ${mobileNumberChanges} ${mobileNumberChange}
		where ${mobileNumberChange.userId} = ${users.id} and ${mobileNumberChange.status} = 'COMPLETED' and ${mobileNumberChange.completedAt} > ${now - SETTLING_MS}
			and (${mobileNumberChange.oldNumber} is not null
				or exists (select 1 from ${creditAccounts} ${creditAccount} where ${creditAccount.userId} = ${users.id} and ${creditAccount.openedAt} is not null)))`);

/** The borrower, their open current account, the account of their payees that is named, and their lender's connections. */
export const findPlaces = (orm: Orm, userId: SQL | string, payeeAccountId: SQL | string | null, now: number) => ({
	borrower: first(
		orm
			.select({ userId: users.id, mobileNumber: users.mobileNumber, numberIsNew: sql<number>`${changedOf(now)}`.as("number_is_new") })
			.from(users)
			.where(eq(users.id, userId)),
	),
	wallet: first(selectAccounts(orm).where(isOpenOf(sql`${userId}`))),
	payee: first(
		orm
			.select({
				id: payeeAccounts.id,
				type: payeeAccounts.type,
				identifier: payeeAccounts.identifier,
				verification: payeeAccounts.verification,
				resolvedName: payeeAccounts.resolvedName,
				isBlocked: qualified(
					sql<number>`(select ${eachPayee.isBlocked} from ${payees} ${eachPayee} where ${eachPayee.id} = ${payeeAccounts.payeeId})`,
				).as("is_blocked"),
			})
			.from(payeeAccounts)
			.where(and(sql`${payeeAccounts.id} = ${payeeAccountId}`, eq(payeeAccounts.userId, userId))),
	),
	connections: findConnectionsOf(orm, sql`(select ${user.homeOrganizationId} from ${users} ${user} where ${user.id} = ${userId})`),
});

/** As a condition of the commit: the place is still as it was judged. A current account's entry carries its own. */
export function isThere(destination: Destination | null, payeeAccountId: string | undefined): SQL | undefined {
	if (destination?.type === "OWN_NUMBER") {
		const { userId, mobileNumber } = destination;
		return sql`exists (select 1 from ${users} ${user} where ${user.id} = ${userId} and ${user.mobileNumber} = ${mobileNumber})`;
	}
	if (destination?.type !== "PAYEE_ACCOUNT") return undefined;
	return sql`exists (select 1 from ${payeeAccounts} ${eachAccount} join ${payees} ${eachPayee} on ${eachPayee.id} = ${eachAccount.payeeId}
		where ${eachAccount.id} = ${payeeAccountId ?? ""} and ${eachAccount.verification} = 'VERIFIED' and ${eachAccount.resolvedName} = ${destination.account?.name ?? ""}
			and not ${eachPayee.isBlocked})`;
}
