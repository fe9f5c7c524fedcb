// Reads what ties a person to the service, and the state of their erasure.

import { and, asc, desc, eq, isNotNull, isNull, lte, type Placeholder, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import { prebuilt } from "../../db/prebuilt";
import { fact } from "../../db/reads";
import { creditAccounts } from "../credit-accounts/table";
import { currentAccounts } from "../current-accounts/table";
import { disbursements } from "../disbursements/model/table";
import { memberships } from "../organizations/table";
import { mobileNumberChanges } from "../users/model/number-change.table";
import { identityLinks } from "../users/model/table";
import type { Ties } from "./retention.policy";
import { erasures } from "./table";

const credit = alias(creditAccounts, "credit_account");
const current = alias(currentAccounts, "current_account");
const membership = alias(memberships, "membership");
const change = alias(mobileNumberChanges, "number_change");
const disbursement = alias(disbursements, "disbursement");

/** As JSON text. Accounts that were never paid out or activated tie nobody. */
const tiesOf = (userId: string | Placeholder) => sql<string>`(
	select json_object(
		'openLoans', (select count(*) from ${creditAccounts} ${credit} where ${credit.userId} = ${userId}
			and (${credit.status} not in ('PENDING', 'CLOSED', 'WRITTEN_OFF') or ${credit.overpaidAmount} > 0)),
		'payouts', (select count(*) from ${creditAccounts} ${credit} join ${disbursements} ${disbursement} on ${disbursement.accountId} = ${credit.id}
			where ${credit.userId} = ${userId} and (${disbursement.status} in ('PENDING', 'ACCEPTED') or ${disbursement.contradictedAt} is not null)),
		'openAccounts', (select count(*) from ${currentAccounts} ${current} where ${current.userId} = ${userId} and ${current.status} not in ('PENDING', 'CLOSED')),
		'memberships', (select count(*) from ${memberships} ${membership} where ${membership.userId} = ${userId}),
		'numberChanges', (select count(*) from ${mobileNumberChanges} ${change} where ${change.userId} = ${userId} and ${change.status} in ('INITIALIZING', 'AUTHORIZED')),
		'lastLoan', (select max(${credit.updatedAt}) from ${creditAccounts} ${credit} where ${credit.userId} = ${userId} and ${credit.status} <> 'PENDING'),
		'lastAccount', (select max(${current.updatedAt}) from ${currentAccounts} ${current} where ${current.userId} = ${userId} and ${current.status} <> 'PENDING')))`;

const tiesById = prebuilt((orm) => orm.all<{ ties: string }>(sql`select ${tiesOf(sql.placeholder("userId"))} as ties`));

/** What is open for the person, and what has ended when: they are erased only as this was read. */
export const findTies = (userId: string) => fact(tiesById({ userId }), { unchanged: ({ ties }) => sql`${tiesOf(userId)} = ${ties}` });
export const readTies = (text: string): Ties => JSON.parse(text);

export const findErasure = (orm: Orm, userId: string) => orm.select().from(erasures).where(eq(erasures.userId, userId));

/** An erasure of which this database has places left. */
export const findDue = (orm: Orm, now: number) =>
	orm
		.select()
		.from(erasures)
		.where(and(isNull(erasures.finishedAt), lte(erasures.beginsAt, now)))
		.orderBy(asc(erasures.beginsAt))
		.limit(1);

/** Those that are done here and that nobody has announced. Only the person's home announces. */
export const findUnannouncedErasures = (orm: Orm, limit: number) =>
	orm
		.select()
		.from(erasures)
		.where(and(isNotNull(erasures.finishedAt), isNull(erasures.erasedAt)))
		.orderBy(asc(erasures.finishedAt))
		.limit(limit);

/** Of which the numbers are looked for; those of earlier ones are in rows that are gone by now. */
const LAST_CHANGES = 8;
const MOST_LINKS = 100;

/** What identifies the person, in addition to their own row. */
export const findMarks = (orm: Orm, userId: string) => ({
	links: orm
		.select({ issuer: identityLinks.issuer, subject: identityLinks.subject })
		.from(identityLinks)
		.where(eq(identityLinks.userId, userId))
		.limit(MOST_LINKS),
	changes: orm
		.select({ oldNumber: mobileNumberChanges.oldNumber, newNumber: mobileNumberChanges.newNumber })
		.from(mobileNumberChanges)
		.where(and(eq(mobileNumberChanges.userId, userId), sql`${mobileNumberChanges.status} = 'COMPLETED'`))
		.orderBy(desc(mobileNumberChanges.completedAt))
		.limit(LAST_CHANGES),
});
