// Payments as the lender finds them: those of an organization, and one by any of its ids.

import { and, eq, getTableColumns, type SQL, Subquery, sql } from "drizzle-orm";
import * as z from "zod";
import { byCreation } from "../../db/keyset";
import { actingFor, reachOfStaff } from "../../db/reach";
import { first } from "../../db/reads";
import { homeOfCaller, operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import type { Services } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { uuidOf } from "../../shared/ids";
import { visibleKey } from "../../shared/visible-key";
import { staffReader } from "../users/model/callers";
import { PAYMENT_STATES, STORED_PAYMENT_STATES } from "./lifecycle";
import { findReturnsOf } from "./returns/store";
import { ShownRepayment, toMoneyReturn } from "./returns/wire";
import { findSettledBy, OPERATORS, ofReceipt } from "./store";
import { COUNTS, IS_BOOKED, type PaymentRow, payments } from "./table";
import { RepaymentTransaction, toPayment, toRepayment } from "./wire";

const access = staffReader("repayments:read");

type Stored = (typeof STORED_PAYMENT_STATES)[number];
/** What each state on the wire is as it is stored. */
const STORED: Record<(typeof PAYMENT_STATES)[number], readonly Stored[]> = {
	CONFIRMED: ["CONFIRMED", "MATCHED"],
	POSTED: ["POSTED"],
	REVERSED: ["REVERSED"],
	UNMATCHED: ["UNMATCHED"],
	FAILED: ["FAILED"],
};

/**
 * Posted payments, now or before, have an index range of their own, and so has each of the other states. D1 merges at most five of them.
 */
const BOOKED = ["POSTED", "REVERSED"] as const;
const ALL = [
	BOOKED,
	...STORED_PAYMENT_STATES.filter((state) => !BOOKED.some((booked) => booked === state)).map((state) => [state] as const),
];

/**
 * What the list selects from. SQLite merges the index ranges in the order of the list. A moved payment is listed as the payment that it
 * became.
 */
function paymentsOf(organizationId: string, ranges: readonly (readonly Stored[])[]): Subquery {
	const selects = ranges.map((range): SQL => {
		const [state] = range;
		const isOpen = and(sql`${payments.status} <> 'POSTED'`, sql`${payments.status} = ${state}`);
		const isIt = range === BOOKED ? IS_BOOKED : state === "POSTED" ? and(IS_BOOKED, sql`${payments.status} = 'POSTED'`) : isOpen;
		return sql`select * from ${payments} where ${and(eq(payments.organizationId, organizationId), isIt, COUNTS)}`;
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
		const states = query.status === undefined ? ALL : STORED[query.status].map((state) => [state]);
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
		return listReply(services, page, (row) => ({ ...toPayment(row), account_id: row.accountId }));
	},
});

/** A payment's own id; what is none is the id that the provider gave its transaction. */
const ownId = (reference: string): string | undefined => uuidOf("trx", reference);

/** The payment that it became, where it was matched elsewhere or moved. */
const nextOf = ({ postedAsId, movedAsId }: PaymentRow): string | null => postedAsId ?? movedAsId;

/** The payment in one of these databases, what it settled when it was posted, and its way back. */
async function findPayment(places: readonly Services[], isIt: SQL | undefined) {
	const found = await Promise.all(
		places.map(({ db }) =>
			db.read({
				payment: first(db.orm.select().from(payments).where(isIt)),
				settled: findSettledBy(db.orm, sql`(select ${payments.id} from ${payments} where ${isIt})`),
				back: first(findReturnsOf(db.orm, sql`(select ${payments.id} from ${payments} where ${isIt})`)),
			}),
		),
	);
	return found.flatMap(({ payment, settled, back }) => (payment ? [{ payment, settled, back }] : []))[0];
}

export const getRepayment = operation({
	id: "getRepayment",
	method: "GET",
	path: "/v1/repayments/{id}",
	summary: "A payment, what it settled when it was posted, what of it counts, and whether its money was returned",
	description:
		"`id` is the payment's, its resource_id or the provider's id of the transaction; operators who use it must name an organization. A moved payment is shown as it counts now.",
	access,
	home: ({ path, caller }) => ownId(path.id) ?? homeOfCaller(caller),
	request: { path: z.object({ id: z.string().min(1).max(100) }) },
	response: ShownRepayment,
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, services) {
		const own = actingFor(caller);
		const within = (id: string | undefined) =>
			id === undefined ? undefined : and(eq(payments.id, id), reachOfStaff(caller, payments.organizationId));
		const id = ownId(path.id);
		// What looks like an id of ours may be one of the provider's.
		const found =
			(id === undefined ? undefined : await findPayment([services], within(id))) ??
			(await findPayment(own === undefined ? services.everywhere() : [services.at(own)], ofReceipt(own ?? OPERATORS, visibleKey(path.id))));
		if (!found) throw new ApiError("NOT_FOUND");
		let shown = found;
		for (let next = nextOf(found.payment); next !== null; next = nextOf(shown.payment)) {
			const posted = await findPayment([services.at(next)], within(next));
			if (!posted) break;
			shown = posted;
		}
		const { payment, settled, back } = shown;
		return { ...toRepayment(payment, settled), money_return: back ? toMoneyReturn(back) : null };
	},
});
