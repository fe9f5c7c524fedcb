// The facts about a borrower, which D1 collects into one JSON text. A decision reads the text, and its commit requires
// the text to be unchanged, so nothing that the decision relied on (limit, exposure, status) can change in between.

import { type Placeholder, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { prebuilt } from "../../../db/prebuilt";
import { fact } from "../../../db/reads";
import { type CreditAccountStatus, creditAccounts } from "../../credit-accounts/table";
import { disbursements } from "../../disbursements/table";
import { creditProfiles } from "../../loan-products/table";
import { type UserRow, users } from "../../users/table";
import { loanApplications } from "./table";

const u = alias(users, "u");
const p = alias(creditProfiles, "p");
const a = alias(creditAccounts, "a");
const l = alias(loanApplications, "l");
const d = alias(disbursements, "d");

export type Credit = {
	loanProductId: string;
	currency: string;
	status: CreditAccountStatus;
	timeZone: string;
	loansRepaidOnTime: number;
	/** Principal paid out and not yet repaid. */
	principal: number;
	/** Amounts applied for and not yet paid out. */
	submitted: number;
	/** Draws that were ordered and not yet paid out. */
	drawing: number;
	/** Due date of the oldest installment that is not settled. */
	earliestDue: string | null;
};

export type BorrowerFacts = {
	status: UserRow["status"];
	blockedAt: number | null;
	homeOrganizationId: string | null;
	limitOverride: number | null;
	credit: readonly Credit[];
};

/**
 * A scalar subquery: the facts about the user as JSON text, null for an unknown user. INDEXED BY fixes the order of the accounts, so
 * that equal facts give equal text.
 */
export const borrowerFacts = (userId: string | Placeholder) => sql<string | null>`(
	select json_object(
		'status', ${u.status},
		'blockedAt', ${u.blockedAt},
		'homeOrganizationId', ${u.homeOrganizationId},
		'limitOverride', (select ${p.limitOverride} from ${creditProfiles} ${p} where ${p.userId} = ${u.id}),
		'credit', json((
			select json_group_array(json_object(
				'loanProductId', ${a.loanProductId},
				'currency', ${a.currency},
				'status', ${a.status},
				'timeZone', ${a.terms} ->> 'timeZone',
				'loansRepaidOnTime', ${a.loansRepaidOnTime},
				'principal', max(${a.principalOutstanding} - ${a.overpaidAmount}, 0),
				'submitted', (select coalesce(sum(${l.loanAmount}), 0) from ${loanApplications} ${l} where ${l.accountId} = ${a.id} and ${l.status} = 'SUBMITTED'),
				'drawing', (
					select coalesce(sum(${d.amount}), 0) from ${disbursements} ${d}
					where ${d.accountId} = ${a.id} and ${d.status} in ('PENDING', 'ACCEPTED') and ${d.kind} = 'DRAW'),
				'earliestDue', ${a.earliestDue}
			)) from ${creditAccounts} ${a} indexed by credit_accounts_once where ${a.userId} = ${u.id}))
	) from ${users} ${u} where ${u.id} = ${userId})`;

const factsOf = prebuilt((orm) => orm.all<{ facts: string | null }>(sql`select ${borrowerFacts(sql.placeholder("userId"))} as facts`));
/** The borrower, who is lent to only as they were read. */
export const borrower = (userId: string) =>
	fact(factsOf({ userId }), { unchanged: ({ facts }) => sql`${borrowerFacts(userId)} = ${facts}` });

export const readFacts = (text: string): BorrowerFacts => JSON.parse(text);
