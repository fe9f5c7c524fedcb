// Reads accounts of both kinds, credit and current, as one list and by their ids.

import { and, eq, ne, notInArray } from "drizzle-orm";
import * as z from "zod";
import { byCreation } from "../../db/keyset";
import { user } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, openPage, paging } from "../../http/paging";
import { ApiError, badInput } from "../../shared/errors";
import { readView, viewOf } from "../credit-accounts/account-view.plan";
import { accountsOfUser, findViews, ownAccount, recordsOf } from "../credit-accounts/ledger.store";
import { creditAccounts } from "../credit-accounts/table";
import { timeAxes, toCreditAccount } from "../credit-accounts/wire";
import { findAccountsOf, findOwnAccount } from "../current-accounts/accounts/store";
import { toCurrentAccount } from "../current-accounts/accounts/wire";
import { localDayOf } from "../current-accounts/ledger/interest.policy";
import { currentAccounts } from "../current-accounts/table";
import { Account } from "./wire";

export const listAccounts = operation({
	id: "listAccounts",
	method: "GET",
	path: "/v1/accounts",
	summary: "The caller's accounts, newest first",
	description: "Closed accounts, and credit accounts that were never used, are not listed.",
	access: user,
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(Account), links: Links }),
	badInput: "BAD_REQUEST",
	async handle({ query, caller }, services) {
		const { db, now, config } = services;
		const { userId } = caller;
		const list = { list: "accounts", owner: `user:${userId}`, filters: {} };
		const credit = await openPage(services, query, {
			...list,
			select: (orm) => orm.select({ id: creditAccounts.id, createdAt: creditAccounts.createdAt }).from(creditAccounts).$dynamic(),
			key: byCreation(creditAccounts),
			where: and(eq(creditAccounts.userId, userId), notInArray(creditAccounts.status, ["PENDING", "CLOSED"])),
		});
		const current = await openPage(services, query, {
			...list,
			select: (orm) => orm.select({ id: currentAccounts.id, createdAt: currentAccounts.createdAt }).from(currentAccounts).$dynamic(),
			key: byCreation(currentAccounts),
			where: and(eq(currentAccounts.userId, userId), ne(currentAccounts.status, "CLOSED")),
		});
		const [creditPlaces, currentPlaces, ofCurrent, products, profiles, ofCredit, transactions, cycles, installments] = await db.read(
			credit.statement,
			current.statement,
			findAccountsOf(db.orm, userId),
			...findViews(db.orm, accountsOfUser(userId)),
		);
		const toAccounts = (id: string): z.input<typeof Account>[] => {
			const account = ofCurrent.find((row) => row.id === id);
			if (account) return [toCurrentAccount(account, config.CURRENT_ACCOUNTS, localDayOf(account, now))];
			const row = ofCredit.find((candidate) => candidate.id === id);
			return row ? [toCreditAccount(viewOf(recordsOf(row, transactions, cycles, installments), { products, profiles }, now))] : [];
		};
		const page = await credit.page(credit.merge([creditPlaces, currentPlaces]));
		return listReply(services, { ...page, rows: page.rows.flatMap(({ id }) => toAccounts(id)) }, (account) => account);
	},
});

export const getAccount = operation({
	id: "getAccount",
	method: "GET",
	path: "/v1/accounts/{accountId}",
	summary: "One account, closed or not",
	access: user,
	description: "`as_of` and `known_at` are for credit accounts; their terms and limit are those of today.",
	request: { path: z.object({ accountId: z.uuid().toLowerCase() }), query: z.object(timeAxes) },
	response: Account,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path: { accountId }, query, caller }, { db, now, config }) {
		const isOfPast = query.as_of !== undefined || query.known_at !== undefined;
		const [[current], ...credit] = await db.read(
			findOwnAccount(db.orm, accountId, caller.userId),
			...findViews(db.orm, ownAccount(accountId, caller.userId), isOfPast ? "HISTORY" : "BOOK"),
		);
		if (current && isOfPast)
			throw badInput(query.as_of === undefined ? "query.known_at" : "query.as_of", "is for credit accounts", "NOT_ALLOWED");
		if (current) return toCurrentAccount(current, config.CURRENT_ACCOUNTS, localDayOf(current, now));
		const view = readView(credit, now, query);
		if (!view) throw new ApiError("NOT_FOUND");
		return toCreditAccount(view);
	},
});
