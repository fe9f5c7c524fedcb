// The portfolios of an organization: figures of closed days, and the accounts, lines and transactions behind them.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { pageOf } from "../../db/keyset";
import { first } from "../../db/reads";
import { apiKey, type KeyCaller, member, type OrganizationCaller, oneOf } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, openWindow, paging, pagingTo, readPage } from "../../http/paging";
import { badInput } from "../../shared/errors";
import { addDays, type CalendarDate, isTimeZone, localDate, startOfDay, toTimestamp } from "../../shared/time";
import { LocalDate } from "../../shared/timestamp";
import { accountTransactions, creditAccounts } from "../credit-accounts/table";
import { isPastDue, PAST_DUE_OVER } from "./close.policy";
import type { PortfolioRow } from "./model/table";
import { computePage } from "./past.procedure";
import {
	type Chosen,
	changedSince,
	type FoundPosition,
	findFigures,
	findOverdue,
	findPortfolios,
	isOpenOn,
	owesAnything,
	placeOf,
	scanOf,
} from "./reads.store";
import { toTrend } from "./trend.plan";
import { findTotals } from "./trend.store";
import { linesBetween, pageOfScan, standingOn, storedStanding, toFigures, toPeriod, toPortfolioAccount } from "./views.plan";
import { Portfolio, PortfolioAccount, PortfolioEntry, PortfolioTransaction, PortfolioTrend } from "./wire";

const access = oneOf<KeyCaller, OrganizationCaller>(apiKey("portfolio:read"), member("org:lending:read"));

const LONG_PAGES = 500;
const TREND_DAYS = 30;
const date = LocalDate.optional();
const ofProduct = { loan_product_id: z.uuid().toLowerCase().optional() };
const CLOSED = "A closed day; the last one by default";

const chosenBy = ({ organizationId }: KeyCaller | OrganizationCaller, query: { loan_product_id?: string | undefined }): Chosen => ({
	organizationId,
	loanProductId: query.loan_product_id,
});

/** Throws InvalidInput for a day that is not closed in each of the portfolios. */
function requireClosed(portfolios: readonly PortfolioRow[], parameter: string, day: CalendarDate | undefined): void {
	const [first] = portfolios.map(({ closedThrough }) => closedThrough).sort();
	if (day !== undefined && first !== undefined && day > first)
		throw badInput(`query.${parameter}`, `is not closed yet: the last closed day is ${first}`, "OUT_OF_RANGE");
}

function requireOrder(from: CalendarDate | undefined, to: CalendarDate | undefined, parameter: string): void {
	if (from !== undefined && to !== undefined && from > to) throw badInput("query.from", `is after ${parameter}`, "OUT_OF_RANGE");
}

export const listPortfolios = operation({
	id: "listPortfolios",
	method: "GET",
	path: "/v1/portfolio",
	summary: "The figures of a closed day, a row for each loan product, or of each day of a period",
	description:
		"A day's figures are what was known at its end, and never change. A period's lines lead from the balances before it to those at its end.",
	access,
	tabular: true,
	request: {
		query: z.object({
			on: date.meta({ description: CLOSED }),
			from: date.meta({ description: "The first day of the period; by default the first of its last day's month" }),
			step: z.enum(["DAY"]).optional().meta({ description: "A row for each day from `from` to `on`" }),
			...ofProduct,
			...pagingTo(LONG_PAGES),
		}),
	},
	response: z.object({ data: z.array(Portfolio), links: Links }),
	async handle({ caller, query }, services) {
		const { db } = services;
		const { on, from, step, loan_product_id } = query;
		requireOrder(from, on, "on");
		const of = chosenBy(caller, query);
		const spec = { list: "portfolios", owner: of.organizationId, filters: { on, from, step, loan_product_id } };
		const { window, page } = await openWindow(services, query, spec);
		const { portfolios, rows } = await db.read({
			portfolios: findPortfolios(db.orm, of),
			rows: findFigures(db.orm, of, { on, from, daily: step === "DAY" }, window),
		});
		requireClosed(portfolios, "on", on);
		const found = await page(pageOf(rows, window, (row) => [placeOf(row.day), row.loanProductId]));
		return listReply(services, found, (row) => toFigures(of.organizationId, row));
	},
});

