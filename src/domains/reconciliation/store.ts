// Builds the SQL for providers' statements, their lines and breaks. A portion of work is committed on the condition that nobody has done it
// yet, so that two sweeps do it once.

import { and, asc, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bare, bareList, excluded, isOneOf } from "../../db/columns";
import type { Effect, Orm, Write } from "../../db/database";
import { guarded, orStaleUnless } from "../../db/guards";
import { first } from "../../db/reads";
import { addDays } from "../../shared/time";
import type { Line } from "./format.policy";
import type { BusyState } from "./lifecycle";
import type { Fact } from "./match.policy";
import {
	type BreakRow,
	IS_KEPT,
	IS_NOT_MATCHED,
	IS_OPEN,
	type LineRow,
	providerStatements,
	type StatementRow,
	statementBreaks,
	statementLines,
} from "./table";

const eachStatement = alias(providerStatements, "each_statement");
const eachLine = alias(statementLines, "each_line");

/** The most lines of one portion of the work. */
export const LINES = 200;
/** The most days of one statement. */
export const MAX_DAYS = 92;

type Account = Pick<StatementRow, "organizationId" | "channel" | "number" | "account">;
const ofAccount = ({ organizationId, channel, number, account }: Account) =>
	and(
		eq(providerStatements.organizationId, organizationId),
		eq(providerStatements.channel, channel),
		eq(providerStatements.number, number),
		eq(providerStatements.account, account),
	);

export const findStatement = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select()
		.from(providerStatements)
		.where(and(eq(providerStatements.id, id), eq(providerStatements.organizationId, organizationId)));

type Days = Account & Pick<StatementRow, "fromDay" | "toDay">;

/** The account's statements that have any of the days. None is longer than MAX_DAYS, so the index is read from that long before. */
const overlaps = (of: Days): SQL | undefined =>
	and(
		ofAccount(of),
		IS_KEPT,
		lte(providerStatements.fromDay, of.toDay),
		gte(providerStatements.fromDay, addDays(of.fromDay, -MAX_DAYS)),
		gte(providerStatements.toDay, of.fromDay),
	);

/** The statement of this file, a statement that has any of the same days, and the mapping of the account's last statement. */
export const findPriorStatements = (orm: Orm, of: Days, sha256: string) => ({
	known: first(
		orm
			.select()
			.from(providerStatements)
			.where(and(ofAccount(of), eq(providerStatements.sha256, sha256), IS_KEPT)),
	),
	other: first(orm.select().from(providerStatements).where(overlaps(of)).limit(1)),
	last: first(
		orm
			.select({ mapping: providerStatements.mapping })
			.from(providerStatements)
			.where(ofAccount(of))
			.orderBy(sql`${providerStatements.fromDay} desc`)
			.limit(1),
	),
});

export const insertStatement = (orm: Orm, row: StatementRow): Write[] => [
	orStaleUnless(sql`not exists (select 1 from ${providerStatements} where ${overlaps(row)})`),
	orm.insert(providerStatements).values(row),
];

/** Stale if the statement is not as it was read. */
const isAsRead = ({ id, status, revision, round }: StatementRow) =>
	and(
		eq(providerStatements.id, id),
		eq(providerStatements.status, status),
		eq(providerStatements.revision, revision),
		eq(providerStatements.round, round),
	);

type Move = Partial<Pick<StatementRow, "status" | "round" | "cursor" | "rows" | "header">>;
export const moveStatement = (orm: Orm, row: StatementRow, to: Move, now: number): Effect =>
	guarded(
		orm
			.update(providerStatements)
			.set({ ...to, updatedAt: now })
			.where(isAsRead(row)),
	);

/** Stale if the statement has left the state in which its work was read, or this portion is done. */
export const whileStill = ({ id, status, round, cursor }: StatementRow): Write =>
	orStaleUnless(
		sql`exists (select 1 from ${providerStatements} ${eachStatement} where ${eachStatement.id} = ${id} and ${eachStatement.status} = ${status}
			and ${eachStatement.round} = ${round} and ${eachStatement.cursor} is ${cursor === null ? null : JSON.stringify(cursor)})`,
	);

/** Stale if the line has changed since it was read: then another sweep has done the portion. */
export const whileLineIs = ({ statementId, row, status, round }: LineRow): Write =>
	orStaleUnless(
		sql`exists (select 1 from ${statementLines} ${eachLine} where ${eachLine.statementId} = ${statementId} and ${eachLine.row} = ${row}
			and ${eachLine.status} = ${status} and ${eachLine.round} = ${round})`,
	);

