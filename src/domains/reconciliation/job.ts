// Compares statements with what is recorded here, a portion at a time: each line first, then what must be on it and is not.

import { first } from "../../db/reads";
import { unlessStale } from "../../db/stale";
import type { JobServices } from "../../runtime/services";
import { startOfDay } from "../../shared/time";
import { planMissing, planOutcomes } from "./breaks.plan";
import { keepCharges } from "./charges.store";
import { tieOut } from "./days.policy";
import { factsOf, isPaidFrom, isPaidTo, isTakenBack, ofPayments, ofPayouts, ofTreasury } from "./facts.plan";
import { beginOf, FACTS, type FoundPayment, type FoundPayout, findByReceipts, findByReferences, STAGES, spanOf } from "./facts.store";
import { BUSY_STATES } from "./lifecycle";
import {
	byReceipt,
	byReference,
	type Compared,
	type Fact,
	isReported,
	type ReportedFacts,
	reportedFacts,
	type Verdict,
} from "./match.policy";
import { findBusy, findNext, findReportingLines, moveStatement, resolveBreaks, whileLineIs, whileStill } from "./store";
import type { LineRow, StatementRow } from "./table";
import { findChargesLeft, findEdges, findLeft, removePortion, sumDays, writeDays } from "./work.store";

/** Does a portion of the work on the statement that has waited longest. Returns whether more may be to do. */
export async function workOnStatements(services: JobServices): Promise<boolean> {
	const { db } = services;
	const found = await db.read(first(findBusy(db.orm)));
	const state = BUSY_STATES.find((busy) => busy === found?.status);
	if (!found || !state) return false;
	try {
		// Stale: another run of the sweep has done this portion.
		await unlessStale(() => WORK[state](services, found));
	} catch (error) {
		services.log.error("a statement could not be worked on", error, { organization_id: found.organizationId, statement_id: found.id });
		// Others go on meanwhile.
		await unlessStale(() => services.commit([moveStatement(db.orm, found, {}, services.now)]));
		return false;
	}
	return true;
}

const comparedOf = (lines: readonly LineRow[], { mapping }: StatementRow): readonly Compared[] =>
	lines.map((line) => ({ ...line, hasTime: line.at !== startOfDay(line.day, mapping.time_zone) }));

type Work = (services: JobServices, statement: StatementRow) => Promise<unknown>;

const match: Work = async (services, statement) => {
	const { db, now } = services;
	const { next, charges } = await db.read({ next: findNext(db.orm, statement, "MATCHING"), charges: findChargesLeft(db.orm, statement) });
	const lines = next.length > 0 ? next : charges;
	if (lines.length === 0) return services.commit([moveStatement(db.orm, statement, { status: "SEEKING" }, now)]);
	const found = await Promise.all(
		services.everywhere().map((there) => there.db.read(findByReceipts(there.db.orm, statement.organizationId, lines))),
	);
	const facts = factsOf(found, statement);
	return keep(
		services,
		statement,
		lines,
		byReceipt(comparedOf(lines, statement), facts, await reportedElsewhere(services, statement, lines, facts)),
	);
};

const seek: Work = async (services, statement) => {
	const { db, now } = services;
	const lines = await db.read(findNext(db.orm, statement, "SEEKING"));
	if (lines.length === 0)
		return services.commit([moveStatement(db.orm, statement, { status: "LOOKING", cursor: beginOf(0, statement) }, now)]);
	const referred = lines.filter(({ reference }) => reference !== null);
	const places = referred.length === 0 ? [] : services.everywhere();
	const found = await Promise.all(places.map((there) => there.db.read(findByReferences(there.db.orm, statement.organizationId, referred))));
	const facts = found.flatMap(({ booked, unmatched, confirmed, payouts, treasury }) => [
		...ofTreasury(treasury, statement),
		...ofPayments([...booked, ...unmatched, ...confirmed], statement.currency),
		...ofPayouts(payouts, statement.currency),
	]);
	return keep(
		services,
		statement,
		lines,
		byReference(comparedOf(lines, statement), facts, await reportedElsewhere(services, statement, lines, facts)),
	);
};

const keep = (services: JobServices, statement: StatementRow, lines: readonly LineRow[], verdicts: readonly Verdict[]) =>
	services.commit([whileStill(statement), ...lines.slice(0, 1).map(whileLineIs), ...planOutcomes(services, statement, lines, verdicts)]);

