// Chooses the tenure of the next cycle. The cycle that runs keeps its terms.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { first } from "../../db/reads";
import { raise } from "../../events/raise";
import { user } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { ApiError, badInput } from "../../shared/errors";
import { readView } from "../credit-accounts/account-view.plan";
import { creditAccountTenureChanged } from "../credit-accounts/events";
import { findViews, reachedAccount } from "../credit-accounts/ledger.store";
import { accountMembers } from "../credit-accounts/postings/events.plan";
import { todayOf } from "../credit-accounts/postings/plan";
import { creditAccounts } from "../credit-accounts/table";
import { CreditAccount, toCreditAccount } from "../credit-accounts/wire";
import { findReachedAccount } from "../current-accounts/accounts/store";
import { rateFor } from "../loan-products/model/limits.policy";
import { scheduleOf } from "../loan-products/model/policy";
import { Tenure, toInterestRate, toTenure } from "../loan-products/model/wire";

export const changeTenure = operation({
	id: "changeTenure",
	method: "PATCH",
	path: "/v1/accounts/{accountId}/tenure",
	summary: "Choose the tenure of the next cycle",
	description: "The interest rate is that of the account's own rate schedule. The last choice before the cycle starts wins.",
	access: user,
	request: { path: z.object({ accountId: z.uuid().toLowerCase() }), body: z.object({ tenure: Tenure }) },
	response: CreditAccount,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, body, caller }, services) {
		const { db, now } = services;
		const { current, credit } = await db.read({
			current: first(findReachedAccount(db.orm, path.accountId, caller)),
			credit: findViews(db.orm, reachedAccount(path.accountId, caller)),
		});
		if (current) throw badInput("path.accountId", "is a current account", "NOT_ALLOWED");
		const view = readView(credit, now);
		if (!view) throw new ApiError("NOT_FOUND");
		const { account } = view;
		const { tenure } = body;
		const interestRate = rateFor(account.rateSchedule, tenure);
		if (!interestRate) throw badInput("tenure", "is not offered", "TENURE_NOT_OFFERED");
		const terms = { ...account.terms, tenure, interestRate };
		if (!scheduleOf(terms, Math.max(1, view.limit), todayOf(account, now)))
			throw badInput("tenure", "has too many installments", "OUT_OF_RANGE");
		return services.commit(
			[
				db.orm.update(creditAccounts).set({ nextTenure: tenure, updatedAt: now }).where(eq(creditAccounts.id, account.id)),
				raise(services, creditAccountTenureChanged, {
					organizationId: account.organizationId,
					...occurrence(services.newId()),
					data: {
						...accountMembers(account),
						tenure: toTenure(tenure),
						interest_rate: toInterestRate(interestRate),
						applies_from: view.standing.dueDate === null ? "NOW" : "NEXT_CYCLE",
					},
				}),
			],
			toCreditAccount({ ...view, account: { ...account, updatedAt: now }, nextCycle: { tenure, interestRate } }),
		);
	},
});

/** The same can happen to the account again, so the event names itself. */
const occurrence = (id: string) => ({ id, entityId: id });
