// Builds the statements on breaks about which a provider is asked.

import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { countAttempt } from "../../db/attempts";
import type { Effect, Orm } from "../../db/database";
import { guarded } from "../../db/guards";
import { first } from "../../db/reads";
import type { PaymentProvider } from "../../shared/payment-providers";
import { findConnection } from "../connections/model/store";
import { paymentConnections } from "../connections/model/table";
import { askedAgainAfter } from "../repayments/recording/confirmations.store";
import { type AnswerGiven, isEndedBy } from "./lifecycle";
import { type BreakRow, IS_ASKED, IS_OPEN, providerStatements, statementBreaks } from "./table";
import { settleLine } from "./work.store";

const eachBreak = alias(statementBreaks, "each_break");

const ofBreak = (column: "organizationId" | "statementId", which: SQL | undefined): SQL =>
	sql`(select ${eachBreak[column]} from ${statementBreaks} ${eachBreak} where ${which})`;

/** The statement of the organization's break, and the accounts by which the provider may be asked. */
export function findAskable(orm: Orm, organizationId: string, breakId: string) {
	const isIt = and(eq(eachBreak.id, breakId), eq(eachBreak.organizationId, organizationId));
	return {
		statement: first(
			orm
				.select({ channel: providerStatements.channel, number: providerStatements.number })
				.from(providerStatements)
				.where(eq(providerStatements.id, ofBreak("statementId", isIt))),
		),
		connections: orm
			.select({
				provider: paymentConnections.provider,
				shortCode: paymentConnections.shortCode,
				hasInitiator: paymentConnections.hasInitiator,
			})
			.from(paymentConnections)
			.where(eq(paymentConnections.organizationId, ofBreak("organizationId", isIt))),
	};
}

/** The break that the provider answers, and the connection by which it was asked. */
export const findAnswered = (orm: Orm, id: string) => ({
	row: first(orm.select().from(statementBreaks).where(eq(statementBreaks.id, id))),
	// About which it was asked: another shortcode may be connected by now.
	statement: first(
		orm
			.select({ number: providerStatements.number })
			.from(providerStatements)
			.where(eq(providerStatements.id, ofBreak("statementId", eq(eachBreak.id, id)))),
	),
	connection: first(findConnection(orm, { organizationId: ofBreak("organizationId", eq(eachBreak.id, id)), provider: "daraja" })),
});

/** The breaks about which the provider is to be asked again, the longest due first. */
export const findDueQuestions = (orm: Orm, now: number, most: number) =>
	orm
		.select()
		.from(statementBreaks)
		.where(and(IS_ASKED, lte(statementBreaks.nextAttemptAt, now)))
		.orderBy(asc(statementBreaks.nextAttemptAt))
		.limit(most);

type Asking = { readonly provider: PaymentProvider; readonly now: number; readonly cause: string | null };

/** Counts the first question, which follows the commit. Stale if somebody else asks, or has decided the break. */
export const startAsking = (orm: Orm, { id, attempts }: BreakRow, { provider, now, cause }: Asking): Effect =>
	guarded(
		orm
			.update(statementBreaks)
			.set({
				...{ askedProvider: provider, askedAt: now, cause, answer: null },
				...{ attempts: attempts + 1, nextAttemptAt: now + askedAgainAfter(1) },
			})
			.where(
				and(eq(statementBreaks.id, id), eq(statementBreaks.attempts, attempts), sql`${statementBreaks.nextAttemptAt} is null`, IS_OPEN),
			),
	);

/** Nobody can be asked. Stale if somebody else asks, or has decided the break. */
export const keepNoAnswer = (orm: Orm, { id }: BreakRow, now: number): Effect =>
	guarded(
		orm
			.update(statementBreaks)
			.set({ askedAt: now, answer: "NONE" })
			.where(and(eq(statementBreaks.id, id), sql`${statementBreaks.nextAttemptAt} is null`, IS_OPEN)),
	);

/** The same as `startAsking`, of a later question. */
export const askAgain = (orm: Orm, row: BreakRow, now: number): Effect =>
	countAttempt(orm, statementBreaks, row, { next: now + askedAgainAfter(row.attempts + 1), open: IS_ASKED });

/** Keeps the answer, and ends the break if the answer does. Stale if nobody asks any more. */
export function keepAnswer(orm: Orm, row: BreakRow, answer: AnswerGiven): Effect[] {
	const isEnded = isEndedBy(answer, row);
	const kept = orm
		.update(statementBreaks)
		.set({ answer, nextAttemptAt: null, ...(isEnded && { status: "CONFIRMED" as const, reference: null }) })
		.where(
			and(
				eq(statementBreaks.id, row.id),
				IS_ASKED,
				sql`${statementBreaks.receipt} is ${row.receipt} and ${statementBreaks.recorded} is ${row.recorded}`,
			),
		);
	return [guarded(kept), ...(isEnded ? settleLine(orm, row, { status: "EXPLAINED" }) : [])];
}
