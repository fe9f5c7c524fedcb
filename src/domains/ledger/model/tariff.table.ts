// The tariffs of providers as lenders keep them, and what single payments and payouts were charged by them. The triggers in
// `tariff.triggers.sql` book a charge in the commit of its payment or payout.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { CalendarDate } from "../../../shared/time";
import { type Band, DIRECTIONS, TARIFF_CHANNELS } from "./tariff.policy";

/** Versions, each from a day on. Triggers keep them, and refuse one for a day that has begun. */
export const providerTariffs = sqliteTable(
	"provider_tariffs",
	{
		organizationId: text().notNull(),
		channel: text({ enum: TARIFF_CHANNELS }).notNull(),
		direction: text({ enum: DIRECTIONS }).notNull(),
		currency: text().notNull(),
		effectiveFrom: text().$type<CalendarDate>().notNull(),
		id: text().primaryKey(),
		bands: text({ mode: "json" }).$type<readonly Band[]>().notNull(),
		approvalId: text().notNull(),
		requestedBy: text().notNull(),
		approvedBy: text().notNull(),
		reason: text(),
		createdAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("provider_tariffs_version").on(table.organizationId, table.channel, table.direction, table.currency, table.effectiveFrom),
		index("provider_tariffs_list").on(table.organizationId, table.createdAt, table.id),
		check("provider_tariffs_bands", sql`json_type(bands) = 'array' and json_array_length(bands) between 1 and 40`),
	],
);

export type TariffRow = typeof providerTariffs.$inferSelect;

/** Once for each payment and payout. Triggers write what changes into the journal. */
export const tariffCharges = sqliteTable(
	"tariff_charges",
	{
		organizationId: text().notNull(),
		/** The day of the payment or payout in East Africa, whose version of the tariff counts. */
		day: text().$type<CalendarDate>().notNull(),
		/** As statements call it: `PAYOUT <id>`, or `PAYMENT <receipt>`, which a payment keeps when it is moved. */
		fact: text().notNull(),
		channel: text({ enum: TARIFF_CHANNELS }).notNull(),
		currency: text().notNull(),
		tariffId: text().notNull(),
		/** By the tariff, or as the payment was recorded; 0 once the payment does not count. */
		estimate: integer().notNull(),
		/** As a statement names it. */
		fee: integer(),
		/** The statement that names it. */
		namedBy: text(),
		/** What the journal has. */
		amount: integer().notNull(),
		/** When the amount was booked last. */
		bookedAt: integer().notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.day, table.fact] }),
		check("tariff_charges_amount", sql`amount = coalesce(fee, estimate) and amount between 0 and 9007199254740991 and estimate >= 0`),
		check("tariff_charges_named", sql`(fee is null) = (named_by is null)`),
	],
);

/** Days with charges of a statement on which a charge by tariff has come or changed since these were set off. The sweep takes them out. */
export const setOffsDue = sqliteTable(
	"set_offs_due",
	{
		organizationId: text().notNull(),
		channel: text({ enum: TARIFF_CHANNELS }).notNull(),
		currency: text().notNull(),
		day: text().$type<CalendarDate>().notNull(),
	},
	(table) => [primaryKey({ columns: [table.organizationId, table.channel, table.currency, table.day] })],
);
