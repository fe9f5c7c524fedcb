// Brands: one for each organization, in the organization's home.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const brands = sqliteTable("brands", {
	organizationId: text().primaryKey(),
	logoUrl: text(),
	iconUrl: text(),
	fontFamily: text(),
	fontWeight: integer(),
	primaryColor: text().notNull(),
	secondaryColor: text(),
	/** null: the organization's own. */
	name: text(),
	supportEmail: text(),
	supportPhone: text(),
	termsUrl: text(),
	privacyUrl: text(),
	/** Counts the changes: of two that are cached, the one with the lower number is older. */
	version: integer().notNull(),
	createdAt: integer().notNull(),
	updatedAt: integer().notNull(),
});

export type BrandRow = typeof brands.$inferSelect;
