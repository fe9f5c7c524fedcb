// The facts about a borrower, which D1 collects into one JSON text. A decision reads the text, and its commit requires
// the text to be unchanged, so nothing that the decision relied on (limit, exposure, status) can change in between.

import { type Placeholder, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { prebuilt } from "../../../db/prebuilt";
import { fact } from "../../../db/reads";
import { type CreditAccountStatus, creditAccounts } from "../../credit-accounts/table";
import { disbursements } from "../../disbursements/model/table";
import { creditProfiles } from "../../loan-products/model/table";
import { type UserRow, users } from "../../users/model/table";
import { loanApplications } from "./table";

const user = alias(users, "user");
const creditProfile = alias(creditProfiles, "credit_profile");
const creditAccount = alias(creditAccounts, "credit_account");
const loanApplication = alias(loanApplications, "loan_application");
const disbursement = alias(disbursements, "disbursement");

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
const borrowerFacts = (userId: string | Placeholder) => sql<string | null>`(
	select json_object(
		'status', ${user.status},
		'blockedAt', ${user.blockedAt},
		'homeOrganizationId', ${user.homeOrganizationId},
		'limitOverride', (select ${creditProfile.limitOverride} from ${creditProfiles} ${creditProfile} where ${creditProfile.userId} = ${user.id}),
		'credit', json((
			select json_group_array(json_object(
				'loanProductId', ${creditAccount.loanProductId},
				'currency', ${creditAccount.currency},
				'status', ${creditAccount.status},
				'timeZone', ${creditAccount.terms} ->> 'timeZone',
				'loansRepaidOnTime', ${creditAccount.loansRepaidOnTime},
				'principal', max(${creditAccount.principalOutstanding} - ${creditAccount.overpaidAmount}, 0),
				'submitted', (select coalesce(sum(${loanApplication.loanAmount}), 0) from ${loanApplications} ${loanApplication} where ${loanApplication.accountId} = ${creditAccount.id} and ${loanApplication.status} = 'SUBMITTED'),
				'drawing', (
					select coalesce(sum(${disbursement.amount}), 0) from ${disbursements} ${disbursement}
					where ${disbursement.accountId} = ${creditAccount.id} and ${disbursement.status} in ('PENDING', 'ACCEPTED') and ${disbursement.kind} = 'DRAW'),
				'earliestDue', ${creditAccount.earliestDue}
			)) from ${creditAccounts} ${creditAccount} indexed by credit_accounts_once where ${creditAccount.userId} = ${user.id}))
	) from ${users} ${user} where ${user.id} = ${userId})`;

const factsOf = prebuilt((orm) => orm.all<{ facts: string | null }>(sql`select ${borrowerFacts(sql.placeholder("userId"))} as facts`));
/** The borrower's facts. A commit that relies on them is stale once they have changed. */
export const borrower = (userId: string) =>
	fact(factsOf({ userId }), { unchanged: ({ facts }) => sql`${borrowerFacts(userId)} = ${facts}` });

export const readFacts = (text: string): BorrowerFacts => JSON.parse(text);
