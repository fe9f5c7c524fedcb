// Builds the conditions on what a connection has to pay out. They stand in statements on connections, and mean the row around them.

import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "../../../shared/time";
import { FLOAT_ACCOUNT } from "../../connections/model/float.policy";
import { paymentConnections } from "../../connections/model/table";
import { hasOpenBy } from "./store";
import { disbursements, IS_OPEN, WAS_PAID_OUTSIDE } from "./table";

/** The most payouts that are added up: more are as good a reason. */
const MOST = 1_000;

const sumOf = (
	where: SQL,
): SQL<number> => sql`(select coalesce(sum(amount), 0) from (select ${disbursements.amount} as amount from ${disbursements}
	where ${disbursements.organizationId} = ${paymentConnections.organizationId} and ${disbursements.provider} = ${paymentConnections.provider} and ${where} limit ${MOST}))`;

/** What payouts by the connection that have not ended come to. */
export const waitingBy: SQL<number> = sumOf(IS_OPEN);

const paidSince = (since: SQL): SQL<number> => sumOf(sql`${WAS_PAID_OUTSIDE} and ${disbursements.occurredAt} > ${since}`);

/** What was paid out by the connection within the last day. */
export const paidLastDayBy = (now: number): SQL<number> => paidSince(sql`${now - DAY_MS}`);

/** Its balance is of use: payouts by it are open, or its float was too low for them or may have become so since it was reported. */
export const isBalanceOfUse = (now: number): SQL<number> => sql`(${hasOpenBy} or ${paymentConnections.lowFloat} is not null
	or exists (select 1 from json_each(${paymentConnections.balances}) held where held.value ->> 'account' = ${FLOAT_ACCOUNT}
		and held.value ->> 'available' - ${paidSince(sql`${paymentConnections.balancesAt}`)} < ${paidLastDayBy(now)}))`;
