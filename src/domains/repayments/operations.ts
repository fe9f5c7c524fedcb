// Payments as the lender finds them: those of an organization, and one by any of its ids.

import { and, eq, getTableColumns, type SQL, Subquery, sql } from "drizzle-orm";
import * as z from "zod";
import { byCreation } from "../../db/keyset";
import { homeOfCaller, operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { ApiError } from "../../shared/errors";
import { uuidOf } from "../../shared/ids";
import { actingFor, reachOfStaff, staffReader } from "../reach/callers";
import { PAYMENT_STATES, STORED_PAYMENT_STATES } from "./lifecycle";
import { findSettledBy, OPERATORS } from "./store";
import { payments } from "./table";
import { Repayment, RepaymentTransaction, toPayment, toRepayment } from "./wire";

const access = staffReader("repayments:read");

type Stored = (typeof STORED_PAYMENT_STATES)[number];
/** What each state on the wire is as it is stored. */
const STORED: Record<(typeof PAYMENT_STATES)[number], readonly Stored[]> = {
	CONFIRMED: ["CONFIRMED", "MATCHED"],
	POSTED: ["POSTED"],
	UNMATCHED: ["UNMATCHED"],
	FAILED: ["FAILED"],
};

/** What the list selects from. Each state has an index range of its own, which SQLite merges in the order of the list. */
function paymentsOf(organizationId: string, states: readonly Stored[]): Subquery {
	const selects = states.map((state): SQL => {
		const isIt =
			state === "POSTED" ? sql`${payments.status} = 'POSTED'` : and(sql`${payments.status} <> 'POSTED'`, eq(payments.status, state));
		return sql`select * from ${payments} where ${eq(payments.organizationId, organizationId)} and ${isIt}`;
	});
	return new Subquery(sql.join(selects, sql` union all `), {}, "payments");
}

export const listRepayments = operation({
	id: "listRepayments",
	method: "GET",
	path: "/v1/repayments",
	summary: "Payments of an organization's borrowers, newest first",
	description: "Operators who act for no organization see the payments to accounts that belong to none.",
	access,
	home: ({ caller }) => homeOfCaller(caller),
	request: { query: z.object({ ...paging, status: z.enum(PAYMENT_STATES).optional() }) },
	response: z.object({ data: z.array(RepaymentTransaction), links: Links }),
	async handle({ query, caller }, services) {
		const own = actingFor(caller);
		const states = query.status === undefined ? STORED_PAYMENT_STATES : STORED[query.status];
		const page = await readPage(services, query, {
			list: "repayments",
			owner: own ?? OPERATORS,
			filters: { status: query.status },
			everywhere: own === undefined,
			select: (orm) =>
				orm
					.select(getTableColumns(payments))
					.from(paymentsOf(own ?? OPERATORS, states))
					.$dynamic(),
			key: byCreation(payments),
		});
		return listReply(services, page, toPayment);
	},
});

/** A payment's own id; what is none is the id that the provider gave its transaction. */
const ownId = (reference: string): string | undefined => uuidOf("trx", reference);

export const getRepayment = operation({
	id: "getRepayment",
	method: "GET",
	path: "/v1/repayments/{id}",
	summary: "A payment and what it settled when it was posted",
	description: "`id` is the payment's, its resource_id or the provider's id of the transaction; by that operators act for an organization.",
	access,
	home: ({ path, caller }) => ownId(path.id) ?? homeOfCaller(caller),
	request: { path: z.object({ id: z.string().min(1).max(100) }) },
	response: Repayment,
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, { db }) {
		const id = ownId(path.id);
		const isIt =
			id === undefined
				? and(eq(payments.organizationId, actingFor(caller) ?? OPERATORS), eq(payments.mobileMoneyTransactionId, path.id))
				: and(eq(payments.id, id), reachOfStaff(caller, payments.organizationId));
		const [[payment], settled] = await db.read(
			db.orm.select().from(payments).where(isIt),
			findSettledBy(db.orm, sql`(select ${payments.id} from ${payments} where ${isIt})`),
		);
		if (!payment) throw new ApiError("NOT_FOUND");
		return toRepayment(payment, settled);
	},
});
