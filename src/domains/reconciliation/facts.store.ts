// Finds the payments and payouts that are recorded here and moved money at a provider, and their returns. Each function reads one database.

import { and, eq, gte, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isOneOf } from "../../db/columns";
import type { Orm } from "../../db/database";
import { isUuid } from "../../shared/ids";
import { addDays, DAY_MS, HOUR_MS, startOfDay } from "../../shared/time";
import { disbursements, HAS_SECOND_RECEIPT, IS_CONTRADICTED, WAS_PAID_OUTSIDE } from "../disbursements/model/table";
import { invoiceRepayments } from "../invoices/table";
import { findByReference } from "../ledger/model/treasury.store";
import { paymentReturns } from "../repayments/returns/table";
import { COUNTS, IS_BOOKED, payments } from "../repayments/table";
import type { Cursor, LineRow, StatementRow } from "./table";

const paymentReturn = alias(paymentReturns, "payment_return");

/** The most facts of one portion of the work. */
export const FACTS = 500;
/** The most payouts that wait for somebody's decision: any of them may be on the statement. */
const MOST_WAITING = 200;

const PAYMENT = {
	id: payments.id,
	receipt: payments.mobileMoneyTransactionId,
	amount: payments.amount,
	currency: payments.currency,
	at: payments.transactedAt,
	createdAt: payments.createdAt,
	status: payments.status,
	postedAsId: payments.postedAsId,
	movedAsId: payments.movedAsId,
	/** Its payer has the money back, or is to get it. */
	isReturned: sql<number>`exists (select 1 from ${paymentReturns} ${paymentReturn} where ${paymentReturn.id} = "payments"."id")`.as(
		"is_returned",
	),
	accountNumber: payments.accountNumber,
	details: payments.details,
};
const PAYOUT = {
	id: disbursements.id,
	provider: disbursements.provider,
	receipt: disbursements.mobileMoneyTransactionId,
	paid: disbursements.paidTransaction,
	second: disbursements.secondReceipts,
	returned: disbursements.returnTransaction,
	returnedAt: disbursements.returnedAt,
	amount: disbursements.amount,
	currency: disbursements.currency,
	status: disbursements.status,
	at: disbursements.occurredAt,
	paidAt: disbursements.paidAt,
};

const selectPayments = (orm: Orm, where: SQL | undefined) => orm.select(PAYMENT).from(payments).where(where);
const selectPayouts = (orm: Orm, where: SQL | undefined) => orm.select(PAYOUT).from(disbursements).where(where);

export type FoundPayment = Awaited<ReturnType<typeof selectPayments>>[number];
export type FoundPayout = Awaited<ReturnType<typeof selectPayouts>>[number];

type Receipts = Pick<LineRow, "receipt" | "linked">;

/** The facts with one of the receipts of the lines, or linked to such a fact. */
export function findByReceipts(orm: Orm, organizationId: string, lines: readonly Receipts[]) {
	const receipts = [...new Set(lines.flatMap(({ receipt, linked }) => [receipt, linked]).filter((each) => each !== null))];
	// A disburser's own ids may be in small letters.
	const spelled = [...new Set([...receipts, ...receipts.map((each) => each.toLowerCase())])];
	const isPaid = and(eq(payments.organizationId, organizationId), isOneOf(payments.mobileMoneyTransactionId, receipts), COUNTS);
	const ofOrganization = eq(disbursements.organizationId, organizationId);
	return {
		payments: selectPayments(orm, isPaid),
		returns: orm
			.select({ id: paymentReturns.id, transaction: paymentReturns.transactionId, receipt: paymentReturns.receipt })
			.from(paymentReturns)
			.where(sql`${paymentReturns.id} in (select ${payments.id} from ${payments} where ${isPaid})`),
		payouts: selectPayouts(orm, and(ofOrganization, isOneOf(disbursements.mobileMoneyTransactionId, spelled), WAS_PAID_OUTSIDE)),
		contradicted: selectPayouts(orm, and(ofOrganization, IS_CONTRADICTED)).limit(MOST_WAITING),
		treasury: findByReference(orm, organizationId, receipts),
		paidTwice: selectPayouts(orm, and(ofOrganization, HAS_SECOND_RECEIPT)).limit(MOST_WAITING),
		repayments: orm
			.select({
				id: invoiceRepayments.id,
				receipt: invoiceRepayments.externalId,
				amount: invoiceRepayments.amount,
				currency: invoiceRepayments.currency,
				at: invoiceRepayments.transactedAt,
			})
			.from(invoiceRepayments)
			.where(and(eq(invoiceRepayments.organizationId, organizationId), isOneOf(invoiceRepayments.externalId, spelled))),
	};
}

