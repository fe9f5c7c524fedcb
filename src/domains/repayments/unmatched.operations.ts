// Payments for which no account was found: operators list them, oldest first, and match each to its account.

import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { guarded } from "../../db/guards";
import { operator } from "../../http/access";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { ApiError, badInput } from "../../shared/errors";
import { findAllocations, findRecords, recordsOf, theAccount } from "../credit-accounts/ledger.store";
import { findWaiting, postPayments } from "./store";
import { payments } from "./table";
import { Repayment, toRepayment, toUnmatched, UnmatchedPayment } from "./wire";

export const listUnmatchedPayments = operation({
	id: "listUnmatchedPayments",
	method: "GET",
	path: "/v1/platform/unmatched-payments",
	summary: "Payments for which no account was found, oldest first",
	access: operator,
	home: "everywhere",
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(UnmatchedPayment), links: Links }),
	async handle({ query }, services) {
		const page = await readPage(services, query, {
			list: "unmatched-payments",
			owner: "operators",
			filters: {},
			select: (orm) => orm.select().from(payments).$dynamic(),
			key: { at: payments.createdAt, id: payments.id, of: (row) => [row.createdAt, row.id] as const, order: "oldest" },
			where: sql`status = 'UNMATCHED'`,
		});
		return listReply(services, page, toUnmatched);
	},
});

export const matchPayment = operation({
	id: "matchPayment",
	method: "POST",
	path: "/v1/platform/unmatched-payments/{id}/match",
	summary: "Post an unmatched payment to an account",
	access: operator,
	home: ({ body }) => body.account_id,
	request: { path: z.object({ id: z.uuid().toLowerCase() }), body: z.object({ account_id: z.uuid().toLowerCase() }) },
	response: Repayment,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, body }, services) {
		const { db } = services;
		const accounts = theAccount(body.account_id);
		const [[payment], waiting, allocations, [account], ...rest] = await db.read(
			db.orm.select().from(payments).where(eq(payments.id, path.id)),
			findWaiting(db.orm, accounts),
			findAllocations(db.orm, accounts, "BOOK"),
			...findRecords(db.orm, accounts, "BOOK"),
		);
		if (!payment) throw new ApiError("NOT_FOUND");
		if (payment.status !== "UNMATCHED") throw new ApiError("INVALID_STATE");
		if (!account) throw badInput("account_id", "is not an account", "NOT_ALLOWED");
		if (account.currency !== payment.currency) throw badInput("account_id", "has another currency", "CURRENCY_MISMATCH");
		const matched = { ...payment, status: "CONFIRMED" as const, accountId: account.id };
		const posted = postPayments(services, { ...recordsOf(account, ...rest), allocations }, [...waiting, matched]);
		const mine = posted.rows.find(({ id }) => id === payment.id) ?? matched;
		return services.commit(
			[
				guarded(
					db.orm
						.update(payments)
						.set({ status: "CONFIRMED", accountId: account.id })
						.where(and(eq(payments.id, payment.id), eq(payments.status, "UNMATCHED"))),
				),
				...posted.writes,
			],
			toRepayment(mine, posted.allocations),
		);
	},
});
