// What lenders say in place of the texts of the service, in the organization's home.

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LOCALES, type Locale } from "../../../shared/locale";

/** By language and message. */
export type OwnTexts = { readonly [L in Locale]?: { readonly [message: string]: string } };

export const organizationTexts = sqliteTable("organization_texts", {
	organizationId: text().primaryKey(),
	/** The language of customers whose own is not known. */
	locale: text({ enum: LOCALES }),
	texts: text({ mode: "json" }).$type<OwnTexts>().notNull(),
	updatedAt: integer().notNull(),
});
