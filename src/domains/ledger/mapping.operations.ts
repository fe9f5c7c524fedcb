// The mapping of the chart of accounts to the lender's own ledger.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { byCreation, rowsOf } from "../../db/keyset";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { ledgerReader } from "./callers";
import { LedgerMapping, toLedgerMapping } from "./mapping.wire";
import { ledgerMappings } from "./model/mapping.table";

export const listLedgerMappings = operation({
	id: "listLedgerMappings",
	method: "GET",
	path: "/v1/ledger/mappings",
	summary: "The versions of the mapping to the lender's own ledger, the newest first",
	description:
		"Without any version for all products, each account has its number of the chart. The first version counts for the days before it too.",
	access: ledgerReader,
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(LedgerMapping), links: Links }),
	async handle({ caller: { organizationId }, query }, services) {
		const page = await readPage(services, query, {
			list: "ledger-mappings",
			owner: organizationId,
			filters: {},
			select: rowsOf(ledgerMappings),
			key: byCreation(ledgerMappings),
			where: eq(ledgerMappings.organizationId, organizationId),
		});
		return listReply(services, page, toLedgerMapping);
	},
});
