// Files for a credit bureau on the wire. Amounts are in minor units. docs/credit-bureau.md says of each column where it comes from.

import * as z from "zod";
import { CurrencyCode } from "../../shared/currency-code";
import { isShown, MUST_BE_SHOWN } from "../../shared/shown-text";
import { toTimestamp } from "../../shared/time";
import { lastDayOf } from "../ledger/model/closing.policy";
import { DOCUMENT_TYPES, LEAST_NOTICE_DAYS, LEFT_OUT_REASONS, LISTING_STATUSES, ROW_STATUSES } from "./file.policy";
import type { BureauRow, DisputeRow, FileRow, IdentityRow, ListingRow, SettingsRow } from "./table";

const id = z.uuid().toLowerCase();
const amount = z.int();
const date = z.iso.date();
const month = z.string().meta({ description: "Such as 2026-03" });
const described = (description: string) => ({ description });

export const CreditBureauSettings = z
	.object({
		enabled: z.boolean(),
		currency: z.string().nullable().meta(described("Of the loans in the file; null until somebody has stored settings")),
		threshold: amount.nullable().meta(described("A loan on which at most this much is owed is never negative")),
		notice_days: z.int().nullable().meta(described("Between a notice to the borrower and the end of the first month with a negative mark")),
		next_month: month.nullable().meta(described("Of the file that is made next; null while none is made")),
	})
	.meta({ id: "CreditBureauSettings" });

export const SettingsBody = z
	.strictObject({
		enabled: z.boolean(),
		currency: CurrencyCode,
		threshold: z.int().min(0).max(1_000_000_000_000).meta(described("In minor units; for KES at least 100000, which is KES 1,000")),
		notice_days: z.int().min(LEAST_NOTICE_DAYS).max(365).default(LEAST_NOTICE_DAYS),
	})
	.meta({ examples: [{ enabled: true, currency: "KES", threshold: 100_000, notice_days: 30 }] });

export const toSettings = (row: SettingsRow | undefined): z.input<typeof CreditBureauSettings> => ({
	enabled: row?.enabled ?? false,
	currency: row?.currency ?? null,
	threshold: row?.threshold ?? null,
	notice_days: row?.noticeDays ?? null,
	next_month: row?.enabled ? row.month : null,
});

export const CreditBureauFile = z
	.object({
		month,
		last_day: date.meta(described("At whose end the accounts stood so")),
		currency: z.string(),
		threshold: amount,
		notice_days: z.int(),
		accounts: z.int().meta(described("Rows of accounts")),
		corrections: z.int().meta(described("Rows that correct those of earlier files")),
		negative: z.int(),
		disputed: z.int(),
		left_out: z.int().meta(described("Accounts that lack what the layout requires: not in the file, and listed apart")),
		made_at: z.iso.datetime(),
	})
	.meta({ id: "CreditBureauFile" });

export const toFile = (row: FileRow): z.input<typeof CreditBureauFile> => ({
	month: row.month,
	last_day: row.lastDay,
	currency: row.currency,
	threshold: row.threshold,
	notice_days: row.noticeDays,
	accounts: row.accounts,
	corrections: row.corrections,
	negative: row.negative,
	disputed: row.disputed,
	left_out: row.leftOut,
	made_at: toTimestamp(row.madeAt),
});

export const CreditBureauRow = z
	.object({
		file: month.meta(described("The file's month, such as 2026-03")),
		row: z.int().meta(described("From 1, in the order of the file")),
		corrects_file: month.nullable().meta(described("Of a correction: the file of the row that it corrects")),
		corrects_row: z.int().nullable(),
		left_out_reason: z.enum(LEFT_OUT_REASONS).nullable().meta(described("Why the row is not in the file")),
		as_of: date.meta(described("The end of the month of which the row speaks")),
		account_number: z.string(),
		account_id: z.uuid(),
		customer_id: z.uuid(),
		name: z
			.string()
			.nullable()
			.meta(described("As the lender has stated it, else as the borrower wants to be called; null once the person is erased")),
		mobile_number: z.string().nullable().meta(described("With the country's code, without a plus")),
		document_type: z.enum(DOCUMENT_TYPES).nullable(),
		document_number: z.string().nullable().meta(described("null where the lender has stated none, and once the person is erased")),
		document_country: z.string().nullable(),
		currency: z.string(),
		status: z.enum(ROW_STATUSES),
		opened_on: date,
		outstanding: amount.meta(described("All that is owed, with interest and penalties")),
		overdue: amount,
		days_past_due: z.int(),
		last_payment_on: date.nullable(),
		last_payment_amount: amount.nullable(),
		negative: z.boolean(),
		disputed: z.boolean(),
	})
	.meta({ id: "CreditBureauRow" });

