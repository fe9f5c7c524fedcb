// Builds the statements on the places where a borrower may be paid.

import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../db/columns";
import type { Orm } from "../../db/database";
import { first } from "../../db/reads";
import { DAY_MS } from "../../shared/time";
import { creditAccounts } from "../credit-accounts/table";
import { isOpenOf } from "../current-accounts/accounts/store";
import { selectAccounts } from "../current-accounts/ledger/store";
import type { Destination } from "../disbursements/destination.policy";
import { payeeAccounts, payees } from "../payees/table";
import { findConnectionsOf } from "../payment-connections/store";
import { mobileNumberChanges } from "../users/number-change.table";
import { users } from "../users/table";

const c = alias(mobileNumberChanges, "c");
const a = alias(creditAccounts, "a");
const p = alias(payees, "p");
const u = alias(users, "u");
const v = alias(payeeAccounts, "v");

/** Nothing is paid to a number for so long after it has changed, so that whoever took it over gets none of it. */
const SETTLING_MS = DAY_MS;

/** A first number took nobody's place, so that only one who has drawn before waits for it. */
const changedOf = (now: number): SQL =>
	qualified(sql`exists (select 1 from ${mobileNumberChanges} ${c}
		where ${c.userId} = ${users.id} and ${c.status} = 'COMPLETED' and ${c.completedAt} > ${now - SETTLING_MS}
			and (${c.oldNumber} is not null
				or exists (select 1 from ${creditAccounts} ${a} where ${a.userId} = ${users.id} and ${a.openedAt} is not null)))`);

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
				isBlocked: qualified(sql<number>`(select ${p.isBlocked} from ${payees} ${p} where ${p.id} = ${payeeAccounts.payeeId})`).as(
					"is_blocked",
				),
			})
			.from(payeeAccounts)
			.where(and(sql`${payeeAccounts.id} = ${payeeAccountId}`, eq(payeeAccounts.userId, userId))),
	),
	connections: findConnectionsOf(orm, sql`(select ${u.homeOrganizationId} from ${users} ${u} where ${u.id} = ${userId})`),
});

/** As a condition of the commit: the place is still as it was judged. A current account's entry carries its own. */
export function isThere(destination: Destination | null, payeeAccountId: string | undefined): SQL | undefined {
	if (destination?.type === "OWN_NUMBER") {
		const { userId, mobileNumber } = destination;
		return sql`exists (select 1 from ${users} ${u} where ${u.id} = ${userId} and ${u.mobileNumber} = ${mobileNumber})`;
	}
	if (destination?.type !== "PAYEE_ACCOUNT") return undefined;
	return sql`exists (select 1 from ${payeeAccounts} ${v} join ${payees} ${p} on ${p.id} = ${v.payeeId}
		where ${v.id} = ${payeeAccountId ?? ""} and ${v.verification} = 'VERIFIED' and ${v.resolvedName} = ${destination.account?.name ?? ""}
			and not ${p.isBlocked})`;
}
