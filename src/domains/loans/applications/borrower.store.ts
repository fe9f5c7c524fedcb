// The facts about a borrower, which D1 collects into one JSON text. A decision reads the text, and its commit requires
// the text to be unchanged, so nothing that the decision relied on (limit, exposure, status) can change in between.

import { type Placeholder, sql } from "drizzle-orm";
import { prebuilt } from "../../../db/prebuilt";
import { type CreditAccountStatus, creditAccounts } from "../../credit-accounts/table";
import { disbursements } from "../../disbursements/table";
import { creditProfiles } from "../../loan-products/table";
import { type UserRow, users } from "../../users/table";
import { loanApplications } from "./table";

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
		'status', u.status,
		'blockedAt', u.blocked_at,
		'homeOrganizationId', u.home_organization_id,
		'limitOverride', (select p.limit_override from ${creditProfiles} p where p.user_id = u.id),
		'credit', json((
			select json_group_array(json_object(
				'loanProductId', a.loan_product_id,
				'currency', a.currency,
				'status', a.status,
				'timeZone', a.terms ->> 'timeZone',
				'loansRepaidOnTime', a.loans_repaid_on_time,
				'principal', max(a.principal_outstanding - a.overpaid_amount, 0),
				'submitted', (select coalesce(sum(l.loan_amount), 0) from ${loanApplications} l where l.account_id = a.id and l.status = 'SUBMITTED'),
				'drawing', (
					select coalesce(sum(d.amount), 0) from ${disbursements} d
					where d.account_id = a.id and status in ('PENDING', 'ACCEPTED') and d.kind = 'DRAW'),
				'earliestDue', a.earliest_due
			)) from ${creditAccounts} a indexed by credit_accounts_once where a.user_id = u.id))
	) from ${users} u where u.id = ${userId})`;

const factsOf = prebuilt((orm) => orm.all<{ facts: string | null }>(sql`select ${borrowerFacts(sql.placeholder("userId"))} as facts`));
export const findBorrower = (userId: string) => factsOf({ userId });

export const readFacts = (text: string): BorrowerFacts => JSON.parse(text);