export type PlacedLine = Line & { readonly row: number };

const LINE_COLUMNS = ["at", "day", "kind", "receipt", "linked", "reference", "amount", "fee", "balance"] as const;

/** Stores the lines of a portion. A line that was sent before is replaced if it differs, and is compared again. */
export function storeLines(
	orm: Orm,
	statement: StatementRow,
	lines: readonly PlacedLine[],
	sent: Pick<StatementRow, "rows" | "header">,
	now: number,
): Write[] {
	const { id, organizationId, revision } = statement;
	const { statementId, row, status, round, factKind, factKey, chargeDay, chargeOf } = statementLines;
	const columns = LINE_COLUMNS.map((name) => statementLines[name]);
	// What a settled line no longer has is no difference.
	const changes = LINE_COLUMNS.map((name) => {
		const column = statementLines[name];
		const differs = sql`${column} is not ${excluded(column)}`;
		return name === "reference" || name === "linked" ? sql`(${differs} and ${status} not in ('MATCHED', 'EXPLAINED'))` : differs;
	});
	const values = LINE_COLUMNS.map((name) => sql`value ->> ${sql.raw(`'${name}'`)}`);
	return [
		orm.run(sql`insert into ${statementLines} (${bareList(statementId, row, statementLines.organizationId, ...columns, status, round, statementLines.revision)})
			select ${id}, value ->> 'row', ${organizationId}, ${sql.join(values, sql`, `)}, 'STAGED', 0, ${revision + 1} from json_each(${JSON.stringify(lines)}) where true
			on conflict (${bareList(statementId, row)}) do update set ${sql.join(
				[...columns, statementLines.revision].map((column) => sql`${bare(column)} = ${excluded(column)}`),
				sql`, `,
			)}, ${assign(statementLines, { status: "STAGED", round: 0, [factKind.name]: null, [factKey.name]: null, [chargeDay.name]: null, [chargeOf.name]: null })}
			where ${sql.join(changes, sql` or `)}`),
		guarded(
			orm
				.update(providerStatements)
				.set({
					...sent,
					updatedAt: now,
					revision: revision + 1,
					status: sql`iif(exists (select 1 from ${statementLines} ${eachLine} where ${eachLine.statementId} = ${id} and ${eachLine.status} = 'STAGED'
						and ${eachLine.round} = 0 and ${IS_NOT_MATCHED}), 'OPEN', ${providerStatements.status})`,
				})
				.where(isAsRead(statement)),
		),
	];
}

/** The statement that has waited longest for work. */
export const findBusy = (orm: Orm) =>
	orm
		.select()
		.from(providerStatements)
		.where(sql`${providerStatements.status} in ('MATCHING', 'SEEKING', 'LOOKING', 'DISCARDING')`)
		.orderBy(asc(providerStatements.updatedAt))
		.limit(1);

/** The next lines: in MATCHING those that this comparison has not looked at, in SEEKING those that are LEFT. */
export function findNext(orm: Orm, { id, round }: StatementRow, state: BusyState) {
	const takes =
		state === "MATCHING"
			? sql`${statementLines.status} in ('STAGED', 'BREAK') and ${statementLines.round} < ${round}`
			: sql`${statementLines.status} = 'LEFT'`;
	return orm
		.select()
		.from(statementLines)
		.where(and(eq(statementLines.statementId, id), takes, IS_NOT_MATCHED))
		.limit(LINES);
}

/** The lines that report a fact with one of these keys. */
export const findReportingLines = (orm: Orm, organizationId: string, keys: readonly string[]) =>
	orm
		.select({
			kind: statementLines.factKind,
			key: statementLines.factKey,
			statementId: statementLines.statementId,
			row: statementLines.row,
		})
		.from(statementLines)
		.where(
			and(
				eq(statementLines.organizationId, organizationId),
				isOneOf(statementLines.factKey, keys),
				sql`${statementLines.factKey} is not null`,
			),
		);

export type Outcome = {
	readonly row: number;
	readonly status: string;
	readonly factKind: string | null;
	readonly factKey: string | null;
	readonly chargeDay: string | null;
	readonly chargeOf: string | null;
};