/** Those of the facts that lines outside of this portion report, of this statement or another. */
async function reportedElsewhere(
	services: JobServices,
	{ id, organizationId }: StatementRow,
	lines: readonly LineRow[],
	facts: readonly Fact[],
): Promise<ReportedFacts> {
	if (facts.length === 0) return new Set();
	const rows = new Set(lines.map(({ row }) => row));
	const found = await services.db.read(findReportingLines(services.db.orm, organizationId, [...new Set(facts.map(({ key }) => key))]));
	return reportedFacts(
		found.flatMap(({ kind, key, statementId, row }) =>
			kind === null || key === null || (statementId === id && rows.has(row)) ? [] : [{ kind, key }],
		),
	);
}

/** `isOver`: the fact need not be on the statement any more. */
type Found = { readonly fact: Fact | undefined; readonly isOver?: boolean; readonly at: number; readonly id: string };

const look: Work = async (services, statement) => {
	const { db, now } = services;
	const cursor = statement.cursor ?? beginOf(0, statement);
	const stage = STAGES[cursor.stage];
	if (!stage) return tieOutAndEnd(services, statement);
	const next = beginOf(cursor.stage + 1, statement);
	const isExpected = statement.expects.some((expected) => (expected === "PAYMENTS") === (stage.of === "PAYMENTS"));
	if (!isExpected) return services.commit([whileStill(statement), moveStatement(db.orm, statement, { cursor: next }, now)]);
	const pages = await Promise.all(services.everywhere().map((there) => there.db.read(stage.find(there.db.orm, statement, cursor))));
	const rows = pages
		.flat()
		.map((row) => ("details" in row ? ofPayment(row, statement) : ofPayout(row, statement)))
		.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
		.slice(0, FACTS);
	const last = rows.at(-1);
	const to = rows.length < FACTS || !last ? next : { stage: cursor.stage, at: last.at, id: last.id };
	const [from, until] = spanOf(statement);
	const facts = rows.flatMap(({ fact }) => (fact && fact.at >= from && fact.at < until ? [fact] : []));
	const reported = await reportedElsewhere(services, statement, [], facts);
	const missing = rows.flatMap(({ fact, isOver }) =>
		fact && !isOver && facts.includes(fact) && !isReported(reported, fact) ? [fact] : [],
	);
	const over = rows.flatMap(({ fact, isOver }) => (fact && isOver ? [fact] : []));
	return services.commit([
		whileStill(statement),
		...planMissing(services, statement, missing),
		...(over.length > 0 ? resolveBreaks(db.orm, statement, [], over) : []),
		moveStatement(db.orm, statement, { cursor: to }, now),
	]);
};

function ofPayment(row: FoundPayment, statement: StatementRow): Found {
	const [fact] = isPaidTo(row, statement) ? ofPayments([row], statement.currency) : [];
	return { fact, isOver: isTakenBack(row), at: row.createdAt, id: row.id };
}

function ofPayout(row: FoundPayout, statement: StatementRow): Found {
	const [fact] = isPaidFrom(row, statement) ? ofPayouts([row], statement.currency) : [];
	return { fact, at: row.at ?? 0, id: row.id };
}

const tieOutAndEnd: Work = async (services, statement) => {
	const { db, now } = services;
	const edges = await db.read(findEdges(db.orm, statement));
	const [firstAt, lastAt] = [edges.first?.at ?? 0, edges.last?.at ?? 0];
	// The portal of M-Pesa writes the newest first.
	const newestFirst = firstAt === lastAt ? statement.channel === "MPESA" : firstAt > lastAt;
	const sums = await db.read(sumDays(db.orm, statement.id, newestFirst));
	const days = tieOut(sums, edges.before?.closing ?? null);
	return services.commit([
		whileStill(statement),
		...writeDays(db.orm, statement, days),
		...keepCharges(
			db.orm,
			statement,
			days.map(({ day, charged }) => ({ id: services.newId(), day, charged })),
			now,
		),
		moveStatement(db.orm, statement, { status: "COMPARED", cursor: null }, now),
	]);
};

const discard: Work = async (services, statement) => {
	const { db, now } = services;
	const left = await db.read(findLeft(db.orm, statement.id));
	if (left.length === 0) {
		return services.commit([
			moveStatement(db.orm, statement, { status: "DISCARDED", cursor: null }, now),
			...keepCharges(db.orm, statement, [], now),
		]);
	}
	return services.commit([whileStill(statement), ...removePortion(db.orm, statement, now)]);
};

const WORK = { MATCHING: match, SEEKING: seek, LOOKING: look, DISCARDING: discard } as const;
