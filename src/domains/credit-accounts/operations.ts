// Reads what a credit account is made of: each answer is computed from the account's facts in one round trip.

import * as z from "zod";
import { operation } from "../../http/operation";
import { Links, listReply, pageOfComputed, paging } from "../../http/paging";
import type { Services } from "../../runtime/services";
import { ApiError, badInput } from "../../shared/errors";
import { toNumber } from "../../shared/money";
import { addDays } from "../../shared/time";
import { LocalDate } from "../../shared/timestamp";
import { type LendingReader, lendingReader } from "../users/model/callers";
import { asOf, type Times } from "./account-view.plan";
import { balanceOf } from "./book/balance.policy";
import { replay } from "./book/book.policy";
import { explain } from "./book/explain.policy";
import { installmentsOf } from "./book/installments.policy";
import { bookOf, findBook, idsByPlace, knownOn, placeKey, reachedAccount, recordsOf } from "./ledger.store";
import { todayOf } from "./postings/plan";
import { accountPath, Explanation, Installment, Payoff, timeAxes, toInputs, toInstallment, toPayoff } from "./wire";

const date = LocalDate.optional();

/** How far ahead a payoff may be asked for. */
const MAX_DAYS_AHEAD = 3_660;

/** The account, if the caller reaches it, with all of its history, as far as it was known, and the day to show. Throws NOT_FOUND. */
async function readHistory({ db, now }: Services, accountId: string, caller: LendingReader, times: Times) {
	const {
		accounts: [account],
		...rest
	} = await db.read(findBook(db.orm, reachedAccount(accountId, caller), "HISTORY", "ALL"));
	if (!account) throw new ApiError("NOT_FOUND");
	const records = recordsOf(account, rest);
	const day = asOf(times, todayOf(account, now));
	const known = times.known_at === undefined ? records : knownOn(records, times.known_at);
	return { account, book: bookOf(known), ids: idsByPlace(records.installments), day };
}

export const listInstallments = operation({
	id: "listInstallments",
	method: "GET",
	path: "/v1/accounts/{accountId}/installments",
	summary: "The installments of an account as they stand today, or stood on a day, by cycle and position",
	access: lendingReader,
	home: ({ path }) => path.accountId,
	request: { path: accountPath, query: z.object({ ...paging, ...timeAxes }) },
	response: z.object({ data: z.array(Installment), links: Links }),
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, query, caller }, services) {
		const history = await readHistory(services, path.accountId, caller, query);
		const numbers = new Map(history.book.cycles.map(({ id, number }) => [id, number]));
		// Also those that nothing was posted to yet: without them the rows would not add up to what is owed.
		const rows = installmentsOf(replay(history.book, history.day)).map((row) => ({ id: history.ids.get(placeKey(row)) ?? null, row }));
		const spec = { list: "installments", owner: path.accountId, filters: { as_of: query.as_of, known_at: query.known_at } };
		const page = await pageOfComputed(services, query, spec, rows, ({ row }) => [numbers.get(row.cycleId) ?? 0, row.position]);
		return listReply(services, page, ({ id, row }) => toInstallment(id, row));
	},
});

export const getPayoff = operation({
	id: "getPayoff",
	method: "GET",
	path: "/v1/accounts/{accountId}/payoff",
	summary: "Get the amount that pays the account off on a day, if nothing is paid or drawn before",
	access: lendingReader,
	home: ({ path }) => path.accountId,
	request: { path: accountPath, query: z.object({ on: date.meta({ description: "Today or later; today by default" }) }) },
	response: Payoff,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, query, caller }, { db, now }) {
		const {
			accounts: [account],
			...rest
		} = await db.read(findBook(db.orm, reachedAccount(path.accountId, caller), "BOOK", "WAIVED"));
		if (!account) throw new ApiError("NOT_FOUND");
		const today = todayOf(account, now);
		const on = query.on ?? today;
		if (on < today || on > addDays(today, MAX_DAYS_AHEAD)) throw badInput("query.on", "must be today or within ten years", "OUT_OF_RANGE");
		return toPayoff(balanceOf(replay(bookOf(recordsOf(account, rest)), on)), account.currency, on);
	},
});

export const explainBalance = operation({
	id: "explainBalance",
	method: "GET",
	path: "/v1/accounts/{accountId}/explain",
	summary: "Explain a balance: the lines that add up to it on any day, as known now or on a day",
	access: lendingReader,
	home: ({ path }) => path.accountId,
	request: { path: accountPath, query: z.object(timeAxes) },
	response: Explanation,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, query, caller }, services) {
		const { account, book, ids, day } = await readHistory(services, path.accountId, caller, query);
		const ledger = replay(book, day);
		return {
			as_of: day,
			total_outstanding: toNumber(balanceOf(ledger).totalOutstanding),
			scheduled_total: toNumber(installmentsOf(ledger).reduce((sum, { outstanding }) => sum + outstanding, ledger.uncoveredRefund)),
			currency: account.currency,
			lines: explain(ledger).map(({ component, cycleId, installment, amount, rule, inputs, transactionId }) => ({
				component,
				installment_id: cycleId === null || installment === null ? null : (ids.get(placeKey({ cycleId, position: installment })) ?? null),
				amount: toNumber(amount),
				rule,
				inputs: toInputs(inputs),
				transaction_id: transactionId,
			})),
		};
	},
});
