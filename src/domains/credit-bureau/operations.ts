// The monthly files for a credit bureau: their settings, the files that are made, their rows, and the notices before a negative mark.

import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { byCreation, type Keyset, rowsOf } from "../../db/keyset";
import { first } from "../../db/reads";
import { alone, member } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, openPage, paging, pagingTo, readPage } from "../../http/paging";
import { ApiError, badInput, invalidState } from "../../shared/errors";
import { localDate } from "../../shared/time";
import { LEDGER_TIME_ZONE } from "../ledger/days.policy";
import { monthOf } from "../ledger/model/closing.policy";
import { FILE_PARTS, leastThreshold } from "./file.policy";
import { findFile, findSettings, putSettings } from "./store";
import { type BureauRow, creditBureauFiles, creditBureauListings, creditBureauRows, type FileRow, type SettingsRow } from "./table";
import {
	CreditBureauFile,
	CreditBureauNotice,
	CreditBureauRow,
	CreditBureauSettings,
	SettingsBody,
	toFile,
	toNotice,
	toRow,
	toSettings,
} from "./wire";

const reader = member("org:lending:read");

/** A program that reads a whole file needs few pages. */
const LONG_PAGES = 500;

export const getCreditBureauSettings = operation({
	id: "getCreditBureauSettings",
	method: "GET",
	path: "/v1/credit-bureau/settings",
	summary: "Whether monthly files for a credit bureau are made, and by which amounts and days",
	access: reader,
	request: {},
	response: CreditBureauSettings,
	async handle({ caller: { organizationId } }, { db }) {
		return toSettings(await db.read(first(findSettings(db.orm, organizationId))));
	},
});

export const putCreditBureauSettings = operation({
	id: "putCreditBureauSettings",
	method: "PUT",
	path: "/v1/credit-bureau/settings",
	summary: "Switch the monthly files for a credit bureau on or off, and say by which amounts and days",
	description:
		"The first file is that of the month in which they are switched on. It is made once the portfolios have closed the month. A file that is being made keeps the settings with which it began, and until it is made, no more than a moment, they cannot be switched off.",
	access: alone(member("org:lending:write")),
	request: { body: SettingsBody },
	response: CreditBureauSettings,
	errors: ["INVALID_STATE"],
	async handle({ body: { enabled, currency, threshold, notice_days: noticeDays }, caller: { organizationId } }, services) {
		const { db, now } = services;
		const seen = await db.read(first(findSettings(db.orm, organizationId)));
		const least = leastThreshold(currency);
		if (threshold < least) throw badInput("body.threshold", `must be at least ${least} in ${currency}, as the law demands`, "OUT_OF_RANGE");
		if (!enabled && seen?.walk) throw invalidState("A file is being made");
		const terms = { enabled, currency, threshold, noticeDays };
		const row: SettingsRow = {
			...{ organizationId, ...terms, month: nextMonthOf(seen, now), walk: seen?.walk ?? null },
			...{ nextWorkAt: enabled ? now : null, updatedAt: now },
		};
		return services.commit([putSettings(db.orm, seen, row)], toSettings(row));
	},
});

/** Months at whose end no files were wanted have none. Off and on again within a month loses none. */
function nextMonthOf(seen: SettingsRow | undefined, now: number): string {
	const monthAt = (instant: number) => monthOf(localDate(instant, LEDGER_TIME_ZONE));
	const current = monthAt(now);
	if (!seen) return current;
	// While they are off, each change of the settings moves the month on: the last one says since when it holds.
	const isKept = seen.enabled || seen.walk !== null || seen.month > current || monthAt(seen.updatedAt) === current;
	return isKept ? seen.month : current;
}

/** By month, the last one first. */
const BY_MONTH: Keyset<FileRow> = {
	at: creditBureauFiles.month,
	id: creditBureauFiles.month,
	of: (row) => [Date.parse(`${row.month}-01`), row.month],
	stored: (at) => new Date(at).toISOString().slice(0, 7),
	order: "newest",
};

export const listCreditBureauFiles = operation({
	id: "listCreditBureauFiles",
	method: "GET",
	path: "/v1/credit-bureau/files",
	summary: "The monthly files for a credit bureau, the last one first",
	access: reader,
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(CreditBureauFile), links: Links }),
	async handle({ caller: { organizationId }, query }, services) {
		const page = await readPage(services, query, {
			list: "credit-bureau-files",
			owner: organizationId,
			filters: {},
			select: rowsOf(creditBureauFiles),
			key: BY_MONTH,
			where: eq(creditBureauFiles.organizationId, organizationId),
		});
		return listReply(services, page, toFile);
	},
});

const BY_NUMBER: Keyset<BureauRow> = {
	at: creditBureauRows.number,
	id: creditBureauRows.number,
	of: ({ number }) => [number, number],
	order: "oldest",
};

export const listCreditBureauRows = operation({
	id: "listCreditBureauRows",
	method: "GET",
	path: "/v1/credit-bureau/files/{month}/rows",
	summary: "The rows of a monthly file for a credit bureau, or the accounts that it leaves out",
	description:
		"A file never changes. If a figure turns out otherwise later, the next file has a row that names and corrects the earlier row. The rows have names and documents, so it takes the permission to change loans.",
	access: member("org:lending:write"),
	tabular: true,
	request: {
		path: z.object({ month: z.string().min(1).max(255).meta({ description: "Such as 2026-03" }) }),
		query: z.object({
			part: z.enum(FILE_PARTS).default("FILE").meta({ description: "LEFT_OUT: accounts that lack what the layout requires" }),
			...pagingTo(LONG_PAGES),
		}),
	},
	response: z.object({ data: z.array(CreditBureauRow), links: Links }),
	errors: ["NOT_FOUND"],
	async handle({ caller: { organizationId }, path: { month }, query: { part, ...window } }, services) {
		const { db } = services;
		const { statement, page } = await openPage(services, window, {
			list: "credit-bureau-rows",
			owner: organizationId,
			filters: { month, part },
			select: rowsOf(creditBureauRows),
			key: BY_NUMBER,
			where: and(eq(creditBureauRows.organizationId, organizationId), eq(creditBureauRows.month, month), eq(creditBureauRows.part, part)),
		});
		const { file, rows } = await db.read({ file: first(findFile(db.orm, organizationId, month)), rows: statement });
		if (!file) throw new ApiError("NOT_FOUND");
		return listReply(services, await page(rows), toRow);
	},
});

export const listCreditBureauNotices = operation({
	id: "listCreditBureauNotices",
	method: "GET",
	path: "/v1/credit-bureau/notices",
	summary: "Notices to borrowers that a negative mark will follow, and what became of them, newest first",
	access: reader,
	tabular: true,
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(CreditBureauNotice), links: Links }),
	async handle({ caller: { organizationId }, query }, services) {
		const page = await readPage(services, query, {
			list: "credit-bureau-notices",
			owner: organizationId,
			filters: {},
			select: rowsOf(creditBureauListings),
			key: byCreation(creditBureauListings),
			where: eq(creditBureauListings.organizationId, organizationId),
		});
		return listReply(services, page, toNotice);
	},
});
