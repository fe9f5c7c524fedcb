// Plans a portion of a file: the rows of its accounts, the corrections of rows that were reported before, who gets a notice that a negative
// mark will follow, and which notices and marks begin or end.

import { addDays, type CalendarDate } from "../../shared/time";
import type { BookRecords } from "../credit-accounts/ledger.store";
import { lastDayOf } from "../ledger/model/closing.policy";
import type { RulesVersion } from "../portfolio/model/stages.policy";
import type { LoanPositionRow } from "../portfolio/model/table";
import { figuresOf, isTouched } from "./figures.plan";
import { correctionOf, type Figures, isListable, isNegative, isOfThisDefault, type LeftOutReason, type Walk } from "./file.policy";
import type { BureauRow, ListingRow, SettingsRow } from "./table";

/** Notices of one commit: few enough for one D1 batch, with their messages. */
const MOST_NOTICES = 10;

type Borrower = Pick<BureauRow, "name" | "mobileNumber" | "documentType" | "documentNumber" | "documentCountry"> & { readonly id: string };

export type Found = {
	readonly borrowers: readonly Borrower[];
	readonly listings: readonly ListingRow[];
	readonly disputes: readonly { readonly accountId: string }[];
	readonly reported: readonly BureauRow[];
	readonly rules: readonly RulesVersion[];
};

const NOBODY: Borrower = { id: "", name: null, mobileNumber: null, documentType: null, documentNumber: null, documentCountry: null };

export type Account = { readonly accountId: string; readonly records: BookRecords; readonly position: LoanPositionRow };

export type PlannedPortion = {
	readonly rows: readonly BureauRow[];
	readonly notices: readonly ListingRow[];
	/** The accounts whose mark begins, and those whose notice or mark ends. */
	readonly listed: readonly string[];
	readonly ended: readonly string[];
	readonly walk: Walk;
	/** All of them are planned, and not only those until the notices of one commit were used up. */
	readonly isWhole: boolean;
};

type Of = { readonly settings: SettingsRow; readonly walk: Walk; readonly today: CalendarDate; readonly now: number; newId(): string };

