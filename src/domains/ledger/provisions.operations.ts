// The provisions of a ledger: loans by stage with the loss that is expected, and the rules behind them.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { byCreation, rowsOf } from "../../db/keyset";
import { operation } from "../../http/operation";
import { Links, listReply, pageOfComputed, paging, pagingTo, readPage } from "../../http/paging";
import { badInput } from "../../shared/errors";
import { Month } from "../../shared/timestamp";
import { provisioningRules } from "../portfolio/model/table";
import { ledgerReader } from "./callers";
import { lastDayOf } from "./model/closing.policy";
import { findStages } from "./provisions.store";
import { PARTS, ProvisioningRules, ProvisionRow, toProvisioningRules, toProvisionRows } from "./provisions.wire";

const LONG_PAGES = 500;

export const listProvisions = operation({
	id: "listProvisions",
	method: "GET",
	path: "/v1/ledger/provisions",
	summary: "Loans by stage and by days past due, the loss that is expected, and the moves between stages",
	description:
		"A closed day's stages never change. At the end of a month the expected loss is posted, unless the default rules counted. The list is empty for days that were closed before stages were kept.",
	access: ledgerReader,
	tabular: true,
	request: {
		query: z.object({
			month: Month.optional().meta({ description: "At the end of this month, such as 2026-03; by default, of the last closed day" }),
			loan_product_id: z.uuid().toLowerCase().optional(),
			part: z.enum(PARTS).optional(),
			...pagingTo(LONG_PAGES),
		}),
	},
	response: z.object({ data: z.array(ProvisionRow), links: Links }),
	async handle({ caller: { organizationId }, query }, services) {
		const { db } = services;
		const { month, loan_product_id, part } = query;
		const on = month === undefined ? undefined : lastDayOf(month);
		const found = await db.read(findStages(db.orm, { organizationId, loanProductId: loan_product_id }, on));
		const [closed] = found.map(({ closedThrough }) => closedThrough).sort();
		if (on !== undefined && closed !== undefined && on > closed)
			throw badInput("query.month", `is not closed yet: the last closed day is ${closed}`, "OUT_OF_RANGE");
		const rows = toProvisionRows(found, on)
			.filter((row) => part === undefined || row.part === part)
			.map((row, place) => ({ row, place }));
		const spec = { list: "provisions", owner: organizationId, filters: { on: on ?? closed, loan_product_id, part } };
		const page = await pageOfComputed(services, query, spec, rows, ({ place }) => [place, 0]);
		return listReply(services, page, ({ row }) => row);
	},
});

export const listProvisioningRules = operation({
	id: "listProvisioningRules",
	method: "GET",
	path: "/v1/ledger/provisioning-rules",
	summary: "The versions of the organization's rules of provisions, the newest first",
	access: ledgerReader,
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(ProvisioningRules), links: Links }),
	async handle({ caller: { organizationId }, query }, services) {
		const page = await readPage(services, query, {
			list: "provisioning-rules",
			owner: organizationId,
			filters: {},
			select: rowsOf(provisioningRules),
			key: byCreation(provisioningRules),
			where: eq(provisioningRules.organizationId, organizationId),
		});
		return listReply(services, page, toProvisioningRules);
	},
});
