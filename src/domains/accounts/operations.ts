// Reads accounts of both kinds, credit and current, as one list and by their ids.

import { and, eq, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { bare, isOneOf } from "../../db/columns";
import { byCreation } from "../../db/keyset";
import { actingFor, reachOf } from "../../db/reach";
import { first } from "../../db/reads";
import { operation } from "../../http/operation";
import { Links, listReply, openPage, openWindow, type Paging, paging } from "../../http/paging";
import { payBillText, shownIn } from "../../messages/texts";
import type { Services } from "../../runtime/services";
import { idsOf } from "../../shared/bounded";
import { ApiError, badInput } from "../../shared/errors";
import { addDays, localDate } from "../../shared/time";
import { findConnection } from "../connections/model/store";
import { homeOfAccountNumber, isAccountNumber } from "../credit-accounts/account-number.policy";
import { readView, viewOf } from "../credit-accounts/account-view.plan";
import { accountsNamed, findViews, reachedAccount, reachedAccounts, recordsOf } from "../credit-accounts/ledger.store";
import { lenderOf, ownerOf } from "../credit-accounts/store";
import { creditAccounts, IN_ACCOUNT_LIST } from "../credit-accounts/table";
import { timeAxes, toCreditAccount } from "../credit-accounts/wire";
import { findReachedAccount } from "../current-accounts/accounts/store";
import { toCurrentAccount } from "../current-accounts/accounts/wire";
import { availableFrom, type Session } from "../current-accounts/caution.policy";
import { findLastRecovery } from "../current-accounts/caution.store";
import { localDayOf } from "../current-accounts/ledger/interest.policy";
import { selectAccounts } from "../current-accounts/ledger/store";
import { currentAccounts } from "../current-accounts/table";
import { findLanguages } from "../organizations/texts/store";
import { homeOfUser, type LendingReader, lendingReader, ofUser, userNamed } from "../users/model/callers";
import { sortedPage } from "./store";
import { Account, bookFilters, ofBook } from "./wire";

export const listAccounts = operation({
	id: "listAccounts",
	method: "GET",
	path: "/v1/accounts",
	summary: "Accounts, newest first: the user's own, those of a borrower, or those of an organization",
	description:
		"Closed accounts, and credit accounts that were never used, are not listed, except by their number. Operators who act for no organization name a user or a number. With `sort` or a filter from `due_on` on, the credit accounts of the acting organization; pages may have fewer rows than `size`, or none: follow `links.next` until it is null.",
	access: lendingReader,
	home: ({ caller, query }) => {
		const { account_number: number } = query;
		return caller.kind !== "user" && number !== undefined && isAccountNumber(number)
			? homeOfAccountNumber(number)
			: homeOfUser({ caller, query });
	},
	request: {
		query: z.object({
			...paging,
			...ofUser,
			account_number: z.string().min(1).max(64).optional().meta({ description: "Only the account of this number, closed or not" }),
			ids: idsOf("accounts").optional().meta({
				description: "Only these accounts, closed or not; may be repeated, a hundred times. Other filters are not applied",
			}),
			...ofBook,
		}),
	},
	response: z.object({ data: z.array(Account), links: Links }),
	badInput: "BAD_REQUEST",
	async handle({ query, caller }, services) {
		const { db, now, config } = services;
		const { account_number: number, ids } = query;
		if (ids) return listReply(services, { rows: await withIds(services, ids, caller), next: null, prev: null }, (account) => account);
		const userId = caller.kind === "user" ? userNamed(caller, query.user_id) : query.user_id;
		const organizationId = actingFor(caller);
		if (userId === undefined && number === undefined && organizationId === undefined) {
			throw badInput("query.user_id", "is required, or account_number, or an acting organization", "REQUIRED");
		}
		const [ofBookOnly] = bookFilters.filter((name) => query[name] !== undefined);
		if (ofBookOnly !== undefined) {
			if (organizationId !== undefined && userId === undefined && number === undefined) return listBook(services, query, organizationId);
			const reason = "is for the accounts of the acting organization, without user_id and account_number";
			throw badInput(`query.${ofBookOnly}`, reason, "NOT_ALLOWED");
		}
		const list = {
			list: "accounts",
			owner: caller.kind === "user" ? `user:${caller.userId}` : (organizationId ?? "operators"),
			filters: { user_id: query.user_id, account_number: number },
		};
		/** The first of these that is known chooses the index, and the plus sign keeps SQLite from taking another. */
		const among = ({ accountNumber, userId: user, organizationId: organization }: typeof creditAccounts | typeof currentAccounts) => {
			const named = [
				...(number === undefined ? [] : [{ column: accountNumber, value: number }]),
				...(userId === undefined ? [] : [{ column: user, value: userId }]),
				...(organizationId === undefined ? [] : [{ column: organization, value: organizationId }]),
			];
			return and(...named.map(({ column, value }, index) => (index === 0 ? eq(column, value) : sql`+${column} = ${value}`)));
		};
		const credit = await openPage(services, query, {
			...list,
			select: (orm) => orm.select({ id: creditAccounts.id, createdAt: creditAccounts.createdAt }).from(creditAccounts).$dynamic(),
			key: byCreation(creditAccounts),
			where: and(among(creditAccounts), number === undefined ? IN_ACCOUNT_LIST : ne(creditAccounts.status, "PENDING")),
		});
		const current = await openPage(services, query, {
			...list,
			select: (orm) => selectAccounts(orm).$dynamic(),
			key: byCreation(currentAccounts),
			where: and(among(currentAccounts), number === undefined ? sql`${currentAccounts.status} <> 'CLOSED'` : undefined),
		});
		const shown = sql`(select ${bare(creditAccounts.id)} from (${credit.statement.getSQL()}))`;
		const { places, ofCurrent, views } = await db.read({
			places: credit.statement,
			ofCurrent: current.statement,
			views: findViews(db.orm, shown),
		});
		const toAccounts = (id: string): z.input<typeof Account>[] => {
			const account = ofCurrent.find((row) => row.id === id);
			if (account) return [toCurrentAccount(account, config.CURRENT_ACCOUNTS, localDayOf(account, now))];
			const row = views.accounts.find((candidate) => candidate.id === id);
			return row ? [toCreditAccount(viewOf(recordsOf(row, views), views, now))] : [];
		};
		const page = await credit.page(credit.merge([places, ofCurrent]));
		return listReply(services, { ...page, rows: page.rows.flatMap(({ id }) => toAccounts(id)) }, (account) => account);
	},
});

/** Those of the accounts that the caller reaches, each in its home. */
async function withIds(services: Services, ids: readonly string[], caller: LendingReader): Promise<z.input<typeof Account>[]> {
	const { now, config } = services;
	const databases = Map.groupBy(ids, (id) => services.at(id).db);
	const found = await Promise.all(
		[...databases].map(async ([db, there]) => {
			const { current, views } = await db.read({
				current: selectAccounts(db.orm).where(and(isOneOf(currentAccounts.id, there), reachOf(caller, currentAccounts))),
				views: findViews(db.orm, reachedAccounts(there, caller)),
			});
			return [
				...current.map((row) => toCurrentAccount(row, config.CURRENT_ACCOUNTS, localDayOf(row, now))),
				...views.accounts.map((row) => toCreditAccount(viewOf(recordsOf(row, views), views, now))),
			];
		}),
	);
	return found.flat();
}

type BookQuery = Paging & z.output<z.ZodObject<typeof ofBook>>;

/** A page of an organization's credit accounts, as its people choose it. */
async function listBook(services: Services, query: BookQuery, organizationId: string) {
	const { db, now } = services;
	const { due_on, past_due_over, loan_product_id, status } = query;
	if (due_on !== undefined && past_due_over !== undefined)
		throw badInput("query.past_due_over", "cannot be sent together with due_on", "MUTUALLY_EXCLUSIVE");
	const byDays = due_on !== undefined || past_due_over !== undefined;
	const sort = query.sort ?? (byDays ? "DAYS_PAST_DUE" : "NEWEST");
	const dueBefore = past_due_over === undefined ? undefined : addDays(localDate(now), -past_due_over);
	const filters = { due_on, past_due_over, loan_product_id, status, sort };
	const { window, page } = await openWindow(services, query, { list: "book", owner: organizationId, filters });
	const sorted = sortedPage(db.orm, { organizationId, sort, status, loanProductId: loan_product_id, dueOn: due_on, dueBefore }, window);
	const { rows, edge } = await db.read({ rows: sorted.rows, edge: sorted.edge });
	const found = await page(sorted.page(rows, edge));
	// Read after the page is known: an account's book is in many tables, and none of them looks for the page again.
	const views = await db.read(findViews(db.orm, accountsNamed(found.rows.map(({ id }) => id))));
	const shown = found.rows.flatMap(({ id }) => {
		const row = views.accounts.find((candidate) => candidate.id === id);
		return row ? [toCreditAccount(viewOf(recordsOf(row, views), views, now))] : [];
	});
	return listReply(services, { ...found, rows: shown }, (account) => account);
}

export const getAccount = operation({
	id: "getAccount",
	method: "GET",
	path: "/v1/accounts/{accountId}",
	summary: "One account, closed or not",
	access: lendingReader,
	home: ({ path }) => path.accountId,
	description: "`as_of` and `known_at` are for credit accounts; their terms and limit are those of today.",
	request: { path: z.object({ accountId: z.uuid().toLowerCase() }), query: z.object(timeAxes) },
	response: Account,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path: { accountId }, query, caller }, services) {
		const { db, now, config } = services;
		const session: Session & { userId?: string } = caller.kind === "user" ? caller : {};
		const isOfPast = query.as_of !== undefined || query.known_at !== undefined;
		const reached = reachedAccount(accountId, caller);
		const { current, credit, recovery, borrower, mpesa } = await db.read({
			current: first(findReachedAccount(db.orm, accountId, caller)),
			credit: findViews(db.orm, reached, isOfPast ? "HISTORY" : "BOOK"),
			recovery: first(findLastRecovery(session.userId ?? "")),
			borrower: first(findLanguages(db.orm, ownerOf(reached))),
			mpesa: first(findConnection(db.orm, { organizationId: lenderOf(reached), provider: "daraja" })),
		});
		if (current && isOfPast)
			throw badInput(query.as_of === undefined ? "query.known_at" : "query.as_of", "is for credit accounts", "NOT_ALLOWED");
		if (current) return toCurrentAccount(current, config.CURRENT_ACCOUNTS, localDayOf(current, now));
		const view = readView(credit, now, query);
		if (!view) throw new ApiError("NOT_FOUND");
		const older = { found: Number(view.account.createdAt < (session.signedInAt ?? 0)) };
		const { accountNumber: account_number } = view.account;
		const payment_instructions = mpesa && {
			shortcode: mpesa.shortCode,
			account_number,
			text: payBillText(shownIn(borrower, services.locale), mpesa.shortCode, account_number),
		};
		return {
			...toCreditAccount(view),
			...availableFrom(services, session, { older, recovery }),
			...(payment_instructions && { payment_instructions }),
		};
	},
});