export const getPortfolioTrend = operation({
	id: "getPortfolioTrend",
	method: "GET",
	path: "/v1/portfolio/trend",
	summary: "Amounts disbursed, collected and overdue on the last thirty closed days, of all loan products",
	access,
	request: {},
	response: PortfolioTrend,
	async handle({ caller: { organizationId } }, { db }) {
		return toTrend(await db.read(findTotals(db.orm, organizationId, TREND_DAYS)), TREND_DAYS);
	},
});

export const listPortfolioAccounts = operation({
	id: "listPortfolioAccounts",
	method: "GET",
	path: "/v1/portfolio/accounts",
	summary: "The accounts behind the figures of a closed day",
	description:
		"Their sums are the figures of the day. Those of earlier days, and of facts that became known later (`known_at`), are computed from the accounts' facts; their pages may have fewer rows than `size`, or none: follow `links.next` until it is null.",
	access,
	tabular: true,
	request: {
		query: z.object({
			on: date.meta({ description: CLOSED }),
			known_at: date.meta({ description: "By the facts that were known at the end of this closed day; by default those of `on`" }),
			past_due_over: z
				.enum(PAST_DUE_OVER.map(String) as ["0", "30", "60", "90"])
				.transform(Number)
				.optional()
				.meta({ description: "Only accounts with an installment overdue for more days than these" }),
			...ofProduct,
			...pagingTo(LONG_PAGES),
		}),
	},
	response: z.object({ data: z.array(PortfolioAccount), links: Links }),
	async handle({ caller, query }, services) {
		const { db } = services;
		const { on, known_at, past_due_over: over } = query;
		const of = chosenBy(caller, query);
		const portfolios = await db.read(findPortfolios(db.orm, of));
		requireClosed(portfolios, "on", on);
		requireClosed(portfolios, "known_at", known_at);
		const products = new Map(portfolios.map((row) => [row.loanProductId, row]));
		const dayOfProduct = (id: string) => on ?? products.get(id)?.closedThrough ?? "";
		// While a day is being closed, some accounts stand at its end already.
		const isStored =
			known_at === undefined &&
			portfolios.every(({ closing, closedThrough }) => closing === null && (on ?? closedThrough) === closedThrough);
		const filters = { on, known_at, over, loan_product_id: of.loanProductId, isStored };
		const { window, page } = await openWindow(services, query, { list: "portfolio-accounts", owner: of.organizationId, filters });
		const stored = (rows: readonly FoundPosition[]) =>
			rows.filter(({ loanProductId, oldestDue }) => over === undefined || isPastDue(oldestDue, dayOfProduct(loanProductId), over));
		const toStored = (row: FoundPosition) =>
			toPortfolioAccount(storedStanding(row, products.get(row.loanProductId)?.currency ?? "", dayOfProduct(row.loanProductId)));

		if (isStored && over !== undefined) {
			const days = portfolios.map(({ closedThrough }) => addDays(on ?? closedThrough, -over)).sort();
			const rows = await db.read(findOverdue(db.orm, of, days.at(-1) ?? "", window));
			const found = await page(pageOf(rows, window, ({ oldestDue, accountId }) => [placeOf(oldestDue ?? ""), accountId]));
			return listReply(services, { ...found, rows: stored(found.rows) }, toStored);
		}
		if (isStored) {
			const { findRows, findEdge } = scanOf(of, window, owesAnything);
			const { rows, edge } = await db.read({
				rows: findRows(db.orm),
				edge: first(findEdge(db.orm)),
			});
			return listReply(services, await page(pageOfScan(rows, edge, window)), toStored);
		}
		const earliest = on ?? portfolios.map(({ closedThrough }) => closedThrough).sort()[0] ?? "";
		const past = await computePage(services, scanOf(of, window, isOpenOn(earliest)), window, (records, position) => {
			const day = dayOfProduct(position.loanProductId);
			return standingOn(records, position, { day, knownAt: known_at ?? day, over });
		});
		return listReply(services, await page(past), ({ row }) => toPortfolioAccount(row));
	},
});

