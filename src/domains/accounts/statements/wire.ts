// Issued statements on the wire.

import * as z from "zod";
import { LOCALES } from "../../../shared/locale";
import { toTimestamp } from "../../../shared/time";
import { LocalDate } from "../../../shared/timestamp";
import { StatementEntry } from "../wire";
import type { IssuedStatementRow } from "./table";

/** More are as many pages as one prints, and 300 kB. */
export const MOST_ENTRIES = 1_000;

const amount = z.int();

/** What a statement says of its account, as it is kept. */
export type StatementContent = {
	readonly lender: string | null;
	readonly account_type: "CREDIT" | "CURRENT";
	readonly account_number: string;
	readonly currency: string;
	readonly opening_balance: number;
	readonly entries: readonly z.input<typeof StatementEntry>[];
	readonly closing_balance: number;
};

const Reference = z.object({ id: z.uuid(), number: z.int() }).nullable();

export const IssuedStatement = z
	.object({
		id: z.uuid(),
		number: z.int().meta({ description: "From 1 in each organization, without gaps" }),
		account_id: z.uuid(),
		from: z.iso.date(),
		to: z.iso.date(),
		issued_at: z.iso.datetime(),
		sha256: z.string().meta({ description: "Of what it says of the account" }),
		replaces: Reference.meta({ description: "The statement of the same days that it corrects" }),
		replaced_by: Reference.meta({ description: "The statement that corrects it" }),
	})
	.meta({ id: "IssuedStatement" });

export const IssuedStatementContent = z
	.object({
		...IssuedStatement.shape,
		locale: z.enum(LOCALES).meta({ description: "The language of its PDF file" }),
		brand_color: z.string(),
		lender: z.string().nullable(),
		holder: z.string().nullable().meta({ description: "The holder's name at the time; null where nobody knew it, or once it was erased" }),
		account_type: z.enum(["CREDIT", "CURRENT"]),
		account_number: z.string(),
		currency: z.string(),
		opening_balance: amount,
		entries: z.array(StatementEntry),
		closing_balance: amount,
	})
	.meta({ id: "IssuedStatementContent" });

export const StatementBody = z
	.object({
		from: LocalDate.meta({ description: "The first day" }),
		to: LocalDate.meta({ description: "The last day: today or earlier" }),
	})
	.meta({ examples: [{ from: "2026-01-01", to: "2026-01-31" }] });

/** A row with the numbers of the statements that it corrects, and that corrects it. */
export type ShownStatement = Omit<IssuedStatementRow, "content"> & {
	readonly replacesNumber: number | null;
	readonly replacedById: string | null;
	readonly replacedByNumber: number | null;
};

const reference = (id: string | null, number: number | null) => (id === null || number === null ? null : { id, number });

export const toIssuedStatement = (row: ShownStatement): z.input<typeof IssuedStatement> => ({
	id: row.id,
	number: row.number,
	account_id: row.accountId,
	from: row.firstDay,
	to: row.lastDay,
	issued_at: toTimestamp(row.createdAt),
	sha256: row.sha256,
	replaces: reference(row.replacesId, row.replacesNumber),
	replaced_by: reference(row.replacedById, row.replacedByNumber),
});
