// Lists payouts: all of an account, or those that are on their way.

import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { byCreation, rowsOf } from "../../db/keyset";
import { homeOfCaller, operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { badInput } from "../../shared/errors";
import { actingFor, staffReader } from "../reach/callers";
import { OPEN_STATES } from "./lifecycle";
import { disbursements, IS_OPEN } from "./table";
import { Disbursement, toDisbursement } from "./wire";

export const listDisbursements = operation({
	id: "listDisbursements",
	method: "GET",
	path: "/v1/disbursements",
	summary: "Payouts of an account, or those on their way, newest first",
	access: staffReader("accounts:read"),
	home: ({ query, caller }) => query.account_id ?? homeOfCaller(caller),
	request: {
		query: z.object({
			...paging,
			account_id: z.uuid().toLowerCase().optional().meta({ description: "Those of this account, in any state" }),
			status: z
				.enum(OPEN_STATES)
				.optional()
				.meta({ description: "Those of all accounts and invoices that are on their way; instead of account_id" }),
		}),
	},
	response: z.object({ data: z.array(Disbursement), links: Links }),
	async handle({ query, caller }, services) {
		const { account_id, status } = query;
		if ((account_id === undefined) === (status === undefined)) {
			throw badInput("query.account_id", "is required, or status", account_id === undefined ? "REQUIRED" : "MUTUALLY_EXCLUSIVE");
		}
		const own = actingFor(caller);
		const { accountId, organizationId } = disbursements;
		const isInState = eq(disbursements.status, status ?? "PENDING");
		const page = await readPage(services, query, {
			list: "disbursements",
			owner: own ?? "operators",
			filters: { account_id, status },
			everywhere: account_id === undefined && own === undefined,
			select: rowsOf(disbursements),
			key: byCreation(disbursements),
			where:
				account_id === undefined
					? and(
							IS_OPEN,
							own === undefined
								? isInState
								: // Told that most rows are in the state, SQLite chooses the index that begins with the organization.
									and(sql`likelihood(${isInState}, 0.9)`, eq(organizationId, own)),
						)
					: and(
							sql`${accountId} is not null`,
							eq(accountId, account_id),
							// The account chooses the index.
							own === undefined ? undefined : sql`+${organizationId} = ${own}`,
						),
		});
		return listReply(services, page, toDisbursement);
	},
});
