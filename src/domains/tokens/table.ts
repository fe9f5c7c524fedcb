// What is known of tokens: who may issue them, which are spent, and the sessions that refresh tokens keep alive.
// All instants here are real time, because callers hold tokens to it; only the registry's own go by the service's clock.

import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ISSUER_KINDS, type TrustedIssuer } from "../../runtime/trusted-issuer";

export const trustedIssuers = sqliteTable(
	"trusted_issuers",
	{
		id: text().primaryKey(),
		issuer: text().notNull(),
		kind: text({ enum: ISSUER_KINDS }).notNull(),
		settings: text({ mode: "json" }).$type<TrustedIssuer>().notNull(),
		createdAt: integer().notNull(),
		updatedAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("trusted_issuers_once").on(table.issuer, table.kind),
		index("trusted_issuers_list").on(table.createdAt, table.id),
	],
);

/** Tokens that are good for one use; the row of the use is in the commit of its effect. */
export const spentTokens = sqliteTable(
	"spent_tokens",
	{
		issuer: text().notNull(),
		tokenId: text().notNull(),
		/** Afterwards the token is refused as expired anyway. */
		expiresAt: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.issuer, table.tokenId] }), index("spent_tokens_expiry").on(table.expiresAt)],
);

/** One-time custom tokens. A row is written whether or not the exchange met a known user, so that both take as long. */
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
	},
	(table) => [index("sessions_of").on(table.userId, table.revokedAt), index("sessions_expiry").on(table.expiresAt)],
);

export const refreshTokens = sqliteTable(
	"refresh_tokens",
	{
		/** SHA-256 of the token, which itself is kept nowhere but sealed in its predecessor's row. */
		hash: text().primaryKey(),
		sessionId: text().notNull(),
		expiresAt: integer().notNull(),
		replacedAt: integer(),
		successorHash: text(),
		/** The successor, for the caller who lost the answer that held it. */
		sealedSuccessor: text(),
	},
	(table) => [index("refresh_tokens_expiry").on(table.expiresAt)],
);
