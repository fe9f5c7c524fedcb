// The closed months of an organization's ledger.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { first } from "../../db/reads";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { ApiError } from "../../shared/errors";
import { ledgerReader } from "./callers";
import { BY_MONTH, findClosing, findFigures, selectShown } from "./closings.store";
import { ledgerClosings } from "./model/table";
import { namesIn } from "./names.procedure";
import { LedgerClosing, LedgerClosingFigures, sumsOf, toLedgerClosing, toTrialBalance } from "./wire";

export const listLedgerClosings = operation({
	id: "listLedgerClosings",
	method: "GET",
	path: "/v1/ledger/closings",
	summary: "The closed months of the ledger, the last one first",
	access: ledgerReader,
	tabular: true,
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(LedgerClosing), links: Links }),
	async handle({ caller: { organizationId }, query }, services) {
		const page = await readPage(services, query, {
			list: "ledger-closings",
			owner: organizationId,
			filters: {},
			select: (orm) => selectShown(orm).$dynamic(),
			key: BY_MONTH,
			where: eq(ledgerClosings.organizationId, organizationId),
		});
		const called = await namesIn(services, page.rows);
		return listReply(services, page, (row) => toLedgerClosing(row, called));
	},
});

export const getLedgerClosing = operation({
	id: "getLedgerClosing",
	method: "GET",
	path: "/v1/ledger/closings/{month}",
	summary: "A closed month of the ledger, with its trial balance",
	description: "The balances are those at the end of the month's last day. They never change.",
	access: ledgerReader,
	request: { path: z.object({ month: z.string().min(1).max(255).meta({ description: "Such as 2026-03" }) }) },
	response: LedgerClosingFigures,
	errors: ["NOT_FOUND"],
	async handle({ caller: { organizationId }, path: { month } }, services) {
		const { db } = services;
		const { closing, figures } = await db.read({
			closing: first(findClosing(db.orm, organizationId, month)),
			figures: findFigures(db.orm, organizationId, month),
		});
		if (!closing) throw new ApiError("NOT_FOUND");
		return { ...toLedgerClosing(closing, await namesIn(services, [closing])), balances: toTrialBalance(closing.lastDay, sumsOf(figures)) };
	},
});
