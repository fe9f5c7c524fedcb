// The accounts that organizations have with providers of payments, each in the home of its organization.

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { PAYMENT_PROVIDERS } from "../../../shared/payment-providers";
import type { Balance, LowFloat } from "./float.policy";
import { CHECK_OUTCOMES, CONNECTION_STATES, ENVIRONMENTS } from "./lifecycle";
import type { Pull } from "./pulls.policy";

/**
 * Its balance may be of use, and its provider reports it, or a check is not over. SQLite uses the partial index only for a query that
 * contains exactly this condition.
 */
export const ASKED_ABOUT = sql`provider = 'daraja' and payouts = 1 or check_outcome = 'WAITING'`;

/** None of them is secret. */
type OwnFacts = Readonly<Record<string, string>>;

/** Another account that somebody wants in the place of the connected one, until a second person agrees or a day has passed. */
export type Replacement = {
	readonly environment: (typeof ENVIRONMENTS)[number];
	readonly shortCode: string;
	readonly facts: OwnFacts;
	readonly payouts: boolean;
	readonly hasPasskey: boolean;
	readonly hasInitiator: boolean;
	readonly rejectUnknownAccounts: boolean;
	readonly nominatedNumber: string | null;
	/** Its secrets, sealed for the organization and the provider as what waits. */
	readonly sealed: string;
	/** The user or operator who wants it. */
	readonly requestedBy: string;
};

export const paymentConnections = sqliteTable(
	"payment_connections",
	{
		organizationId: text().notNull(),
		provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
		/** Counts the changes of the credentials: what is decided on an earlier version pauses no later one. */
		version: integer().notNull(),
		environment: text({ enum: ENVIRONMENTS }).notNull(),
		/** Which account with the provider it is: of Daraja the shortcode. */
		shortCode: text().notNull(),
		/** What its provider's adapter decides by, in addition to these columns. */
		facts: text({ mode: "json" }).$type<OwnFacts>().notNull().default({}),
		/** Whether payouts of the organization go by it. */
		payouts: integer({ mode: "boolean" }).notNull(),
		/** Which of Daraja's optional secrets it holds. */
		hasPasskey: integer({ mode: "boolean" }).notNull(),
		hasInitiator: integer({ mode: "boolean" }).notNull(),
		/** Of the address to which Daraja confirms payments; it and the one before hold. */
		addressVersion: integer().notNull().default(1),
		/** Whether payments to account numbers that nobody has are refused, where Daraja asks before it takes them. */
		rejectUnknownAccounts: integer({ mode: "boolean" }).notNull().default(false),
		/** The secrets, sealed for the organization, the provider and the version. */
		sealed: text().notNull(),
		/** PAUSED: nothing is paid by it, until `paused_until` or until somebody resumes it. */
		status: text({ enum: CONNECTION_STATES }).notNull(),
		pausedReason: text(),
		pausedUntil: integer(),
		/** What the lender's accounts held, and when the provider reported it. */
		balances: text({ mode: "json" }).$type<readonly Balance[]>(),
		balancesAt: integer(),
		/** Why the float is too low for payouts, as the last report of the balance has shown; null while it is not. */
		lowFloat: text({ mode: "json" }).$type<LowFloat>(),
		/** The last check of the credentials, which asks for the balance too; a result that names an earlier one comes too late. */
		checkId: text(),
		checkedAt: integer(),
		checkOutcome: text({ enum: CHECK_OUTCOMES }),
		/** Of FAILED: the provider's code. */
		checkResult: text(),
		/** Whether the initiator may ask what became of a transaction, as the last such question has shown, and when. */
		statusOutcome: text({ enum: CHECK_OUTCOMES }),
		statusResult: text(),
		statusAt: integer(),
		/** When it is next seen to whether payouts are open, and the balance of use; or whether a check waits in vain. */
		nextBalanceAt: integer().notNull().default(0),
		/** How far the search for payments that nobody has confirmed has come, and when it goes on; null where the lender wants none. */
		pull: text({ mode: "json" }).$type<Pull>(),
		nextPullAt: integer(),
		replacement: text({ mode: "json" }).$type<Replacement>(),
		/** When it takes the place by itself. */
		replacedAt: integer(),
		createdAt: integer().notNull(),
		updatedAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.provider] }),
		uniqueIndex("payment_connections_checked").on(table.checkId),
		index("payment_connections_balance").on(table.nextBalanceAt).where(ASKED_ABOUT),
		index("payment_connections_pull").on(table.nextPullAt).where(sql`next_pull_at is not null`),
		index("payment_connections_replaced").on(table.replacedAt).where(sql`replaced_at is not null`),
	],
);

/** The account that an organization disconnected last, so that another one is no first one for a day. */
export const formerConnections = sqliteTable(
	"former_connections",
	{
		organizationId: text().notNull(),
		provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
		environment: text({ enum: ENVIRONMENTS }).notNull(),
		shortCode: text().notNull(),
		facts: text({ mode: "json" }).$type<OwnFacts>().notNull(),
		endedAt: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.organizationId, table.provider] })],
);

/** What is sealed, by name; null for a secret that the organization does not have. */
export type Secrets = Readonly<Record<string, string | null>>;

export type ConnectionRow = typeof paymentConnections.$inferSelect;
export type FormerConnection = typeof formerConnections.$inferSelect;
