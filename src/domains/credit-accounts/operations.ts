// Reads credit accounts: each answer is computed from the account's facts in one round trip.

import { and, eq, notInArray } from "drizzle-orm";
import * as z from "zod";
import { user } from "../../http/access";
import { operation, Reply } from "../../http/operation";
import { Links, listReply, openPage, pageOfComputed, paging } from "../../http/paging";
import type { Services } from "../../runtime/services";
import { ApiError, badInput } from "../../shared/errors";
import { toNumber } from "../../shared/money";
import { addDays, type CalendarDate, isCalendarDate } from "../../shared/time";
import { findViews, readView, viewOf } from "./account-view.store";
import { balanceOf } from "./book/balance.policy";
import { replay } from "./book/book.policy";
import { explain } from "./book/explain.policy";
import { installmentsOf } from "./book/installments.policy";
import { statementOf } from "./book/statement.policy";
import { accountsOfUser, bookOf, findBook, idsByPlace, ownAccount, placeKey, recordsOf } from "./ledger.store";
import { todayOf } from "./posting.store";
import { creditAccounts } from "./table";
import { CreditAccount, Explanation, Installment, Payoff, Statement, toCreditAccount, toInputs, toInstallment, toPayoff } from "./wire";

const accountPath = z.object({ accountId: z.uuid().toLowerCase() });
const date = z.string().refine(isCalendarDate, "must be a date YYYY-MM-DD").optional();

/** How far ahead a payoff may be asked for. */
const MAX_DAYS_AHEAD = 3_660;

export const listAccounts = operation({
	id: "listAccounts",
	method: "GET",
	path: "/v1/accounts",
	summary: "The caller's accounts, newest first",
	description: "Accounts that were never used and closed ones are not listed.",
	access: user,
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(CreditAccount), links: Links }),
	badInput: "BAD_REQUEST",
	async handle({ query, caller }, services) {
		const { db, now } = services;
		const { statement, page } = await openPage(services, query, {
			list: "accounts",
			owner: `user:${caller.userId}`,
			filters: {},
			select: (orm) => orm.select().from(creditAccounts).$dynamic(),
			key: { at: creditAccounts.createdAt, id: creditAccounts.id, of: (row) => [row.createdAt, row.id] as const, order: "newest" },
			where: and(eq(creditAccounts.userId, caller.userId), notInArray(creditAccounts.status, ["PENDING", "CLOSED"])),
		});
		const [listed, products, profiles, , transactions, cycles, installments] = await db.read(
			statement,
			...findViews(db.orm, accountsOfUser(caller.userId)),
		);
		return listReply(services, await page(listed), (account) =>
			toCreditAccount(viewOf(recordsOf(account, transactions, cycles, installments), { products, profiles }, now)),
		);
	},
});

export const getAccount = operation({
	id: "getAccount",
	method: "GET",
	path: "/v1/accounts/{accountId}",
	summary: "One account",
	access: user,
	request: { path: accountPath },
	response: CreditAccount,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, { db, now }) {
		const view = readView(await db.read(...findViews(db.orm, ownAccount(path.accountId, caller.userId))), now);
		if (!view) throw new ApiError("NOT_FOUND");
		return toCreditAccount(view);
	},
});

/** The records of the caller's account with all of its history. Throws NOT_FOUND. */
async function readHistory({ db, now }: Services, accountId: string, userId: string) {
	const [[account], ...rest] = await db.read(...findBook(db.orm, ownAccount(accountId, userId), "HISTORY", "ALL"));
	if (!account) throw new ApiError("NOT_FOUND");
	const records = recordsOf(account, ...rest);
	return { account, book: bookOf(records), ids: idsByPlace(records.installments), today: todayOf(account, now) };
}

export const listInstallments = operation({
	id: "listInstallments",
	method: "GET",
	path: "/v1/accounts/{accountId}/installments",
	summary: "The installments of an account as they stand today, by cycle and position",
	access: user,
	request: { path: accountPath, query: z.object(paging) },
	response: z.object({ data: z.array(Installment), links: Links }),
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, query, caller }, services) {
		const history = await readHistory(services, path.accountId, caller.userId);
		const numbers = new Map(history.book.cycles.map(({ id, number }) => [id, number]));
		const rows = installmentsOf(replay(history.book, history.today)).flatMap((row) => {
			const id = history.ids.get(placeKey(row));
			return id === undefined ? [] : [{ id, row }];
		});
		const spec = { list: "installments", owner: path.accountId, filters: {} };
		const page = await pageOfComputed(services, query, spec, rows, ({ row }) => [numbers.get(row.cycleId) ?? 0, row.position]);
		return listReply(services, page, ({ id, row }) => toInstallment(id, row));
	},
});

