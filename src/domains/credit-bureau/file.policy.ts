// What stands in a file for a credit bureau: when an account is in default, when it may be marked as negative, and what of a row that was
// reported is another thing now.

import { addMonths, type CalendarDate } from "../../shared/time";
import { monthOf } from "../ledger/model/closing.policy";

/** FILE: the rows that are reported. LEFT_OUT: accounts that lack what the layout requires. */
export const FILE_PARTS = ["FILE", "LEFT_OUT"] as const;
export type FilePart = (typeof FILE_PARTS)[number];

export const LEFT_OUT_REASONS = ["NO_NAME", "NO_MOBILE_NUMBER", "OTHER_CURRENCY"] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

export const DOCUMENT_TYPES = ["NATIONAL_ID", "PASSPORT", "ALIEN_ID", "SERVICE_ID", "BIRTH_CERTIFICATE"] as const;

export const ROW_STATUSES = ["PERFORMING", "NON_PERFORMING", "SETTLED", "WRITTEN_OFF"] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** NOTIFIED: the borrower has the notice. LISTED: a file has the mark. ENDED: it was paid, before a file had the mark or after. */
export const LISTING_STATUSES = ["NOTIFIED", "LISTED", "ENDED"] as const;
export type ListingStatus = (typeof LISTING_STATUSES)[number];

/** Days past due after which an account is in default. */
export const DEFAULT_AFTER_DAYS = 90;

/** The law demands so many days between a notice and a negative mark. */
export const LEAST_NOTICE_DAYS = 30;

/** Up to these amounts the law of the currency's country allows no negative mark, in minor units. */
const LEAST_THRESHOLDS: Readonly<Record<string, number>> = { KES: 100_000 };
export const leastThreshold = (currency: string): number => LEAST_THRESHOLDS[currency] ?? 0;

/** Rows that were reported for so many months before are corrected. */
export const CORRECTED_MONTHS = 12;

export type Terms = { readonly currency: string; readonly threshold: number; readonly noticeDays: number };

export type Counts = {
	readonly accounts: number;
	readonly corrections: number;
	readonly leftOut: number;
	readonly negative: number;
	readonly disputed: number;
};

/** A file that is being made: the account that was reached, the rows so far, and the settings with which it began. */
export type Walk = Terms & Counts & { readonly cursor: string | null };

export const beginningOf = ({ currency, threshold, noticeDays }: Terms): Walk => ({
	...{ currency, threshold, noticeDays, cursor: null },
	...{ accounts: 0, corrections: 0, leftOut: 0, negative: 0, disputed: 0 },
});

/** How an account stood at the end of a month. Amounts in minor units. */
export type Figures = {
	readonly status: RowStatus;
	readonly openedOn: CalendarDate;
	readonly owed: number;
	readonly overdue: number;
	readonly daysPastDue: number;
	readonly paidOn: CalendarDate | null;
	readonly paidAmount: number | null;
};

/** In default, with more owed than the amount up to which nothing is negative. */
export const isListable = ({ status, owed, daysPastDue }: Figures, threshold: number): boolean =>
	owed > threshold && (status === "WRITTEN_OFF" || daysPastDue > DEFAULT_AFTER_DAYS);

type Open = { readonly status: ListingStatus; readonly listableFrom: CalendarDate };

/** Whether the file of the month that ends on the day has the mark. While it is disputed no account gets a new mark. */
export const isNegative = (listing: Open, lastDay: CalendarDate, isDisputed: boolean): boolean =>
	listing.status === "LISTED" || (listing.status === "NOTIFIED" && listing.listableFrom <= lastDay && !isDisputed);

/**
 * Whether the account was reported as in default at each month's end since the one before the notice, by what is known now. A month without
 * files, or in which the file left the account out, does not show that.
 */
export function isOfThisDefault(
	{ noticedOn }: { readonly noticedOn: CalendarDate },
	month: string,
	stood: readonly (Figures & { readonly about: string })[],
	threshold: number,
): boolean {
	const ends = Array.from({ length: CORRECTED_MONTHS }, (_, back) => monthOf(addMonths(`${month}-01`, -1 - back)));
	// The one before this file in any case: files that were made late are all of one day.
	return ends
		.filter((end, back) => back === 0 || end >= monthOf(addMonths(noticedOn, -1)))
		.every((end) => stood.some((row) => row.about === end && isListable(row, threshold)));
}

const COMPARED = ["owed", "overdue", "daysPastDue", "paidOn", "paidAmount"] as const;

/** What a row should have said, undefined where it said so. Only the figures count; the status follows them. */
export function correctionOf(reported: Figures & { readonly negative: boolean }, known: Figures, threshold: number) {
	const hasEnded = (status: RowStatus) => status === "SETTLED" || status === "WRITTEN_OFF";
	const isSame =
		COMPARED.every((name) => reported[name] === known[name]) &&
		(reported.status === known.status || !(hasEnded(reported.status) || hasEnded(known.status)));
	if (isSame) return undefined;
	// Cure takes time, which the days alone do not show.
	const keeps = reported.daysPastDue === known.daysPastDue && !hasEnded(known.status) && !hasEnded(reported.status);
	return {
		...known,
		status: keeps ? reported.status : known.status,
		negative: reported.negative && isListable(known, threshold),
	};
}
