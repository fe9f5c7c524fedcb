// The call list: overdue loans, with what was promised and who looks after them.

import * as z from "zod";
import { member } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, openWindow, paging } from "../../http/paging";
import { daysBetween, localDate, toTimestamp } from "../../shared/time";
import { sortedPage } from "../accounts/store";
import { type CallRow, callColumns, callConditions } from "./store";
import { LateLoan } from "./wire";

export const listCalls = operation({
	id: "listCalls",
	method: "GET",
	path: "/v1/collections/calls",
	summary: "Whom to call: overdue loans, those overdue for longest first",
	description: "Pages may have fewer rows than `size`, or none: follow `links.next` until it is null.",
	access: member("org:lending:read"),
	request: {
		query: z.object({
			owner: z
				.union([z.literal("NONE"), z.uuid().toLowerCase()])
				.optional()
				.meta({ description: "The member who looks after the loan, or NONE" }),
			promise: z.enum(["NONE", "OPEN", "BROKEN"]).optional().meta({ description: "By the latest promise; NONE: without an open one" }),
			...paging,
		}),
	},
	response: z.object({ data: z.array(LateLoan), links: Links }),
	async handle({ caller: { organizationId }, query }, services) {
		const { db, now } = services;
		const { owner, promise } = query;
		const today = localDate(now);
		const { window, page } = await openWindow(services, query, {
			list: "calls",
			owner: organizationId,
			filters: { owner, promise, today },
		});
		const conditions = callConditions(organizationId, { owner, promise });
		const chosen = { organizationId, sort: "DAYS_PAST_DUE", dueBefore: today, conditions } as const;
		const sorted = sortedPage<CallRow>(db.orm, chosen, window, callColumns(organizationId));
		const { rows, edge } = await db.read({ rows: sorted.rows, edge: sorted.edge });
		return listReply(services, await page(sorted.page(rows, edge)), (row) => ({
			account_id: row.id,
			account_number: row.accountNumber,
			user_id: row.userId,
			currency: row.currency,
			principal_outstanding: row.principalOutstanding,
			due_date: row.at,
			days_past_due: daysBetween(row.at, today),
			owner_id: row.ownerId,
			promise: row.status === null ? null : { amount: row.amount ?? 0, day: row.day ?? today, status: row.status },
			last_contact_at: row.contactAt === null ? null : toTimestamp(row.contactAt),
		}));
	},
});
