// The journals of closed days by the numbers of the lender's own ledger, for its import there.

import * as z from "zod";
import { first } from "../../db/reads";
import { operation } from "../../http/operation";
import { Links, listReply, openWindow, pagingTo } from "../../http/paging";
import { badInput } from "../../shared/errors";
import { LocalDate } from "../../shared/timestamp";
import { ledgerReader } from "./callers";
import { daysOf, journalsOf, pageOfJournals, periodOf } from "./journals.plan";
import { MOST_DAYS } from "./journals.policy";
import { findClosedDays, findJournals } from "./journals.store";
import { asXero, LedgerJournal, toLedgerJournal } from "./journals.wire";
import { numbersFor } from "./numbers.procedure";

export const listLedgerJournals = operation({
	id: "listLedgerJournals",
	method: "GET",
	path: "/v1/ledger/journals",
	summary: "A journal for each closed day and currency, by the numbers of the lender's own ledger",
	description:
		"As CSV it is the file of manual journals that Xero imports. A page has at most 300 lines, of whole journals, and may have fewer journals than `size`, or none: follow `links.next` until it is null.",
	access: ledgerReader,
	tabular: asXero,
	request: {
		query: z.object({
			from: LocalDate.optional().meta({ description: "The first day; by default, that of the last one's month" }),
			to: LocalDate.optional().meta({ description: "The last day, which is closed; by default, the last closed one" }),
			currency: z
				.string()
				.regex(/^[A-Z]{3}$/)
				.optional(),
			tax_rate: z
				.string()
				.trim()
				.min(1)
				.max(50)
				.default("Tax Exempt")
				.meta({ description: "The name of the tax rate of the lines, as the lender's ledger has it" }),
			...pagingTo(MOST_DAYS),
		}),
	},
	response: z.object({ data: z.array(LedgerJournal), links: Links }),
	errors: ["INVALID_STATE"],
	async handle({ caller: { organizationId }, query }, services) {
		const { db } = services;
		const { from, to, currency, tax_rate } = query;
		if (from !== undefined && to !== undefined && from > to) throw badInput("query.from", "is after to", "OUT_OF_RANGE");
		const spec = { list: "ledger-journals", owner: organizationId, filters: { from, to, currency, tax_rate } };
		const { window, page } = await openWindow(services, query, spec);
		const { closed, days, mappings, firstMapping } = await db.read({
			closed: first(findClosedDays(db.orm, organizationId)),
			...findJournals(db.orm, { organizationId, from, to, currency }, window),
		});
		const { first: firstClosed = null, last: lastClosed = null } = closed ?? {};
		const asked = to ?? from;
		if (asked !== undefined && asked > (lastClosed ?? "")) {
			const why = lastClosed === null ? "no day is closed" : `the last closed day is ${lastClosed}`;
			throw badInput(to === undefined ? "query.from" : "query.to", `is not closed yet: ${why}`, "OUT_OF_RANGE");
		}
		const period = periodOf({ first: firstClosed, last: lastClosed }, from, to, window);
		if (!period) return listReply(services, await page<never>({ rows: [], next: null, prev: null }), (row) => row);
		const read = daysOf(period, window);
		const found = await page(pageOfJournals(journalsOf(days, read.from), period, read, window));
		const numberOn = await numbersFor(services, organizationId, found.rows, mappings, firstMapping);
		return listReply(services, found, (journal) => toLedgerJournal(journal, numberOn(journal.day), tax_rate));
	},
});
