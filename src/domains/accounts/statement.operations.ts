// The statement of an account of either kind. That of a credit account is computed from its facts, that of a current account is read
// from its entries.

import * as z from "zod";
import { rowsOf } from "../../db/keyset";
import { first } from "../../db/reads";
import { operation, Reply } from "../../http/operation";
import { type CursorPage, listReply, openPage, type Paging, pageOfComputed, paging } from "../../http/paging";
import type { Services } from "../../runtime/services";
import { ApiError, badInput } from "../../shared/errors";
import { addDays, type CalendarDate, localDate } from "../../shared/time";
import { LocalDate } from "../../shared/timestamp";
import { asOf } from "../credit-accounts/account-view.plan";
import { type BookRecords, findBook, knownOn, reachedAccount, recordsOf } from "../credit-accounts/ledger.store";
import { todayOf } from "../credit-accounts/postings/plan";
import { timeAxes } from "../credit-accounts/wire";
import { findReachedAccount, reachedAccount as reachedCurrentAccount } from "../current-accounts/accounts/store";
import { byPosting, type Days, findEnds, isWithin } from "../current-accounts/ledger/statement.store";
import { currentAccountEntries } from "../current-accounts/table";
import { type LendingReader, lendingReader } from "../users/model/callers";
import { creditStatement, currentEntry, requireValid } from "./statement.plan";
import { Statement, type StatementEntry } from "./wire";

const date = LocalDate.optional();

type Query = Paging & {
	readonly from?: CalendarDate | undefined;
	readonly to?: CalendarDate | undefined;
	readonly known_at?: CalendarDate | undefined;
};
type Reached = { readonly accountId: string; readonly caller: LendingReader };

export const getStatement = operation({
	id: "getStatement",
	method: "GET",
	path: "/v1/accounts/{accountId}/statement",
	summary: "Every change of the balance in a span of days, oldest first",
	access: lendingReader,
	home: ({ path }) => path.accountId,
	request: {
		path: z.object({ accountId: z.uuid().toLowerCase() }),
		query: z.object({
			...paging,
			from: date.meta({ description: "The first day; 30 days before the last by default" }),
			to: date.meta({ description: "The last day; today by default" }),
			known_at: timeAxes.known_at,
		}),
	},
	response: Statement,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, query, caller }, services) {
		const reached = { accountId: path.accountId, caller };
		const { time_zone: timeZone } = services.config.CURRENT_ACCOUNTS;
		const found = await find(services, reached, query, timeZone);
		const { account, credit } = found;
		if (credit) return ofCredit(services, query, credit);
		if (!account) throw new ApiError("NOT_FOUND");
		if (query.known_at !== undefined) throw badInput("query.known_at", "is for credit accounts", "NOT_ALLOWED");
		// Accounts that were opened under another time zone keep it, and may have another today.
		const { days, today, opening, closing, page } =
			account.timeZone === timeZone ? found : await find(services, reached, query, account.timeZone);
		requireValid(days, today);
		return reply(services, { days, currency: account.currency, opening, closing }, await page(), currentEntry);
	},
});

function daysOf({ from, to, known_at }: Query, today: CalendarDate): Days {
	const last = to ?? known_at ?? today;
	return { from: from ?? addDays(last, -30), to: last };
}

/** Cursors are bound to the days as they were sent, because accounts have calendars of their own. */
const specOf = (accountId: string, { from, to, known_at }: Query) => ({
	list: "account-statement",
	owner: accountId,
	filters: { from, to, known_at },
});

/** The account of either kind, if the caller reaches it, and the page of a current one's days in the time zone. */
async function find(services: Services, { accountId, caller }: Reached, query: Query, timeZone: string) {
	const { db, now } = services;
	const today = localDate(now, timeZone);
	const days = daysOf(query, today);
	const current = reachedCurrentAccount(accountId, caller);
	const entries = await openPage(services, query, {
		...specOf(accountId, query),
		select: rowsOf(currentAccountEntries),
		key: byPosting("oldest"),
		where: isWithin(current, days, query),
	});
	const { account, ends, rows, book } = await db.read({
		account: first(findReachedAccount(db.orm, accountId, caller)),
		ends: findEnds(db.orm, current, days),
		rows: entries.statement,
		book: findBook(db.orm, reachedAccount(accountId, caller), "HISTORY", "ALL"),
	});
	const [credit] = book.accounts;
	return {
		account,
		credit: credit && recordsOf(credit, book),
		days,
		today,
		opening: ends.before?.balanceAfter ?? 0,
		closing: ends.last?.balanceAfter ?? 0,
		page: () => entries.page(rows),
	};
}

async function ofCredit(services: Services, query: Query, records: BookRecords) {
	const { account } = records;
	const today = todayOf(account, services.now);
	const days = daysOf(query, today);
	asOf(query, today);
	requireValid(days, today);
	const known = query.known_at === undefined ? records : knownOn(records, query.known_at);
	const { entries, opening, closing, toEntry } = creditStatement(known, days);
	const page = await pageOfComputed(services, query, specOf(account.id, query), entries, ({ date, ofDay }) => [Date.parse(date), ofDay]);
	return reply(services, { days, currency: account.currency, opening, closing }, page, toEntry);
}

type Totals = { readonly days: Days; readonly currency: string; readonly opening: number; readonly closing: number };

function reply<Row>(
	services: Services,
	{ days, currency, opening, closing }: Totals,
	page: CursorPage<Row>,
	toWire: (row: Row) => z.input<typeof StatementEntry>,
) {
	const { headers, body } = listReply(services, page, toWire);
	const statement = { ...days, currency, opening_balance: opening, entries: body.data, closing_balance: closing, links: body.links };
	return new Reply(statement, { headers });
}
