// Operators correct an account: they reverse a payment, or waive what an installment owes. Both are transactions of their own.

import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { raise } from "../../events/raise";
import { operator } from "../../http/access";
import { operation } from "../../http/operation";
import { ApiError, badInput } from "../../shared/errors";
import { toBigInt } from "../../shared/money";
import { replay } from "../credit-accounts/book/book.policy";
import { waivableOf } from "../credit-accounts/book/installments.policy";
import { creditAccountPenaltyWaived } from "../credit-accounts/events";
import { bookOf, findLoaded, loadedOf, theAccount } from "../credit-accounts/ledger.store";
import { planPosting, RefundUncovered, todayOf } from "../credit-accounts/posting.store";
import { accountMembers } from "../credit-accounts/posting-events.store";
import { accountTransactions, installments } from "../credit-accounts/table";
import { repaymentReversed } from "./events";
import { RepaymentTransaction, toTransaction } from "./wire";

const reason = z.string().trim().min(1).max(255);

export const reverseRepayment = operation({
	id: "reverseRepayment",
	method: "POST",
	path: "/v1/repayments/{id}/reverse",
	summary: "Reverse a posted payment, as if it had never been made",
	access: operator,
	home: ({ path }) => path.id,
	request: { path: z.object({ id: z.uuid().toLowerCase() }), body: z.object({ reason }) },
	response: RepaymentTransaction,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, body, caller }, services) {
		const { db, now } = services;
		const accounts = sql`(select t.account_id from ${accountTransactions} t where t.id = ${path.id})`;
		// With all its history: the payment may be older than what still matters.
		const loaded = loadedOf(await db.read(...findLoaded(db.orm, accounts, "HISTORY")));
		const original = loaded?.transactions.find(({ id }) => id === path.id);
		if (!loaded || original?.kind !== "REPAYMENT") throw new ApiError("NOT_FOUND");
		if (loaded.transactions.some(({ reversesId }) => reversesId === path.id)) throw new ApiError("INVALID_STATE");
		const reversal = {
			id: services.newId(),
			kind: "REVERSAL" as const,
			amount: original.amount,
			valueDate: todayOf(loaded.account, now),
			occurredAt: now,
			reversesId: original.id,
			reason: body.reason,
			actor: caller.operatorId,
		};
		const { writes } = covered(() => planPosting(services, loaded, [reversal]));
		const { currency, organizationId, id: account_id } = loaded.account;
		const data = { transaction_id: reversal.id, account_id, amount: original.amount, currency, original_transaction_id: original.id };
		return services.commit(
			[...writes, raise(services, repaymentReversed, { organizationId, entityId: reversal.id, data })],
			toTransaction({ ...reversal, postedAt: now }, currency),
			{ unique: [[[accountTransactions.reversesId], "STALE"]] },
		);
	},
});

export const waive = operation({
	id: "waive",
	method: "POST",
	path: "/v1/platform/accounts/{accountId}/waivers",
	summary: "Give up part of what an installment owes today",
	access: operator,
	home: ({ path }) => path.accountId,
	request: {
		path: z.object({ accountId: z.uuid().toLowerCase() }),
		body: z.object({ installment_id: z.uuid().toLowerCase(), amount: z.int().min(1), reason }),
	},
	response: RepaymentTransaction,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, body, caller }, services) {
		const { db, now } = services;
		const ofAccount = and(eq(installments.id, body.installment_id), eq(installments.accountId, path.accountId));
		const [[installment], ...records] = await db.read(
			db.orm.select().from(installments).where(ofAccount),
			...findLoaded(db.orm, theAccount(path.accountId)),
		);
		const loaded = loadedOf(records);
		if (!loaded || !installment) throw new ApiError("NOT_FOUND");
		const today = todayOf(loaded.account, now);
		// One of a cycle that was settled before the book owes nothing.
		const owed = waivableOf(replay(bookOf(loaded), today), installment.cycleId, installment.position);
		if (toBigInt(body.amount) > owed) throw badInput("amount", `is more than the ${owed} that the installment owes`, "OUT_OF_RANGE");
		const waiver = {
			id: services.newId(),
			kind: "WAIVER" as const,
			amount: body.amount,
			valueDate: today,
			occurredAt: now,
			cycleId: installment.cycleId,
			installmentId: installment.id,
			reason: body.reason,
			actor: caller.operatorId,
		};
		const posted = covered(() => planPosting(services, loaded, [waiver]));
		const { currency, organizationId } = loaded.account;
		const penalty = posted.allocations.reduce((sum, row) => (row.transactionId === waiver.id ? sum + row.penaltyAmount : sum), 0);
		const about = { cycle_id: installment.cycleId, installment_id: installment.id, transaction_id: waiver.id, amount: penalty, currency };
		const data = { ...accountMembers(loaded.account), ...about };
		return services.commit(
			[
				...posted.writes,
				...(penalty > 0 ? [raise(services, creditAccountPenaltyWaived, { organizationId, entityId: waiver.id, data })] : []),
			],
			toTransaction({ ...waiver, reversesId: null, postedAt: now }, currency),
		);
	},
});

function covered<T>(plan: () => T): T {
	try {
		return plan();
	} catch (error) {
		if (error instanceof RefundUncovered) {
			throw new ApiError("INVALID_STATE", { description: "The overpayment that it leaves uncovered was refunded" });
		}
		throw error;
	}
}
