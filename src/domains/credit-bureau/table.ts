// The monthly files for a credit bureau: an organization's settings, the files with their rows, notices before a negative mark, disputes,
// and the documents by which a bureau knows a borrower. All in the organization's home.

import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { CalendarDate } from "../../shared/time";
import { DOCUMENT_TYPES, FILE_PARTS, LEFT_OUT_REASONS, LISTING_STATUSES, ROW_STATUSES, type Walk } from "./file.policy";

export const creditBureauSettings = sqliteTable(
	"credit_bureau_settings",
	{
		organizationId: text().primaryKey(),
		enabled: integer({ mode: "boolean" }).notNull(),
		/** Of the loans in the file. */
		currency: text().notNull(),
		/** In minor units: what is owed up to it is never marked as negative. */
		threshold: integer().notNull(),
		noticeDays: integer().notNull(),
		/** Of the file that is made next, such as 2026-03. */
		month: text().notNull(),
		/** While that file is being made: how far it is, and the settings with which it began. */
		walk: text({ mode: "json" }).$type<Walk>(),
		/** When the sweep looks at it; null while it is switched off. */
		nextWorkAt: integer(),
		updatedAt: integer().notNull(),
	},
	(table) => [
		index("credit_bureau_settings_due").on(table.nextWorkAt).where(sql`next_work_at is not null`),
		check("credit_bureau_settings_notice", sql`notice_days >= 30 and threshold >= 0`),
		check("credit_bureau_settings_due_if_on", sql`(enabled = 1) = (next_work_at is not null)`),
	],
);

export type SettingsRow = typeof creditBureauSettings.$inferSelect;

/** The files that are made. Triggers keep them, and no row is added to a made file. */
export const creditBureauFiles = sqliteTable(
	"credit_bureau_files",
	{
		organizationId: text().notNull(),
		month: text().notNull(),
		lastDay: text().$type<CalendarDate>().notNull(),
		currency: text().notNull(),
		threshold: integer().notNull(),
		noticeDays: integer().notNull(),
		/** How many rows it has, of which kind. */
		accounts: integer().notNull(),
		corrections: integer().notNull(),
		leftOut: integer().notNull(),
		negative: integer().notNull(),
		disputed: integer().notNull(),
		madeAt: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.organizationId, table.month] })],
);

export type FileRow = typeof creditBureauFiles.$inferSelect;

/** Append-only by trigger, but for what names a person, which an erasure takes out. */
export const creditBureauRows = sqliteTable(
	"credit_bureau_rows",
	{
		organizationId: text().notNull(),
		month: text().notNull(),
		part: text({ enum: FILE_PARTS }).notNull(),
		/** From 1 in each part. */
		number: integer().notNull(),
		accountId: text().notNull(),
		userId: text().notNull(),
		accountNumber: text().notNull(),
		/** The month at whose end the account stood so: the file's, or of a correction that of the row it corrects. */
		about: text().notNull(),
		/** Of a correction: the file and the number of the row that it corrects. */
		correctsMonth: text(),
		correctsNumber: integer(),
		/** Why it is left out. */
		reason: text({ enum: LEFT_OUT_REASONS }),
		name: text(),
		mobileNumber: text(),
		documentType: text({ enum: DOCUMENT_TYPES }),
		documentNumber: text(),
		documentCountry: text(),
		currency: text().notNull(),
		status: text({ enum: ROW_STATUSES }).notNull(),
		openedOn: text().$type<CalendarDate>().notNull(),
		/** In minor units. */
		owed: integer().notNull(),
		overdue: integer().notNull(),
		daysPastDue: integer().notNull(),
		paidOn: text().$type<CalendarDate>(),
		paidAmount: integer(),
		negative: integer({ mode: "boolean" }).notNull(),
		disputed: integer({ mode: "boolean" }).notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.organizationId, table.month, table.part, table.number] }),
		uniqueIndex("credit_bureau_rows_once").on(table.accountId, table.about, table.month),
		index("credit_bureau_rows_of_user").on(table.userId, table.about, table.month, table.accountId),
		check("credit_bureau_rows_part", sql`(part = 'LEFT_OUT') = (reason is not null)`),
		check("credit_bureau_rows_corrects", sql`(about <> month) = (corrects_month is not null)`),
	],
);

export type BureauRow = typeof creditBureauRows.$inferSelect;

/** A notice to the borrower, and the negative mark that follows it if nothing is paid. Of an account one is open at most. */
export const creditBureauListings = sqliteTable(
	"credit_bureau_listings",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		accountId: text().notNull(),
		userId: text().notNull(),
		/** Owed at the notice, in minor units. */
		amount: integer().notNull(),
		currency: text().notNull(),
		noticedOn: text().$type<CalendarDate>().notNull(),
		/** As the notice says. No file of a month that ends before it has the mark. */
		listableFrom: text().$type<CalendarDate>().notNull(),
		status: text({ enum: LISTING_STATUSES }).notNull(),
		/** The first file with the mark, and the file that no longer has it, or that cancelled it. */
		listedMonth: text(),
		endedMonth: text(),
		createdAt: integer().notNull(),
	},
	(table) => [
		uniqueIndex("credit_bureau_listings_open").on(table.accountId).where(sql`status <> 'ENDED'`),
		index("credit_bureau_listings_of").on(table.organizationId, table.createdAt, table.id),
		index("credit_bureau_listings_of_user").on(table.userId, table.createdAt, table.id),
		check("credit_bureau_listings_listed", sql`status <> 'LISTED' or listed_month is not null`),
		check("credit_bureau_listings_ended", sql`(status = 'ENDED') = (ended_month is not null)`),
	],
);

export type ListingRow = typeof creditBureauListings.$inferSelect;

/** What a borrower says is wrong with what is reported of an account. Of an account one is open at most. */
export const creditBureauDisputes = sqliteTable(
	"credit_bureau_disputes",
	{
		id: text().primaryKey(),
		organizationId: text().notNull(),
		accountId: text().notNull(),
		userId: text().notNull(),
		/** Both are texts of members, which an erasure of the borrower takes out. */
		reason: text(),
		resolution: text(),
		openedBy: text().notNull(),
		resolvedBy: text(),
		createdAt: integer().notNull(),
		resolvedAt: integer(),
	},
	(table) => [
		uniqueIndex("credit_bureau_disputes_open").on(table.accountId).where(sql`resolved_at is null`),
		index("credit_bureau_disputes_of").on(table.organizationId, table.createdAt, table.id),
		index("credit_bureau_disputes_waiting").on(table.organizationId, table.createdAt, table.id).where(sql`resolved_at is null`),
		index("credit_bureau_disputes_ended").on(table.organizationId, table.createdAt, table.id).where(sql`resolved_at is not null`),
		index("credit_bureau_disputes_of_user").on(table.userId, table.createdAt, table.id),
		check("credit_bureau_disputes_resolved", sql`(resolved_at is null) = (resolved_by is null)`),
	],
);

export type DisputeRow = typeof creditBureauDisputes.$inferSelect;

/** How a lender knows its borrower: the name and the document that a bureau recognises. */
export const creditBureauIdentities = sqliteTable("credit_bureau_identities", {
	userId: text().primaryKey(),
	organizationId: text().notNull(),
	/** As the document has it. */
	name: text().notNull(),
	documentType: text({ enum: DOCUMENT_TYPES }).notNull(),
	documentNumber: text().notNull(),
	/** ISO 3166-1. */
	documentCountry: text().notNull(),
	statedBy: text().notNull(),
	statedAt: integer().notNull(),
});

export type IdentityRow = typeof creditBureauIdentities.$inferSelect;
