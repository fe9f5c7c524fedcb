// The treasury records of an organization: borrowed funds, owners' money, and money moved between its cash accounts.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { first } from "../../db/reads";
import { operation } from "../../http/operation";
import { Links, listReply, pagingTo, readPage } from "../../http/paging";
import { ApiError } from "../../shared/errors";
import { ledgerReader } from "./callers";
import { treasuryRecords } from "./model/treasury.table";
import { namesIn } from "./names.procedure";
import { findTreasury, selectTreasury } from "./treasury.store";
import { TreasuryRecord, toTreasuryRecord } from "./treasury.wire";

const LONG_PAGES = 500;

export const listTreasuryRecords = operation({
	id: "listTreasuryRecords",
	method: "GET",
	path: "/v1/ledger/treasury-records",
	summary: "The treasury records, the last one first",
	access: ledgerReader,
	tabular: true,
	request: { query: z.object(pagingTo(LONG_PAGES)) },
	response: z.object({ data: z.array(TreasuryRecord), links: Links }),
	async handle({ caller: { organizationId }, query }, services) {
		const page = await readPage(services, query, {
			list: "treasury-records",
			owner: organizationId,
			filters: {},
			select: (orm) => selectTreasury(orm).$dynamic(),
			key: { at: treasuryRecords.bookedAt, id: treasuryRecords.id, of: (row) => [row.bookedAt, row.id], order: "newest" },
			where: eq(treasuryRecords.organizationId, organizationId),
		});
		const called = await namesIn(services, page.rows);
		return listReply(services, page, (row) => toTreasuryRecord(row, called));
	},
});

export const getTreasuryRecord = operation({
	id: "getTreasuryRecord",
	method: "GET",
	path: "/v1/ledger/treasury-records/{recordId}",
	summary: "A treasury record",
	access: ledgerReader,
	request: { path: z.object({ recordId: z.uuid().toLowerCase() }) },
	response: TreasuryRecord,
	errors: ["NOT_FOUND"],
	async handle({ caller: { organizationId }, path: { recordId } }, services) {
		const row = await services.db.read(first(findTreasury(services.db.orm, organizationId, recordId)));
		if (!row) throw new ApiError("NOT_FOUND");
		return toTreasuryRecord(row, await namesIn(services, [row]));
	},
});