/** Writes the outcome of the comparison to its lines. A matched line has no text of a payer any more. */
export function recordOutcomes(orm: Orm, { id, round }: StatementRow, outcomes: readonly Outcome[]): Write {
	const byRow = JSON.stringify(Object.fromEntries(outcomes.map((outcome) => [outcome.row, outcome])));
	const of = (name: keyof Outcome) => sql`${byRow} ->> ('$."' || ${statementLines.row} || ${`".${name}`})`;
	return orm.run(
		sql`update ${statementLines} set ${assign(statementLines, {
			status: of("status"),
			round,
			factKind: of("factKind"),
			factKey: of("factKey"),
			chargeDay: of("chargeDay"),
			chargeOf: of("chargeOf"),
			reference: sql`iif(${of("status")} = 'MATCHED', null, ${statementLines.reference})`,
			linked: sql`iif(${of("status")} = 'MATCHED', null, ${statementLines.linked})`,
		})} where ${statementLines.statementId} = ${id} and ${statementLines.row} in (select value from json_each(${JSON.stringify(
			outcomes.map(({ row }) => row),
		)}))`,
	);
}

/**
 * Keeps the breaks. A break that was resolved, or was of a discarded statement, is open again; a break that somebody has decided stays as
 * it is.
 */
export function keepBreaks(orm: Orm, rows: readonly BreakRow[]): Write[] {
	const { id, createdAt, organizationId, row, ...rest } = statementBreaks;
	const columns = BREAK_COLUMNS.map((name) => statementBreaks[name]);
	const values = BREAK_COLUMNS.map((name) => sql`value ->> ${sql.raw(`'${name}'`)}`);
	const again = columns.filter((column) => ![id, createdAt, organizationId, row].some((one) => one.name === column.name));
	// The provider was asked about another receipt or amount, or before the break was over.
	const isSameQuestion = sql`${rest.status} = 'OPEN' and ${sql.join(
		[rest.kind, rest.receipt, rest.amount, rest.recorded].map((column) => sql`${column} is ${excluded(column)}`),
		sql` and `,
	)}`;
	const insert = (of: readonly BreakRow[], target: SQL) =>
		orm.run(sql`insert into ${statementBreaks} (${bareList(...columns)}) select ${sql.join(values, sql`, `)} from json_each(${JSON.stringify(of)}) where true
			on conflict ${target} do update set ${sql.join(
				[
					...again.map((column) => sql`${bare(column)} = ${excluded(column)}`),
					...ASKED.map((name) => sql`${bare(statementBreaks[name])} = iif(${isSameQuestion}, ${statementBreaks[name]}, null)`),
				],
				sql`, `,
			)} where ${rest.status} in ('OPEN', 'RESOLVED', 'DISCARDED')`);
	const ofLines = rows.filter((each) => each.row !== null);
	const ofNone = rows.filter((each) => each.row === null);
	return [
		...(ofLines.length > 0 ? [insert(ofLines, sql`(${bareList(rest.statementId, row)}) where "row" is not null`)] : []),
		...(ofNone.length > 0 ? [insert(ofNone, sql`(${bareList(organizationId, rest.factKind, rest.factKey)}) where "row" is null`)] : []),
	];
}

const ASKED = ["askedProvider", "askedAt", "answer", "nextAttemptAt"] as const;

const BREAK_COLUMNS = [
	...(["id", "organizationId", "statementId", "row", "kind", "status", "action", "day", "at", "receipt", "reference"] as const),
	...(["amount", "recorded", "difference", "currency", "factKind", "factKey", "recordedId", "createdAt"] as const),
] as const;

/** Resolves the open breaks of these lines, which match, and the breaks of these facts, which are on a line now. They lose what a payer typed. */
export const resolveBreaks = (
	orm: Orm,
	{ id, organizationId }: StatementRow,
	rows: readonly number[],
	facts: readonly Pick<Fact, "kind" | "key">[],
): Write[] => [
	orm
		.update(statementBreaks)
		.set({ status: "RESOLVED", reference: null, nextAttemptAt: null })
		.where(
			and(
				eq(statementBreaks.statementId, id),
				sql`${statementBreaks.row} in (select value from json_each(${JSON.stringify(rows)})) and "row" is not null`,
				IS_OPEN,
			),
		),
	orm
		.update(statementBreaks)
		.set({ status: "RESOLVED", reference: null, nextAttemptAt: null })
		.where(
			and(
				eq(statementBreaks.organizationId, organizationId),
				sql`(${statementBreaks.factKind}, ${statementBreaks.factKey}) in (select value ->> 'kind', value ->> 'key' from json_each(${JSON.stringify(facts)})) and "row" is null`,
				IS_OPEN,
			),
		),
];
