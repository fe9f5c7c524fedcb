// Builds the SQL for the results of a comparison: the days of a statement, its open breaks, and the removal of a discarded statement.

import { and, asc, desc, eq, getTableColumns, lt, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bareList } from "../../db/columns";
import type { Effect, Orm, Write } from "../../db/database";
import { guarded } from "../../db/guards";
import { first } from "../../db/reads";
import { addDays } from "../../shared/time";
import { CHARGED, TAKEN, unnameCharges } from "./charges.store";
import type { Day, DaySums } from "./days.policy";
import { LINES } from "./store";
import {
	type BreakRow,
	IS_CHARGE_LEFT,
	IS_KEPT,
	IS_OPEN,
	type LineRow,
	providerStatements,
	type StatementRow,
	statementBreaks,
	statementDays,
	statementLines,
} from "./table";
import type { BreaksOfDay } from "./wire";

const eachDay = alias(statementDays, "each_day");
const eachLine = alias(statementLines, "each_line");
const eachBreak = alias(statementBreaks, "each_break");

/** The most open breaks of a statement that are counted and summed. */
export const MOST_BREAKS = 1_000;
/** How many lines, and how many breaks, one portion removes. */
const REMOVED = 500;

/** Charges that an earlier comparison found no payment or payout for, which may have been recorded since. */
export const findChargesLeft = (orm: Orm, { id, round }: StatementRow) =>
	orm
		.select()
		.from(statementLines)
		.where(and(eq(statementLines.statementId, id), lt(statementLines.round, round), IS_CHARGE_LEFT))
		.limit(LINES);

const edge = (orm: Orm, id: string, order: typeof asc) =>
	first(
		orm
			.select({ at: statementLines.at })
			.from(statementLines)
			.where(eq(statementLines.statementId, id))
			.orderBy(order(statementLines.row))
			.limit(1),
	);

/** The times of the file's first and last lines, and the closing balance of the account's statement that ends on the day before. */
export const findEdges = (orm: Orm, { id, organizationId, channel, number, account, fromDay }: StatementRow) => ({
	first: edge(orm, id, asc),
	last: edge(orm, id, desc),
	before: first(
		orm
			.select({
				closing: sql<number | null>`(select ${eachDay.closing} from ${statementDays} ${eachDay}
				where ${eachDay.statementId} = ${providerStatements.id} order by ${eachDay.day} desc limit 1)`.as("closing"),
			})
			.from(providerStatements)
			.where(
				and(
					eq(providerStatements.organizationId, organizationId),
					eq(providerStatements.channel, channel),
					eq(providerStatements.number, number),
					eq(providerStatements.account, account),
					IS_KEPT,
					eq(providerStatements.toDay, addDays(fromDay, -1)),
				),
			)
			.limit(1),
	),
});

/** The sums of each day. Lines of the same instant are in the order of the file, or in its reverse if the file has the newest first. */
export function sumDays(orm: Orm, id: string, newestFirst: boolean) {
	const { at, row, day, amount, fee, balance } = statementLines;
	const place = sql`${at} * 100000 + ${newestFirst ? sql`99999 - ${row}` : row}`;
	const ofStatement = sql`from ${statementLines} where ${statementLines.statementId} = ${id} group by ${day}`;
	return orm.all<DaySums>(sql`
		select sums.day as "day", sums.lines as "lines", sums.money_in as "moneyIn", sums.money_out as "moneyOut", sums.charges as "charges",
			sums.charged as "charged", firsts.balance as "first", lasts.balance as "last"
		from (select ${day} as day, count(*) as lines, sum(max(${amount}, 0)) as money_in, sum(max(-${amount}, 0) + ${fee}) as money_out,
				sum(${TAKEN}) as charges, sum(${CHARGED}) as charged ${ofStatement}) sums
			join (select ${day} as day, min(${place}), ${balance} - ${amount} + ${fee} as balance ${ofStatement}) firsts on firsts.day = sums.day
			join (select ${day} as day, max(${place}), ${balance} as balance ${ofStatement}) lasts on lasts.day = sums.day
		order by sums.day`);
}

const DAY_COLUMNS = ["day", "lines", "moneyIn", "moneyOut", "charges", "opening", "closing", "difference"] as const;

export const writeDays = (orm: Orm, { id, organizationId }: StatementRow, days: readonly Day[]): Write[] => [
	orm.delete(statementDays).where(eq(statementDays.statementId, id)),
	orm.run(
		sql`insert into ${statementDays} (${bareList(
			statementDays.statementId,
			statementDays.organizationId,
			...DAY_COLUMNS.map((name) => statementDays[name]),
		)}) select ${id}, ${organizationId}, ${sql.join(
			DAY_COLUMNS.map((name) => sql`value ->> ${sql.raw(`'${name}'`)}`),
			sql`, `,
		)} from json_each(${JSON.stringify(days)})`,
	),
];