export const getPayoff = operation({
	id: "getPayoff",
	method: "GET",
	path: "/v1/accounts/{accountId}/payoff",
	summary: "What pays the account off on a day, if nothing is paid or drawn before",
	access: user,
	request: { path: accountPath, query: z.object({ on: date.meta({ description: "Today or later; today by default" }) }) },
	response: Payoff,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, query, caller }, { db, now }) {
		const [[account], ...rest] = await db.read(...findBook(db.orm, ownAccount(path.accountId, caller.userId), "BOOK", "WAIVED"));
		if (!account) throw new ApiError("NOT_FOUND");
		const today = todayOf(account, now);
		const on = query.on ?? today;
		if (on < today || on > addDays(today, MAX_DAYS_AHEAD)) throw badInput("query.on", "must be today or within ten years", "OUT_OF_RANGE");
		return toPayoff(balanceOf(replay(bookOf(recordsOf(account, ...rest)), on)), account.currency, on);
	},
});

export const explainBalance = operation({
	id: "explainBalance",
	method: "GET",
	path: "/v1/accounts/{accountId}/explain",
	summary: "The lines that the balance of a day is the sum of, with the facts as they are known now",
	access: user,
	request: { path: accountPath, query: z.object({ as_of: date.meta({ description: "Up to today; today by default" }) }) },
	response: Explanation,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, query, caller }, services) {
		const { account, book, ids, today } = await readHistory(services, path.accountId, caller.userId);
		const asOf = query.as_of ?? today;
		if (asOf > today) throw badInput("query.as_of", "is in the future", "OUT_OF_RANGE");
		const ledger = replay(book, asOf);
		return {
			as_of: asOf,
			total_outstanding: toNumber(balanceOf(ledger).totalOutstanding),
			currency: account.currency,
			lines: explain(ledger).map(({ component, cycleId, installment, amount, rule, inputs }) => ({
				component,
				installment_id: installment === null ? null : (ids.get(placeKey({ cycleId, position: installment })) ?? null),
				amount: toNumber(amount),
				rule,
				inputs: toInputs(inputs),
			})),
		};
	},
});

export const getStatement = operation({
	id: "getStatement",
	method: "GET",
	path: "/v1/accounts/{accountId}/statement",
	summary: "Every change of the balance in a span of days, oldest first",
	access: user,
	request: {
		path: accountPath,
		query: z.object({
			...paging,
			from: date.meta({ description: "The first day; 30 days before the last by default" }),
			to: date.meta({ description: "The last day; today by default" }),
		}),
	},
	response: Statement,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, query, caller }, services) {
		const { account, book, ids, today } = await readHistory(services, path.accountId, caller.userId);
		const to: CalendarDate = query.to ?? today;
		const from: CalendarDate = query.from ?? addDays(to, -30);
		if (to > today) throw badInput("query.to", "is in the future", "OUT_OF_RANGE");
		if (from > to) throw badInput("query.from", "is after to", "OUT_OF_RANGE");
		const statement = statementOf(book, from, to);
		const spec = { list: "statement", owner: path.accountId, filters: { from, to } };
		const page = await pageOfComputed(services, query, spec, statement.entries, ({ date, ofDay }) => [Date.parse(date), ofDay]);
		const { headers, body } = listReply(services, page, ({ cycleId, installment, ...entry }) => ({
			date: entry.date,
			component: entry.component,
			amount: toNumber(entry.amount),
			rule: entry.rule,
			transaction_id: entry.transactionId,
			installment_id: cycleId === null || installment === null ? null : (ids.get(placeKey({ cycleId, position: installment })) ?? null),
			running_balance: toNumber(entry.runningBalance),
		}));
		return new Reply(
			{
				from,
				to,
				currency: account.currency,
				opening_balance: toNumber(statement.opening),
				entries: body.data,
				closing_balance: toNumber(statement.closing),
				links: body.links,
			},
			{ headers },
		);
	},
});
