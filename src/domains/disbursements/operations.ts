// Lists payouts: all of an account, or those that are on their way. Takes second receipts of a payout off the list of work.

import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { byCreation, SharedSelect } from "../../db/keyset";
import { actingFor, reachOfStaff } from "../../db/reach";
import { first } from "../../db/reads";
import { held } from "../../http/callers/access";
import { homeOfCaller, operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { ApiError, badInput } from "../../shared/errors";
import { lendingWorker, staffReader } from "../users/model/callers";
import { selectDisbursements } from "./model/fee.store";
import { OPEN_STATES } from "./model/lifecycle";
import { dismissSecondReceipt } from "./model/store";
import { disbursements, IS_OPEN } from "./model/table";
import { Disbursement, toDisbursement } from "./model/wire";

const withFees = new SharedSelect((orm) => selectDisbursements(orm).$dynamic());

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
			select: withFees,
			key: byCreation(disbursements),
			where:
				account_id === undefined
					? and(
							IS_OPEN,
							own === undefined
								? isInState
								: // With the hint that most rows are in the state, SQLite chooses the index that begins with the organization.
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

export const dismissSecondReceipts = operation({
	id: "dismissSecondReceipts",
	method: "POST",
	path: "/v1/disbursements/{id}/second-receipts/dismiss",
	summary: "Take a payout off the list of work that somebody has compared with the provider's statement",
	description:
		"For a payout that the provider reports as paid by more than one transaction. It posts and undoes nothing, and the receipts stay with the payout. A further receipt puts the payout on the list again.",
	access: held(lendingWorker),
	home: ({ path }) => path.id,
	request: {
		path: z.object({ id: z.uuid().toLowerCase() }),
		body: z
			.strictObject({ reason: z.string().trim().min(1).max(255) })
			.meta({ examples: [{ reason: "Paid twice, and the second payment was reversed in the portal" }] }),
	},
	response: Disbursement,
	errors: ["NOT_FOUND"],
	async handle({ path: { id }, caller }, services) {
		const { db } = services;
		const isOfCaller = reachOfStaff(caller, disbursements.organizationId);
		const row = await db.read(first(selectDisbursements(db.orm).where(and(eq(disbursements.id, id), isOfCaller))));
		if (!row) throw new ApiError("NOT_FOUND");
		if (row.secondReceiptAt === null) return toDisbursement(row);
		return services.commit([dismissSecondReceipt(db.orm, row)], toDisbursement({ ...row, secondReceiptAt: null }));
	},
});