export const findDays = (orm: Orm, id: string) =>
	orm.select().from(statementDays).where(eq(statementDays.statementId, id)).orderBy(statementDays.day);

/** The open breaks of each day. */
export const findOpenByDay = (orm: Orm, id: string) =>
	orm.all<BreaksOfDay>(sql`select day as "day", count(*) as "breaks", sum(difference) as "unexplained" from (
		select ${eachBreak.day} as day, ${eachBreak.difference} as difference from ${statementBreaks} ${eachBreak}
		where ${eachBreak.statementId} = ${id} and ${eachBreak.status} = 'OPEN' limit ${MOST_BREAKS}) group by day order by day`);

const ofEachDay = (what: SQL): SQL<number> =>
	sql`(select ${what} from ${statementDays} ${eachDay} where ${eachDay.statementId} = "provider_statements"."id")`;
const ofOpenBreaks = (what: SQL): SQL<number> => sql`(select ${what} from (
	select ${eachBreak.difference} as difference from ${statementBreaks} ${eachBreak}
	where ${eachBreak.statementId} = "provider_statements"."id" and ${eachBreak.status} = 'OPEN' limit ${sql.raw(String(MOST_BREAKS))}))`;

/** Each statement with what its days and its open breaks make together. */
export const selectListed = (orm: Orm) =>
	orm
		.select({
			...getTableColumns(providerStatements),
			difference: ofEachDay(sql`coalesce(sum(${eachDay.difference}), 0)`).as("difference_of_days"),
			untiedDays: ofEachDay(sql`count(nullif(${eachDay.difference}, 0))`).as("untied_days"),
			breaks: ofOpenBreaks(sql`count(*)`).as("open_breaks"),
			unexplained: ofOpenBreaks(sql`coalesce(sum(difference), 0)`).as("unexplained"),
		})
		.from(providerStatements);

export const findBreak = (orm: Orm, organizationId: string, id: string) =>
	orm
		.select()
		.from(statementBreaks)
		.where(and(eq(statementBreaks.id, id), eq(statementBreaks.organizationId, organizationId)));

/** Stale if somebody else has decided the break. The break loses what the payer typed; a payment that was recorded has it. */
export const decideBreak = (
	orm: Orm,
	{ id }: BreakRow,
	to: Partial<Pick<BreakRow, "status" | "decidedBy" | "decidedAt" | "reason" | "paymentId">>,
): Effect =>
	guarded(
		orm
			.update(statementBreaks)
			.set({ ...to, reference: null, nextAttemptAt: null })
			.where(and(eq(statementBreaks.id, id), IS_OPEN)),
	);

/** Takes the line of a decided break out of later comparisons. */
export const settleLine = (
	orm: Orm,
	{ statementId, row }: BreakRow,
	to: Partial<Pick<LineRow, "status" | "factKind" | "factKey">>,
): Effect[] =>
	row === null
		? []
		: [
				guarded(
					orm
						.update(statementLines)
						.set({ ...to, reference: null, linked: null })
						.where(and(eq(statementLines.statementId, statementId), eq(statementLines.row, row))),
				),
			];

const hasLines = (id: string): SQL => sql`exists (select 1 from ${statementLines} where ${statementLines.statementId} = ${id})`;

/** Removes a portion of a discarded statement's lines, and discards as many of its open breaks; breaks that somebody has decided stay. */
export const removePortion = (orm: Orm, { id, organizationId }: Pick<StatementRow, "id" | "organizationId">, now: number): Write[] => [
	unnameCharges(
		orm,
		{ id, organizationId },
		sql`select ${eachLine.row} from ${statementLines} ${eachLine} where ${eachLine.statementId} = ${id} order by ${eachLine.row} limit ${REMOVED}`,
		now,
	),
	orm.delete(statementDays).where(eq(statementDays.statementId, id)),
	orm
		.delete(statementLines)
		.where(
			sql`(${statementLines.statementId}, ${statementLines.row}) in (select ${statementLines.statementId}, ${statementLines.row} from ${statementLines} where ${statementLines.statementId} = ${id} order by ${statementLines.row} limit ${REMOVED})`,
		),
	orm
		.update(statementBreaks)
		.set({ status: "DISCARDED", reference: null, nextAttemptAt: null })
		.where(
			sql`${statementBreaks.id} in (select ${eachBreak.id} from ${statementBreaks} ${eachBreak}
				where ${eachBreak.statementId} = ${id} and ${eachBreak.status} = 'OPEN' limit ${REMOVED})`,
		),
];

/** One row while a discarded statement still has lines or open breaks. */
export const findLeft = (orm: Orm, id: string) =>
	orm.all<{ readonly left: number }>(sql`select 1 as "left" where ${hasLines(id)} or exists (
		select 1 from ${statementBreaks} ${eachBreak} where ${eachBreak.statementId} = ${id} and ${eachBreak.status} = 'OPEN')`);