export const listPortfolioEntries = operation({
	id: "listPortfolioEntries",
	method: "GET",
	path: "/v1/portfolio/entries",
	summary: "The lines of a period by account, whose sums are those of the portfolio",
	description: "Pages may have fewer rows than `size`, or none: follow `links.next` until it is null.",
	access,
	tabular: true,
	request: {
		query: z.object({
			from: date.meta({ description: "By default the first of the last day's month" }),
			to: date.meta({ description: CLOSED }),
			...ofProduct,
			...paging,
		}),
	},
	response: z.object({ data: z.array(PortfolioEntry), links: Links }),
	async handle({ caller, query }, services) {
		const { db, now } = services;
		requireOrder(query.from, query.to, "to");
		const of = chosenBy(caller, query);
		const portfolios = await db.read(findPortfolios(db.orm, of));
		requireClosed(portfolios, "to", query.to);
		// Without a portfolio there is nothing, on any day.
		const to = query.to ?? portfolios.map(({ closedThrough }) => closedThrough).sort()[0] ?? localDate(now);
		const from = query.from ?? `${to.slice(0, 8)}01`;
		requireOrder(from, to, "the last closed day");
		const filters = { from, to, loan_product_id: of.loanProductId };
		const { window, page } = await openWindow(services, query, { list: "portfolio-entries", owner: of.organizationId, filters });
		const past = await computePage(services, scanOf(of, window, changedSince(from)), window, (records, position) =>
			linesBetween(records, position, { before: addDays(from, -1), to }),
		);
		return listReply(services, await page(past), ({ position, records: { account }, row }) => ({
			account_id: position.accountId,
			account_number: position.accountNumber,
			loan_product_id: position.loanProductId,
			currency: account.currency,
			from,
			to,
			period: toPeriod(row),
		}));
	},
});

const zone = z.string().refine(isTimeZone, "must be an IANA time zone").optional();

export const listPortfolioTransactions = operation({
	id: "listPortfolioTransactions",
	method: "GET",
	path: "/v1/portfolio/transactions",
	summary: "List the postings to the organization's accounts, in the order of posting",
	access,
	tabular: true,
	request: {
		query: z.object({
			from: date.meta({ description: "The first day of posting" }),
			to: date.meta({ description: "The last day of posting" }),
			time_zone: zone.meta({ description: "Of these days; Africa/Nairobi by default. For the days of a portfolio, its product's" }),
			...pagingTo(LONG_PAGES),
		}),
	},
	response: z.object({ data: z.array(PortfolioTransaction), links: Links }),
	async handle({ caller, query }, services) {
		const { from, to, time_zone } = query;
		requireOrder(from, to, "to");
		const t = accountTransactions;
		const page = await readPage(services, query, {
			list: "portfolio-transactions",
			owner: caller.organizationId,
			filters: { from, to, time_zone },
			select: (orm) =>
				orm
					.select({
						id: t.id,
						accountId: t.accountId,
						accountNumber: creditAccounts.accountNumber,
						loanProductId: creditAccounts.loanProductId,
						kind: t.kind,
						amount: t.amount,
						currency: creditAccounts.currency,
						valueDate: t.valueDate,
						postedAt: t.postedAt,
						reversesId: t.reversesId,
						reason: t.reason,
					})
					.from(t)
					.innerJoin(creditAccounts, eq(creditAccounts.id, t.accountId))
					.$dynamic(),
			key: { at: t.postedAt, id: t.id, of: (row) => [row.postedAt, row.id], order: "oldest" },
			where: eq(t.organizationId, caller.organizationId),
			range: {
				from: from === undefined ? undefined : startOfDay(from, time_zone),
				until: to === undefined ? undefined : startOfDay(addDays(to, 1), time_zone),
			},
		});
		return listReply(services, page, (row) => ({
			id: row.id,
			account_id: row.accountId,
			account_number: row.accountNumber,
			loan_product_id: row.loanProductId,
			kind: row.kind,
			amount: row.amount,
			currency: row.currency,
			value_date: row.valueDate,
			posted_at: toTimestamp(row.postedAt),
			reverses_id: row.reversesId,
			reason: row.reason,
		}));
	},
});
