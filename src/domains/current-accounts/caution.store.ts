// Finds whether a user has an account that is older than their session, and whether their number is being recovered.

import { and, desc, eq, isNotNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import { prebuilt } from "../../db/prebuilt";
import { first } from "../../db/reads";
import { creditAccounts } from "../credit-accounts/table";
import { mobileNumberChanges } from "../users/model/number-change.table";
import type { Session } from "./caution.policy";
import { currentAccounts } from "./table";

const currentAccount = alias(currentAccounts, "current_account");
const account = alias(creditAccounts, "account");

const olderThan = (userId: string, at: number): SQL<number> =>
	sql<number>`(exists (select 1 from ${currentAccounts} ${currentAccount} where ${currentAccount.userId} = ${userId} and ${currentAccount.createdAt} < ${at})
		or exists (select 1 from ${creditAccounts} ${account} where ${account.userId} = ${userId} and ${account.createdAt} < ${at}))`;

/** Whether the user has an account that is older than a session; none is older than one without a time. */
export const findOlderAccount = (orm: Orm, userId: string, signedInAt: number | undefined) =>
	orm.select({ found: olderThan(userId, signedInAt ?? 0).as("found") }).from(sql`(select 1)`);

const { userId, status, notBefore, completedAt, createdAt } = mobileNumberChanges;

const lastRecovery = prebuilt((orm) =>
	orm
		.select({ notBefore, completedAt })
		.from(mobileNumberChanges)
		.where(and(eq(userId, sql.placeholder("owner")), isNotNull(notBefore), sql`${status} in ('AUTHORIZED', 'COMPLETED')`))
		.orderBy(desc(createdAt))
		.limit(1),
);

/** The last recovery of the user's number that waits or is completed. */
export const findLastRecovery = (owner: string) => lastRecovery({ owner });

/** What decides from when somebody may borrow in a session, for `availableFrom`. */
export const findCaution = (orm: Orm, userId: string, { signedInAt }: Session) => ({
	older: first(findOlderAccount(orm, userId, signedInAt)),
	recovery: first(findLastRecovery(userId)),
});

const holding = prebuilt((orm) => {
	const owner = sql.placeholder("owner");
	const active = sql<number>`exists (select 1 from ${currentAccounts} ${currentAccount} where ${currentAccount.userId} = ${owner} and ${currentAccount.status} = 'ACTIVE')`;
	const current = sql`exists (select 1 from ${currentAccounts} ${currentAccount} where ${currentAccount.userId} = ${owner})`;
	const credit = sql`exists (select 1 from ${creditAccounts} ${account} where ${account.userId} = ${owner})`;
	return orm
		.select({ hasAccount: sql<number>`(${current} or ${credit})`.as("has_account"), isActive: active.as("is_active") })
		.from(sql`(select 1)`);
});

/** Whether the user has accounts, and an active current one. */
export const findHolding = (owner: string) => holding({ owner });

const guards = (owner: string | Placeholder): SQL<number> =>
	sql<number>`(exists (select 1 from ${currentAccounts} ${currentAccount} where ${currentAccount.userId} = ${owner} and ${currentAccount.status} <> 'PENDING')
		or exists (select 1 from ${creditAccounts} ${account} where ${account.userId} = ${owner} and ${account.status} <> 'PENDING'))`;

const guarding = prebuilt((orm) => orm.select({ guards: guards(sql.placeholder("owner")).as("guards") }).from(sql`(select 1)`));

/** Whether codes to the user's number or mail guard money: a current account that was activated, or a loan that was paid out. */
export const findGuarded = (owner: string) => guarding({ owner });

/** As a condition of a commit: they guard none. */
export const guardsNothing = (owner: string): SQL => sql`not ${guards(owner)}`;