export const toRow = (row: BureauRow): z.input<typeof CreditBureauRow> => ({
	file: row.month,
	row: row.number,
	corrects_file: row.correctsMonth,
	corrects_row: row.correctsNumber,
	left_out_reason: row.reason,
	as_of: lastDayOf(row.about),
	account_number: row.accountNumber,
	account_id: row.accountId,
	customer_id: row.userId,
	name: row.name,
	// Without its plus, which tables would put an apostrophe before.
	mobile_number: row.mobileNumber?.replace(/^\+/, "") ?? null,
	document_type: row.documentType,
	document_number: row.documentNumber,
	document_country: row.documentCountry,
	currency: row.currency,
	status: row.status,
	opened_on: row.openedOn,
	outstanding: row.owed,
	overdue: row.overdue,
	days_past_due: row.daysPastDue,
	last_payment_on: row.paidOn,
	last_payment_amount: row.paidAmount,
	negative: row.negative,
	disputed: row.disputed,
});

export const CreditBureauNotice = z
	.object({
		id: z.uuid(),
		account_id: z.uuid(),
		user_id: z.uuid(),
		owed: z.object({ value: amount, currency: z.string() }).meta(described("When the borrower was notified")),
		noticed_on: date,
		listable_from: date.meta(described("The day in the notice: no file of a month that ends before it has the mark")),
		status: z.enum(LISTING_STATUSES).meta(described("LISTED once a file has the mark, ENDED once it was paid")),
		listed_in: month.nullable().meta(described("The first file with the mark")),
		ended_in: month.nullable().meta(described("The file that cancelled the notice, or no longer has the mark")),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "CreditBureauNotice" });

export const toNotice = (row: ListingRow): z.input<typeof CreditBureauNotice> => ({
	id: row.id,
	account_id: row.accountId,
	user_id: row.userId,
	owed: { value: row.amount, currency: row.currency },
	noticed_on: row.noticedOn,
	listable_from: row.listableFrom,
	status: row.status,
	listed_in: row.listedMonth,
	ended_in: row.endedMonth,
	created_at: toTimestamp(row.createdAt),
});

const words = z.string().trim().min(1).max(2_000);

export const DisputeBody = z
	.strictObject({ account_id: id, reason: words.meta(described("The borrower's objection")) })
	.meta({ examples: [{ account_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11", reason: "Says that the loan was paid in March." }] });

export const ResolutionBody = z
	.strictObject({ resolution: words.meta(described("The result of the inquiry")) })
	.meta({ examples: [{ resolution: "The payment was found and recorded." }] });

export const CreditBureauDispute = z
	.object({
		id: z.uuid(),
		account_id: z.uuid(),
		user_id: z.uuid(),
		reason: z.string().nullable().meta(described("null once the person is erased")),
		opened_by: z.string(),
		created_at: z.iso.datetime(),
		resolution: z.string().nullable(),
		resolved_by: z.string().nullable(),
		resolved_at: z.iso.datetime().nullable(),
	})
	.meta({ id: "CreditBureauDispute" });

export const toDispute = (row: DisputeRow): z.input<typeof CreditBureauDispute> => ({
	id: row.id,
	account_id: row.accountId,
	user_id: row.userId,
	reason: row.reason,
	opened_by: row.openedBy,
	created_at: toTimestamp(row.createdAt),
	resolution: row.resolution,
	resolved_by: row.resolvedBy,
	resolved_at: row.resolvedAt === null ? null : toTimestamp(row.resolvedAt),
});

const CountryCode = z.string().regex(/^[A-Z]{2}$/, "must be a country code");

export const IdentityBody = z
	.strictObject({
		name: z.string().trim().min(1).max(200).refine(isShown, MUST_BE_SHOWN).meta(described("As the document has it")),
		document_type: z.enum(DOCUMENT_TYPES),
		document_number: z
			.string()
			.trim()
			.toUpperCase()
			.regex(/^[A-Z0-9][A-Z0-9/-]{3,31}$/, "must be 4 to 32 letters and digits")
			.meta({ maxLength: 64 }),
		document_country: CountryCode,
	})
	.meta({ examples: [{ name: "Wanjiru Kamau", document_type: "NATIONAL_ID", document_number: "12345678", document_country: "KE" }] });

export const CreditBureauIdentity = z
	.object({
		user_id: z.uuid(),
		name: z.string(),
		document_type: z.enum(DOCUMENT_TYPES),
		masked_number: z.string().meta(described("The last three characters of the document's number")),
		document_country: z.string(),
		stated_by: z.string(),
		stated_at: z.iso.datetime(),
	})
	.meta({ id: "CreditBureauIdentity" });

export const toIdentity = (row: IdentityRow): z.input<typeof CreditBureauIdentity> => ({
	user_id: row.userId,
	name: row.name,
	document_type: row.documentType,
	masked_number: `***${row.documentNumber.slice(-3)}`,
	document_country: row.documentCountry,
	stated_by: row.statedBy,
	stated_at: toTimestamp(row.statedAt),
});
