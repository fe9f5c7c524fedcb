// Reads credit accounts, and builds the writes that open an account and start a cycle.

import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Orm, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import type { Services } from "../../runtime/services";
import { localDate } from "../../shared/time";
import type { Schedule } from "../loan-terms/schedule.policy";
import type { FrozenTerms } from "../loans/products/policy";
import { accountNumberOf } from "./account-number.policy";
import { type CreditAccountRow, creditAccounts, creditCycles, installments } from "./table";

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
	of: Pick<CreditAccountRow, "userId" | "organizationId" | "loanProductId" | "currency" | "terms">,
): CreditAccountRow => ({
	id: newId(),
	accountNumber: newAccountNumber(home),
	...of,
	status: "PENDING",
	loansRepaidOnTime: 0,
	createdAt: now,
	updatedAt: now,
	openedAt: null,
});

type CycleStart = {
	account: Pick<CreditAccountRow, "id" | "status" | "openedAt">;
	/** The highest cycle number of the account so far. */
	lastNumber: number;
	applicationId: string | null;
	terms: FrozenTerms;
	schedule: Schedule<number>;
	startedAt: number;
	mobileMoneyTransactionId: string | null;
};

/** The writes that start a cycle on an account. The first cycle opens the account. */
export function startCycle(services: Services, start: CycleStart): { cycleId: string; finalDueDate: string; writes: Write[] } {
	const { orm } = services.db;
	const { account, terms, schedule, startedAt } = start;
	const startDate = localDate(startedAt, terms.timeZone);
	const finalDueDate = schedule.installments.at(-1)?.dueDate ?? startDate;
	const cycleId = services.newId();
	const rows = schedule.installments.map(({ position, dueDate, principal, interest }, index) => ({
		id: services.newId(),
		position,
		startDate: schedule.installments[index - 1]?.dueDate ?? startDate,
		dueDate,
		principal,
		interest,
		fee: index === 0 ? schedule.fee : 0,
	}));
	return {
		cycleId,
		finalDueDate,
		writes: [
			guarded(
				orm
					.update(creditAccounts)
					.set({
						status: account.status === "PENDING" ? "ACTIVE" : account.status,
						terms,
						openedAt: account.openedAt ?? startedAt,
						updatedAt: services.now,
					})
					.where(and(eq(creditAccounts.id, account.id), eq(creditAccounts.status, account.status))),
			),
			orm.insert(creditCycles).values({
				id: cycleId,
				accountId: account.id,
				number: start.lastNumber + 1,
				applicationId: start.applicationId,
				balanceId: services.newId(),
				status: "OPEN",
				principal: schedule.totalPrincipal,
				fee: schedule.fee,
				terms,
				startDate,
				finalDueDate,
				startedAt,
				mobileMoneyTransactionId: start.mobileMoneyTransactionId,
				paidAt: null,
				createdAt: services.now,
			}),
			// One JSON parameter for all rows: D1 allows 100 parameters a statement, and a schedule may have 1,200 rows.
			orm.run(sql`
				insert into ${installments} (id, account_id, cycle_id, position, start_date, due_date, status, principal, interest, fee, principal_paid, interest_paid)
				select value ->> 'id', ${account.id}, ${cycleId}, value ->> 'position', value ->> 'startDate', value ->> 'dueDate', 'OPEN',
					value ->> 'principal', value ->> 'interest', value ->> 'fee', 0, 0
				from json_each(${JSON.stringify(rows)})`),
		],
	};
}