/** A payment is looked for if it was recorded at most this long after it was made. */
const LATE_MS = 31 * DAY_MS;
/** A payment may be recorded this long before its line: a bank books on the next working day. */
const AROUND_MS = 4 * DAY_MS;
const MOST_CANDIDATES = 1_000;

/** Payments of the lines' amounts around their times, and payouts whose ids the lines' references hold. */
export function findByReferences(orm: Orm, organizationId: string, lines: readonly Pick<LineRow, "at" | "amount" | "reference">[]) {
	const times = lines.map(({ at }) => at);
	const amounts = JSON.stringify([...new Set(lines.map(({ amount }) => amount))]);
	const within = (status: SQL) =>
		selectPayments(
			orm,
			and(
				eq(payments.organizationId, organizationId),
				status,
				COUNTS,
				gte(payments.createdAt, Math.min(...times) - AROUND_MS),
				lt(payments.createdAt, Math.max(...times) + LATE_MS),
				sql`${payments.amount} in (select value from json_each(${amounts}))`,
			),
		).limit(MOST_CANDIDATES);
	const references = [...new Set(lines.flatMap(({ reference }) => reference ?? []))];
	const ids = lines.flatMap(({ reference }) => idsIn(reference ?? ""));
	return {
		treasury: findByReference(orm, organizationId, references),
		booked: within(IS_BOOKED),
		unmatched: within(sql`${payments.status} = 'UNMATCHED' and ${payments.status} <> 'POSTED'`),
		confirmed: within(sql`${payments.status} = 'CONFIRMED' and ${payments.status} <> 'POSTED'`),
		payouts: selectPayouts(
			orm,
			and(eq(disbursements.organizationId, organizationId), isOneOf(disbursements.id, ids), inArray(disbursements.status, PAID)),
		),
	};
}

const PAID = ["SUCCEEDED", "RETURNED"] as const;

/** The ids of payouts that a reference holds, as it was instructed or without its signs. */
const idsIn = (reference: string): readonly string[] =>
	[...reference.matchAll(/[0-9A-F]{8}-?[0-9A-F]{4}-?[0-9A-F]{4}-?[0-9A-F]{4}-?[0-9A-F]{12}/g)]
		.map(([found]) => found.replaceAll("-", "").toLowerCase())
		.map((hex) => [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-"))
		.filter(isUuid);

type Span = Pick<StatementRow, "organizationId" | "fromDay" | "toDay" | "mapping">;

/** From the first instant of the statement to the first instant after it. */
export const spanOf = ({ fromDay, toDay, mapping }: Span): readonly [from: number, until: number] => [
	startOfDay(fromDay, mapping.time_zone),
	startOfDay(addDays(toDay, 1), mapping.time_zone),
];

type Stage = (orm: Orm, of: Span, cursor: Cursor) => ReturnType<typeof selectPayments> | ReturnType<typeof selectPayouts>;

/** The rows after the cursor, in the order of an index. */
const isBehind = (at: SQLiteColumn, id: SQLiteColumn, cursor: Cursor): SQL | undefined =>
	and(gte(at, cursor.at), or(sql`${at} > ${cursor.at}`, sql`${id} > ${cursor.id}`));

const paymentsOf =
	(status: SQL): Stage =>
	(orm, of, cursor) =>
		selectPayments(
			orm,
			and(
				eq(payments.organizationId, of.organizationId),
				status,
				isBehind(payments.createdAt, payments.id, cursor),
				lt(payments.createdAt, spanOf(of)[1] + LATE_MS),
			),
		)
			.orderBy(payments.createdAt, payments.id)
			.limit(FACTS) as never;

const payoutsOf: Stage = (orm, of, cursor) =>
	selectPayouts(
		orm,
		and(
			eq(disbursements.organizationId, of.organizationId),
			WAS_PAID_OUTSIDE,
			isBehind(disbursements.occurredAt, disbursements.id, cursor),
			lt(disbursements.occurredAt, spanOf(of)[1]),
		),
	)
		.orderBy(disbursements.occurredAt, disbursements.id)
		.limit(FACTS) as never;

/** LOOKING takes these in turn. They read payments by the time of recording, which is at most a month after the payment was made. */
export const STAGES = [
	{ of: "PAYMENTS", find: paymentsOf(IS_BOOKED) },
	{ of: "PAYMENTS", find: paymentsOf(sql`${payments.status} = 'UNMATCHED' and ${payments.status} <> 'POSTED'`) },
	{ of: "PAYMENTS", find: paymentsOf(sql`${payments.status} = 'CONFIRMED' and ${payments.status} <> 'POSTED'`) },
	{ of: "PAYOUTS", find: payoutsOf },
] as const;

/** The cursor before all rows of a stage. By its provider's clock, a payment may have been made a little after it was recorded here. */
export const beginOf = (stage: number, of: Span): Cursor => ({ stage, at: spanOf(of)[0] - HOUR_MS, id: "" });
