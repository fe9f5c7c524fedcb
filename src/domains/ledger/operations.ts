// The ledger of an organization: its chart of accounts, the entries of its journal, and the balances of closed days.

import * as z from "zod";
import { first } from "../../db/reads";
import { operation } from "../../http/operation";
import { Links, listReply, openWindow, pageOfComputed, pagingTo } from "../../http/paging";
import { badInput } from "../../shared/errors";
import { LocalDate } from "../../shared/timestamp";
import { ledgerReader } from "./callers";
import { CHART_ACCOUNTS } from "./model/chart.policy";
import { ENTRY_SOURCES, type LedgerDayRow } from "./model/table";
import { findDay, findEntries, findLedger, pageOfLines } from "./reads.store";
import { LedgerAccount, LedgerLine, sumsOf, TrialBalanceRow, toLedgerAccount, toLedgerLine, toTrialBalance } from "./wire";

const LONG_PAGES = 500;

export const listLedgerAccounts = operation({
	id: "listLedgerAccounts",
	method: "GET",
	path: "/v1/ledger/accounts",
	summary: "The chart of accounts",
	access: ledgerReader,
	tabular: true,
	request: { query: z.object(pagingTo(LONG_PAGES)) },
	response: z.object({ data: z.array(LedgerAccount), links: Links }),
	async handle({ caller, query }, services) {
		const spec = { list: "ledger-accounts", owner: caller.organizationId, filters: {} };
		const page = await pageOfComputed(services, query, spec, CHART_ACCOUNTS, ({ number }) => [Number(number), 0]);
		return listReply(services, page, toLedgerAccount);
	},
});

export const listLedgerEntries = operation({
	id: "listLedgerEntries",
	method: "GET",
	path: "/v1/ledger/entries",
	summary: "The lines of the journal, by day and entry",
	description:
		"Nothing is added to a day that is closed. Pages may have fewer rows than `size`, or none: follow `links.next` until it is null.",
	access: ledgerReader,
	tabular: true,
	request: {
		query: z.object({
			from: LocalDate.optional().meta({ description: "The first day" }),
			to: LocalDate.optional().meta({ description: "The last day" }),
			account: z
				.string()
				.regex(/^\d{4}$/)
				.optional()
				.meta({ description: "A number of the chart of accounts" }),
			source: z.enum(ENTRY_SOURCES).optional(),
			...pagingTo(LONG_PAGES),
		}),
	},
	response: z.object({ data: z.array(LedgerLine), links: Links }),
	async handle({ caller, query }, services) {
		const { from, to, account, source } = query;
		if (from !== undefined && to !== undefined && from > to) throw badInput("query.from", "is after to", "OUT_OF_RANGE");
		const { organizationId } = caller;
		const spec = { list: "ledger-entries", owner: organizationId, filters: { from, to, account, source } };
		const { window, page } = await openWindow(services, query, spec);
		const filter = { organizationId, from, to, account, source };
		const found = await services.db.read(findEntries(services.db.orm, filter, window));
		return listReply(services, await page(pageOfLines(found, filter, window)), toLedgerLine);
	},
});

export const getTrialBalance = operation({
	id: "getTrialBalance",
	method: "GET",
	path: "/v1/ledger/trial-balance",
	summary: "The balances of all accounts at the end of a closed day",
	description:
		"Debits equal credits in each currency. A closed day's balances never change. The list is empty before the first closed day.",
	access: ledgerReader,
	tabular: true,
	request: {
		query: z.object({
			on: LocalDate.optional().meta({ description: "A closed day; the last one by default" }),
			loan_product_id: z.uuid().toLowerCase().optional(),
			...pagingTo(LONG_PAGES),
		}),
	},
	response: z.object({ data: z.array(TrialBalanceRow), links: Links }),
	async handle({ caller, query }, services) {
		const { db } = services;
		const { on, loan_product_id } = query;
		const { organizationId } = caller;
		const { ledger, days } = await db.read({
			ledger: first(findLedger(db.orm, organizationId)),
			days: findDay(db.orm, organizationId, on),
		});
		const closed = ledger?.closedThrough ?? null;
		if (on !== undefined && closed !== null && on > closed)
			throw badInput("query.on", `is not closed yet: the last closed day is ${closed}`, "OUT_OF_RANGE");
		const ofProduct = ({ loanProductId }: LedgerDayRow) => loan_product_id === undefined || loanProductId === loan_product_id;
		const rows = toTrialBalance(days[0]?.day ?? on ?? "", sumsOf(days.filter(ofProduct))).map((row, place) => ({ row, place }));
		const spec = { list: "trial-balance", owner: organizationId, filters: { on: days[0]?.day ?? null, loan_product_id } };
		const page = await pageOfComputed(services, query, spec, rows, ({ place }) => [place, 0]);
		return listReply(services, page, ({ row }) => row);
	},
});
