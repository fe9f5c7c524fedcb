// The devices of users that get pushes, and the pushes that are waiting to be sent, in the users' home. A push holds nothing of its message.

import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { LOCALES } from "../../../shared/locale";
import { PUSH_PLATFORMS } from "../../../shared/push-platforms";

export const devices = sqliteTable(
	"devices",
	{
		userId: text().notNull(),
		/** As in the sessions that began on it. */
		deviceHash: text().notNull(),
		platform: text({ enum: PUSH_PLATFORMS }).notNull(),
		/** SHA-256 of the push token, so that one token is on one device. */
		tokenHash: text().notNull(),
		/** The push token, encrypted. */
		sealedToken: text().notNull(),
		appVersion: text(),
		locale: text({ enum: LOCALES }),
		createdAt: integer().notNull(),
		updatedAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.userId, table.deviceHash] }),
		uniqueIndex("devices_by_token").on(table.tokenHash),
		index("devices_list").on(table.userId, table.updatedAt, table.deviceHash),
	],
);

export type DeviceRow = typeof devices.$inferSelect;

export const pushes = sqliteTable(
	"pushes",
	{
		userId: text().notNull(),
		deviceHash: text().notNull(),
		/** Of the message in the inbox. */
		messageId: text().notNull(),
		attempts: integer().notNull(),
		nextAttemptAt: integer().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.userId, table.deviceHash, table.messageId] }), index("pushes_due").on(table.nextAttemptAt)],
);

export type PushRow = typeof pushes.$inferSelect;