export function planPortion(of: Of, accounts: readonly Account[], found: Found): PlannedPortion {
	const { organizationId, month } = of.settings;
	const lastDay = lastDayOf(month);
	const rows: BureauRow[] = [];
	const notices: ListingRow[] = [];
	const [listed, ended]: [string[], string[]] = [[], []];
	let { walk } = of;
	const write = (row: Omit<BureauRow, "organizationId" | "month" | "number">) => {
		const isCorrection = row.about !== month;
		walk = {
			...walk,
			accounts: walk.accounts + (row.part === "FILE" && !isCorrection ? 1 : 0),
			corrections: walk.corrections + (isCorrection ? 1 : 0),
			leftOut: walk.leftOut + (row.part === "LEFT_OUT" ? 1 : 0),
			negative: walk.negative + (row.negative && !isCorrection ? 1 : 0),
			disputed: walk.disputed + (row.disputed && !isCorrection ? 1 : 0),
		};
		const number = row.part === "LEFT_OUT" ? walk.leftOut : walk.accounts + walk.corrections;
		rows.push({ ...row, organizationId, month, number });
	};
	for (const { accountId, records, position } of accounts) {
		if (notices.length === MOST_NOTICES) return { rows, notices, listed, ended, walk, isWhole: false };
		walk = { ...walk, cursor: accountId };
		const { rules } = found;
		const figures = figuresOf(records, position, { day: lastDay, knownAt: lastDay, rules });
		if (!figures) continue;
		const { userId, accountNumber, currency } = records.account;
		const borrower = found.borrowers.find(({ id }) => id === userId);
		const listing = found.listings.find((row) => row.accountId === accountId);
		const disputed = found.disputes.some((row) => row.accountId === accountId);
		const reason = whyLeftOut(borrower, currency, walk);
		const { id: _, ...identity } = borrower ?? NOBODY;
		const about = { accountId, userId, accountNumber, currency, ...identity, disputed };
		const none = { correctsMonth: null, correctsNumber: null, reason: null };
		const isDefault = isListable(figures, walk.threshold);
		if (reason !== null) {
			if (listing && !isDefault) ended.push(accountId);
			write({ ...about, ...none, ...figures, part: "LEFT_OUT", about: month, reason, negative: false });
			continue;
		}
		const before = newestByMonth(found.reported.filter((row) => row.accountId === accountId));
		const corrections = before.flatMap((row) => {
			const corrected = correctedBy(row, records, position, { lastDay, rules, threshold: walk.threshold });
			return corrected ? [{ row, corrected }] : [];
		});
		const stood = before.map((row) => ({ ...row, ...corrections.find((each) => each.row === row)?.corrected }));
		// A notice of an earlier default, or of a default that turned out to be none, does not count for this one.
		const valid = listing && isDefault && isOfThisDefault(listing, month, stood, walk.threshold) ? listing : undefined;
		const negative = valid !== undefined && isNegative(valid, lastDay, disputed);
		if (listing && !valid) ended.push(accountId);
		if (valid?.status === "NOTIFIED" && negative) listed.push(accountId);
		if (isDefault && !valid) notices.push(noticeOf(of, records.account, figures));
		// What stays reported as settled is not reported again and again.
		const reportedLast = stood.at(-1);
		if (figures.status !== "SETTLED" || reportedLast?.status !== "SETTLED")
			write({ ...about, ...none, ...figures, part: "FILE", about: month, negative });
		for (const { row, corrected } of corrections)
			write({ ...about, ...corrected, part: "FILE", about: row.about, correctsMonth: row.month, correctsNumber: row.number, reason: null });
	}
	return { rows, notices, listed, ended, walk, isWhole: true };
}

function whyLeftOut(borrower: Borrower | undefined, currency: string, walk: Walk): LeftOutReason | null {
	if (currency !== walk.currency) return "OTHER_CURRENCY";
	if (!borrower?.name) return "NO_NAME";
	return borrower.mobileNumber === null ? "NO_MOBILE_NUMBER" : null;
}

function noticeOf(of: Of, { id, userId, currency }: BookRecords["account"], { owed }: Figures): ListingRow {
	const { settings, today, now, walk } = of;
	return {
		...{ id: of.newId(), organizationId: settings.organizationId, accountId: id, userId, amount: owed, currency },
		...{ noticedOn: today, listableFrom: addDays(today, walk.noticeDays), status: "NOTIFIED" },
		...{ listedMonth: null, endedMonth: null, createdAt: now },
	};
}

/** The last row about each month, in the order of these months. */
function newestByMonth(rows: readonly BureauRow[]): BureauRow[] {
	const newest = new Map<string, BureauRow>();
	for (const row of rows) {
		const known = newest.get(row.about);
		if (!known || known.month < row.month) newest.set(row.about, row);
	}
	return [...newest.values()].sort((one, other) => (one.about < other.about ? -1 : 1));
}

function correctedBy(
	row: BureauRow,
	records: BookRecords,
	position: LoanPositionRow,
	{ lastDay, rules, threshold }: { lastDay: CalendarDate; rules: readonly RulesVersion[]; threshold: number },
) {
	const day = lastDayOf(row.about);
	if (!isTouched(records, { since: lastDayOf(row.month), knownAt: lastDay, day })) return undefined;
	const known = figuresOf(records, position, { day, knownAt: lastDay, rules });
	// Everything was taken back: nothing is owed, and nothing was paid.
	const nothing = { ...row, status: "SETTLED", owed: 0, overdue: 0, daysPastDue: 0, paidOn: null, paidAmount: null } as const;
	return correctionOf(row, known ?? nothing, threshold);
}
