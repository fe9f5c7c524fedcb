// Statements and their breaks on the wire.

import * as z from "zod";
import { list } from "../../shared/bounded";
import { isCurrency } from "../../shared/currency";
import { all, has, is, lacks, when } from "../../shared/schema-rules";
import { isShown, MUST_BE_SHOWN } from "../../shared/shown-text";
import { isTimeZone, toTimestamp } from "../../shared/time";
import { LocalDate } from "../../shared/timestamp";
import { COLUMNS, DATE_ORDERS, DECIMALS, SEPARATORS } from "./format.policy";
import { ACTIONS, ANSWERS, actionNow, BREAK_KINDS, BREAK_STATES, CHANNELS, EXPECTED, FACT_KINDS, STATEMENT_STATES } from "./lifecycle";
import type { BreakRow, StatementRow, statementDays } from "./table";

const shown = (max: number) => z.string().trim().min(1).max(max).refine(isShown, MUST_BE_SHOWN);

const MappingInput = z
	.strictObject({
		columns: z.partialRecord(z.enum(COLUMNS), shown(60)).meta({
			description: "The names in the file. It has time, and amount or paid_in and withdrawn",
			...when(has("amount"), has("time"), all(has("time"), has("paid_in"), has("withdrawn"))),
		}),
		separator: z.enum(SEPARATORS).default("COMMA"),
		decimal: z.enum(DECIMALS).default("POINT").meta({ description: "Between an amount and its minor units" }),
		date_order: z.enum(DATE_ORDERS).default("DMY").meta({ description: "Of dates that do not begin with the year" }),
		time_zone: z.string().max(64).refine(isTimeZone, "must be an IANA time zone").default("Africa/Nairobi"),
		completed: shown(60).default("Completed").meta({ description: "The `status` of a movement that happened; others are left out" }),
	})
	.refine(
		({ columns: { time, amount, paid_in, withdrawn } }) => time && (amount || (paid_in && withdrawn)),
		"columns must name time, and amount or paid_in and withdrawn",
	)
	.meta({ id: "StatementMapping" });

