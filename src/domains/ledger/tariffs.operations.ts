// The tariffs of what providers charge an organization.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { byCreation, rowsOf } from "../../db/keyset";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { ledgerReader } from "./callers";
import { providerTariffs } from "./model/tariff.table";
import { ProviderTariff, toProviderTariff } from "./tariffs.wire";

export const listProviderTariffs = operation({
	id: "listProviderTariffs",
	method: "GET",
	path: "/v1/ledger/provider-tariffs",
	summary: "The versions of the tariffs by which providers charge the organization, the newest first",
	access: ledgerReader,
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(ProviderTariff), links: Links }),
	async handle({ caller: { organizationId }, query }, services) {
		const page = await readPage(services, query, {
			list: "provider-tariffs",
			owner: organizationId,
			filters: {},
			select: rowsOf(providerTariffs),
			key: byCreation(providerTariffs),
			where: eq(providerTariffs.organizationId, organizationId),
		});
		return listReply(services, page, toProviderTariff);
	},
});
