// The tables of tokens: who may issue them, which are spent, and the sessions that refresh tokens keep alive. All instants
// are real time, like the times in tokens; only those of the registry of issuers are of the service's clock.

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { REGISTERED_KINDS, type TrustedIssuer } from "../../shared/trusted-issuer";

export const trustedIssuers = sqliteTable(
	"trusted_issuers",
	{
		id: text().primaryKey(),
		issuer: text().notNull(),
		kind: text({ enum: REGISTERED_KINDS }).notNull(),
		/** As in the settings. */
		audience: text().notNull(),
		settings: text({ mode: "json" }).$type<TrustedIssuer>().notNull(),
		createdAt: integer().notNull(),
		updatedAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("trusted_issuers_once").on(table.issuer, table.kind),
		// Only the audience distinguishes the kinds of one issuer: if they shared one, every customer's token would be an operator's too.
		uniqueIndex("trusted_issuers_audience").on(table.issuer, table.audience),
		index("trusted_issuers_list").on(table.createdAt, table.id),
	],
);

/** Single-use tokens that were used; the row is written in the commit of the effect. */
export const spentTokens = sqliteTable(
	"spent_tokens",
	{
		issuer: text().notNull(),
		tokenId: text().notNull(),
		/** When the token has expired, so that the row is no longer needed. */
		expiresAt: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.issuer, table.tokenId] }), index("spent_tokens_expiry").on(table.expiresAt)],
);

/** One-time custom tokens. The exchange writes a row for known and new users alike, so that both take as long. */
export const customTokens = sqliteTable(
	"custom_tokens",
	{
		id: text().primaryKey(),
		userId: text().notNull(),
		usedAt: integer(),
		expiresAt: integer().notNull(),
	},
	(table) => [index("custom_tokens_expiry").on(table.expiresAt)],
);

export const sessions = sqliteTable(
	"sessions",
	{
		id: text().primaryKey(),
		userId: text().notNull(),
		createdAt: integer().notNull(),
		/** The end of the whole family of refresh tokens, however often they rotate. */
		expiresAt: integer().notNull(),
		revokedAt: integer(),
		/** The issuer whose token began it; null for older sessions. */
		issuer: text(),
		/** null for a phone issuer. */
		issuerKind: text({ enum: ["identity"] }),
		/** Until when its tokens may do little, because the SIM card of the number had been exchanged when it began; null for others. */
		cautionUntil: integer(),
		/** When the user authenticated with an identity issuer, as far as its token says; with a phone they do it to begin the session. */
		authenticatedAt: integer(),
		/** The only organization (an id or a slug) in which the session's tokens may act: that of an issuer which asserted the user's id. */
		within: text(),
		/** Of the random value that the app keeps on its device, with the user's id; null if it has sent none. */
		deviceHash: text(),
		/** Since when the user has had sessions on that device, each begun with a one-time password. */
		deviceSince: integer(),
	},
	(table) => [
		index("sessions_of").on(table.userId, table.revokedAt),
		index("sessions_on_device").on(table.userId, table.deviceHash, table.createdAt).where(sql`device_hash is not null`),
		index("sessions_expiry").on(table.expiresAt),
	],
);

export type SessionRow = typeof sessions.$inferSelect;

export const refreshTokens = sqliteTable(
	"refresh_tokens",
	{
		/** SHA-256 of the token. The token itself is stored only in its predecessor's row, sealed. */
		hash: text().primaryKey(),
		sessionId: text().notNull(),
		expiresAt: integer().notNull(),
		replacedAt: integer(),
		successorHash: text(),
		/** The successor, for a caller who lost the answer that contained it. */
		sealedSuccessor: text(),
		/** When the token was given out once more to a caller who had lost the answer: from then on two may hold it. */
		givenAgainAt: integer(),
	},
	(table) => [index("refresh_tokens_expiry").on(table.expiresAt)],
);
