// Payments as the outside reports them. An account makes of one its transaction of the same id.

import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { STORED_PAYMENT_STATES } from "./lifecycle";
import type { PaymentDetails } from "./payment-details.wire";

/**
 * A moved payment counts as the payment that it became. SQLite uses the partial index only for a query that contains exactly this
 * condition.
 */
export const COUNTS = sql`moved_as_id is null`;

/** What is or was posted to the account. SQLite uses the partial index only for a query that contains exactly this condition. */
export const IS_BOOKED = sql`status in ('POSTED', 'REVERSED')`;

export const payments = sqliteTable(
	"payments",
	{
		id: text().primaryKey(),
		/** Within which the provider's transaction ids are unique: the account's organization, or OPERATORS. */
		organizationId: text().notNull(),
		/** The provider's id as it is compared: what looks the same is the same payment. */
		mobileMoneyTransactionId: text().notNull(),
		/** The id as it was reported, where that is written otherwise. */
		transactionIdSent: text(),
		/** Of the facts as they were first reported. */
		fingerprint: text().notNull(),
		status: text({ enum: STORED_PAYMENT_STATES }).notNull(),
		/** null while it is unmatched. */
		accountId: text(),
		/** The payment as which it was posted to an account of another organization, or in another database. */
		postedAsId: text(),
		/** The payment as which it counts since it was moved to another account. */
		movedAsId: text(),
		/** As the payer typed it in. */
		accountNumber: text(),
		amount: integer().notNull(),
		/** What of it reversals have taken back. */
		reversedAmount: integer().notNull().default(0),
		/** The newest of them that stands. */
		reversedById: text(),
		currency: text().notNull(),
		feeAmount: integer().notNull(),
		details: text({ mode: "json" }).$type<PaymentDetails>().notNull(),
		unmatchedReason: text(),
		failureReason: text(),
		transactedAt: integer().notNull(),
		confirmedAt: integer(),
		postedAt: integer(),
		failedAt: integer(),
		createdAt: integer().notNull(),
		/** When it was last reversed, restored or matched here. */
		changedAt: integer(),
	},
	(table) => [
		uniqueIndex("payments_once").on(table.organizationId, table.mobileMoneyTransactionId).where(COUNTS),
		index("payments_unmatched").on(table.createdAt, table.id).where(sql`status = 'UNMATCHED'`),
		// The list of an organization: what is posted, and each of the other states.
		index("payments_posted_of").on(table.organizationId, table.createdAt, table.id).where(IS_BOOKED),
		index("payments_open_of").on(table.organizationId, table.status, table.createdAt, table.id).where(sql`status <> 'POSTED'`),
		index("payments_to_post").on(table.accountId, table.transactedAt, table.id).where(sql`status = 'CONFIRMED'`),
		index("payments_failed").on(table.accountId, table.createdAt, table.id).where(sql`status = 'FAILED'`),
		check("payments_amount", sql`amount > 0 and amount <= 9007199254740991`),
		check("payments_posted", sql`(status in ('POSTED', 'REVERSED')) = (posted_at is not null)`),
		check("payments_reversed", sql`reversed_amount between 0 and amount and (reversed_amount = 0) = (reversed_by_id is null)`),
		check("payments_reversed_whole", sql`(status = 'REVERSED') = (reversed_amount = amount)`),
		check("payments_moved", sql`moved_as_id is null or status = 'REVERSED'`),
	],
);

/** Of a payment that nobody has corrected. */
export const UNCORRECTED = { movedAsId: null, reversedAmount: 0, reversedById: null, changedAt: null } as const;

export type PaymentRow = typeof payments.$inferSelect;