export const StatementBody = z
	.strictObject({
		channel: z.enum(CHANNELS),
		number: shown(64).meta({ description: "The shortcode, or the account at the bank" }),
		account: shown(60)
			.transform((account) => account.toUpperCase())
			.default("MAIN")
			.meta({ description: "Which of its accounts, such as UTILITY, WORKING or CHARGES" }),
		currency: z.string().refine(isCurrency, "must be a currency of ISO 4217"),
		from: LocalDate.meta({ description: "The first day" }),
		to: LocalDate.meta({ description: "The last day, which is over" }),
		name: shown(200).meta({ description: "Of the file" }),
		sha256: z
			.string()
			.regex(/^[0-9a-f]{64}$/, "must be 64 digits from 0 to f")
			.meta({ description: "Of the file, by which it is known again" }),
		expects: list(z.enum(EXPECTED), { max: EXPECTED.length })
			.default(["PAYMENTS", "PAYOUTS"])
			.meta({ description: "The kinds of records that it must have; PAYOUTS are those by its connection" }),
		mapping: MappingInput.optional().meta({
			description: "By default the account's last one, else the provider's; a bank's first statement needs it",
		}),
	})
	.meta({
		examples: [
			{
				...{ channel: "MPESA", number: "600100", account: "UTILITY", currency: "KES", from: "2026-01-05", to: "2026-01-05" },
				...{ name: "ORG_600100.csv", sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" },
			},
		],
	});

/** The most records of one portion, and the most characters of its text. */
export const MAX_PORTION_ROWS = 500;
const MAX_PORTION_LETTERS = 200_000;
/** The most records of one statement. */
export const MAX_ROWS = 50_000;

export const PortionBody = z
	.strictObject({
		row: z
			.int()
			.min(0)
			.max(MAX_ROWS)
			.meta({ description: "The place of its first record: the `next_row` of the portion before, 0 for the first" }),
		csv: z
			.string()
			.min(1)
			.max(MAX_PORTION_LETTERS)
			.meta({ description: `At most ${MAX_PORTION_ROWS} records as they are in the file; the first portion has the columns' names too` }),
	})
	.meta({
		examples: [
			{ row: 0, csv: "Receipt No.,Completion Time,Transaction Status,Paid In,Withdrawn\nTA51,2026-01-05 10:00:00,Completed,1.00," },
		],
	});

export const StatementPortion = z
	.object({ statement_id: z.uuid(), lines: z.int().meta({ description: "Records that moved money" }), next_row: z.int() })
	.meta({ id: "StatementPortion" });

export const ProviderStatement = z
	.object({
		id: z.uuid(),
		channel: z.enum(CHANNELS),
		number: z.string(),
		account: z.string(),
		currency: z.string(),
		from: z.iso.date(),
		to: z.iso.date(),
		name: z.string(),
		expects: z.array(z.enum(EXPECTED)),
		status: z.enum(STATEMENT_STATES).meta({ description: "COMPARED: its breaks are known" }),
		rows: z.int().meta({ description: "Records of the file that were sent" }),
		created_at: z.iso.datetime(),
		updated_at: z.iso.datetime(),
	})
	.meta({ id: "ProviderStatement" });

export const toStatement = (row: StatementRow): z.input<typeof ProviderStatement> => ({
	id: row.id,
	channel: row.channel,
	number: row.number,
	account: row.account,
	currency: row.currency,
	from: row.fromDay,
	to: row.toDay,
	name: row.name,
	expects: [...row.expects],
	status: row.status,
	rows: row.rows,
	created_at: toTimestamp(row.createdAt),
	updated_at: toTimestamp(row.updatedAt),
});

export const ListedStatement = ProviderStatement.extend({
	difference: z.int().meta({ description: "The sum of its days' differences: what the file lacks" }),
	untied_days: z.int().meta({ description: "Days whose difference is not 0" }),
	breaks: z.int().meta({ description: "Open ones" }),
	unexplained: z.int().meta({ description: "The sum of their differences" }),
}).meta({ id: "ListedStatement" });

export type ListedRow = StatementRow & {
	readonly difference: number;
	readonly untiedDays: number;
	readonly breaks: number;
	readonly unexplained: number;
};

export const toListed = ({ difference, untiedDays, breaks, unexplained, ...row }: ListedRow): z.input<typeof ListedStatement> => ({
	...toStatement(row),
	difference,
	untied_days: untiedDays,
	breaks,
	unexplained,
});

const balance = z.int().nullable();

export const StatementDay = z
	.object({
		day: z.iso.date(),
		lines: z.int(),
		opening: balance,
		in: z.int(),
		out: z.int(),
		charges: z.int().meta({ description: "Of out" }),
		closing: balance,
		difference: balance.meta({ description: "opening + in - out - closing: what the file lacks; null where it has no balances" }),
		breaks: z.int().meta({ description: "Open ones of the day" }),
		unexplained: z.int().meta({ description: "The sum of their differences" }),
	})
	.meta({ id: "StatementDay" });

export const ComparedStatement = z.object({ statement: ProviderStatement, days: z.array(StatementDay) });

export type BreaksOfDay = { readonly day: string; readonly breaks: number; readonly unexplained: number };

/** A day that has breaks and no lines gets a row too. */
export function toDays(rows: readonly (typeof statementDays.$inferSelect)[], open: readonly BreaksOfDay[]): z.input<typeof StatementDay>[] {
	const none = { lines: 0, moneyIn: 0, moneyOut: 0, charges: 0, opening: null, closing: null, difference: null };
	const days = new Set([...rows, ...open].map(({ day }) => day));
	return [...days].sort().map((day) => {
		const { lines, moneyIn, moneyOut, charges, opening, closing, difference } = rows.find((row) => row.day === day) ?? none;
		const { breaks = 0, unexplained = 0 } = open.find((row) => row.day === day) ?? {};
		return { day, lines, opening, in: moneyIn, out: moneyOut, charges, closing, difference, breaks, unexplained };
	});
}

export const StatementBreak = z
	.object({
		id: z.uuid(),
		statement_id: z.uuid(),
		kind: z.enum(BREAK_KINDS).meta({
			description: "MISSING_THERE: recorded, and not on the statement. TWICE: on a second line, or paid twice",
		}),
		status: z.enum(BREAK_STATES).meta({
			description: "RESOLVED: found since. CONFIRMED: the provider has answered that it is as recorded. DISCARDED: with its statement",
		}),
		action: z.enum(ACTIONS).meta({
			description:
				"The way on. WAIT: for the provider's answer. MOVE: by `REPAYMENT_MOVE` with the statement's amount. REVERSE: by `REPAYMENT_REVERSAL`",
		}),
		asked_at: z.iso.datetime().nullable().meta({ description: "When the provider was last asked" }),
		answer: z.enum(ANSWERS).nullable().meta({
			description: "CONFIRMED: it was made. REFUTED: not so. NONE: the provider has not answered for three days, or cannot be asked",
		}),
		at: z.iso.datetime(),
		receipt: z.string().nullable(),
		reference: z.string().nullable().meta({ description: "As the payer typed it; null once the break is over" }),
		amount: balance.meta({ description: "On the statement; less than 0 for what went out" }),
		recorded: balance.meta({ description: "As recorded here" }),
		difference: z.int(),
		currency: z.string(),
		recorded_as: z.enum(FACT_KINDS).nullable(),
		recorded_id: z.uuid().nullable(),
		reason: z.string().nullable(),
		decided_by: z.string().nullable(),
		decided_at: z.iso.datetime().nullable(),
		payment_id: z.uuid().nullable().meta({ description: "The unmatched payment as which it was recorded" }),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "StatementBreak" });

export const toBreak = (row: BreakRow): z.input<typeof StatementBreak> => ({
	id: row.id,
	statement_id: row.statementId,
	kind: row.kind,
	status: row.status,
	action: actionNow(row),
	asked_at: row.askedAt === null ? null : toTimestamp(row.askedAt),
	answer: row.answer,
	at: toTimestamp(row.at),
	receipt: row.receipt,
	reference: row.reference,
	amount: row.amount,
	recorded: row.recorded,
	difference: row.difference,
	currency: row.currency,
	recorded_as: row.factKind,
	recorded_id: row.recordedId,
	reason: row.reason,
	decided_by: row.decidedBy,
	decided_at: row.decidedAt === null ? null : toTimestamp(row.decidedAt),
	payment_id: row.paymentId,
	created_at: toTimestamp(row.createdAt),
});

export const ResolveBody = z
	.strictObject({ action: z.enum(["RECORD", "EXPLAIN"]), reason: z.string().trim().min(1).max(255).optional() })
	.meta({
		examples: [{ action: "EXPLAIN", reason: "Moved to the bank account" }],
		...when(is("action", "RECORD"), lacks("reason"), has("reason")),
	});
