// Sends the instructions to an outside disburser again that it has not accepted yet, and asks providers what became of those that they have.

import { and, eq, inArray, isNotNull, lte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Orm, StaleWrite } from "../../db/database";
import { first } from "../../db/reads";
import { unlessStale } from "../../db/stale";
import { MOST_CONNECTIONS } from "../../runtime/connections";
import { type Orders, portion, sendAgain } from "../../runtime/outbox";
import type { Inquired, Instruction, InstructionOutcome, Reported } from "../../runtime/ports";
import type { JobServices } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { HOUR_MS } from "../../shared/time";
import { pause } from "../connections/model/plan";
import { commitAnswered } from "../transfers/transaction.procedure";
import { payableNumber } from "./model/destination.policy";
import { dueOf, hasEnded, inquireAgainAfter } from "./model/lifecycle";
import { instructions } from "./model/procedure";
import { claimAttempt, claimBooking, claimInquiry, findToBook } from "./model/store";
import { disbursements, IS_ASKED } from "./model/table";
import { findEnding, isSecondReceipt, keepReport, keepSecond, mustBeKept, reportOf } from "./result.procedure";

const eachDisbursement = alias(disbursements, "disbursement");

/** Does what is due of the payouts that have not ended, the first of them. Whether more may be waiting. */
export async function sendDueInstructions(services: JobServices): Promise<boolean> {
	if (services.providers.disburser?.kind !== "remote") return false;
	const { db, now } = services;
	const { waiting, taken } = await db.read({
		waiting: findDueInstructions(db.orm, now),
		taken: findDueInquiries(db.orm, now),
	});
	const due = [...waiting, ...taken].sort((one, other) => one.nextAttemptAt - other.nextAttemptAt);
	return portion(due.slice(0, MOST_CONNECTIONS), (row) => workOn(services, row));
}

/** Asks what became of a payout that somebody has reported as over. */
export async function inquireAbout(services: JobServices, id: string): Promise<void> {
	if (services.providers.disburser?.kind !== "remote") return;
	const due = await services.db.read(first(findAsked(services.db.orm, id)));
	if (due) await workOn(services, due);
}

/** How often the booking of a payment is tried that could not be booked. */
const BOOK_AGAIN_MS = HOUR_MS;
const MOST_BOOKED = 20;

/** Books payments that were made and are in no book, the first of them. Whether more may be waiting. */
export async function bookPaidPayouts(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const due = await db.read(findToBook(db.orm, now, MOST_BOOKED));
	for (const row of due) {
		const isClaimed = await unlessStale(() => services.commit([claimBooking(db.orm, row, now + BOOK_AGAIN_MS)]));
		if (isClaimed) await bookPaid(services, row.id);
	}
	return due.length === MOST_BOOKED;
}

/**
 * Books a payment that a provider has reported after a failure, or that could not be posted then. A payment that still cannot be booked is work for people.
 */
export async function bookPaid(services: JobServices, id: string): Promise<void> {
	const found = await findEnding(services, id);
	const { contradictedAt, paidTransaction: transaction, paidAt } = found?.disbursement ?? {};
	if (!found || contradictedAt === null || !transaction) return;
	const occurredAt = paidAt ?? services.now;
	try {
		const writes = await found.end({ status: "SUCCEEDED", mobileMoneyTransactionId: transaction, failureReason: null, occurredAt });
		await commitAnswered(services, { id, transaction }, writes);
	} catch (error) {
		// Something was posted to the account meanwhile: the next sweep books it.
		if (!(error instanceof StaleWrite)) services.log.error("a payout that was made cannot be booked", error, { disbursement_id: id });
	}
}

const selectDue = (orm: Orm) =>
	orm
		.select({
			reference: eachDisbursement.id,
			status: sql<"PENDING" | "ACCEPTED" | "FAILED">`${eachDisbursement.status}`.as("due_status"),
			attempts: eachDisbursement.attempts,
			harmlessAttempts: eachDisbursement.harmlessAttempts,
			nextAttemptAt: eachDisbursement.nextAttemptAt,
			toldAt: eachDisbursement.toldAt,
			refusal: eachDisbursement.refusal,
			failureTold: eachDisbursement.failureTold,
			failureToldAt: eachDisbursement.failureToldAt,
			createdAt: eachDisbursement.createdAt,
			organizationId: eachDisbursement.organizationId,
			provider: eachDisbursement.provider,
			amount: eachDisbursement.amount,
			currency: eachDisbursement.currency,
			destination: eachDisbursement.destination,
			/** Those that are open have one. */
			body: sql<string>`${eachDisbursement.instruction}`.as("body"),
		})
		.from(eachDisbursement)
		.orderBy(eachDisbursement.nextAttemptAt)
		.limit(MOST_CONNECTIONS)
		.$dynamic();

export const findDueInstructions = (orm: Orm, now: number) =>
	selectDue(orm).where(and(sql`${eachDisbursement.status} = 'PENDING'`, lte(eachDisbursement.nextAttemptAt, now)));

/** Payouts that a provider has and that are to be asked about. */
export const findDueInquiries = (orm: Orm, now: number) => selectDue(orm).where(and(IS_ASKED, lte(eachDisbursement.nextAttemptAt, now)));

/** The payout, if a provider has it: a failed payout may have been paid after all. */
const findAsked = (orm: Orm, id: string) =>
	selectDue(orm).where(
		and(eq(eachDisbursement.id, id), isNotNull(eachDisbursement.provider), inArray(eachDisbursement.status, ["ACCEPTED", "FAILED"])),
	);

type Due = Awaited<ReturnType<typeof findDueInstructions>>[number];

const workOn = (services: JobServices, due: Due): Promise<void> => {
	const row = { ...due, mobileNumber: due.destination && payableNumber(due.destination) };
	return dueOf(row, services.now).does === "ASK" ? sendAgain(services, asking, row) : sendAgain(services, sending, row);
};

type Row = Due & Instruction;

/** No time ends a payout: only a result does. */
const open: Pick<Orders<Row, Instruction, never>, "over" | "late"> = {
	over(services, row) {
		const due = dueOf(row, services.now);
		return due.does === "FAIL" ? () => endFailed(services, row, due.reason) : undefined;
	},
	late: ({ reference, provider, status }) =>
		provider !== null && status !== "FAILED" ? ["a payout is open for more than a day", { disbursement_id: reference }] : undefined,
};

const sending: Orders<Row, Instruction, InstructionOutcome> = {
	...open,
	...instructions,
	claim: ({ db, now }, row) => claimAttempt(db.orm, row, now),
};

const asking: Orders<Row, Instruction, Inquired> = {
	...open,
	what: "questions about payouts",
	said: (answer) => (typeof answer === "string" ? answer : answer.status),
	claim: ({ db, now }, row) => claimInquiry(db.orm, row, now + inquireAgainAfter(now - row.createdAt)),
	async send({ providers: { disburser }, realNow }, instruction) {
		return disburser?.kind === "remote" ? disburser.inquire(instruction, realNow) : "UNKNOWN";
	},
	async outcome(services, instruction, answer) {
		if (answer !== "ASKED" && answer !== "UNKNOWN") await endAnswered(services, instruction, answer);
		return [];
	},
};

/** The provider has answered at once what became of it. Stale when a report has come meanwhile. */
async function endAnswered(services: JobServices, { reference: id, organizationId, provider }: Instruction, said: Reported): Promise<void> {
	const found = await findEnding(services, id);
	if (!found) return;
	const { status, contradictedAt } = found.disbursement;
	const report = reportOf(services, said);
	if (said.status === "SUCCEEDED" && isSecondReceipt(found.disbursement, said.transaction)) {
		return void (await services.commit([keepSecond(services, found.disbursement, said.transaction, report.occurredAt)]));
	}
	if (status === "FAILED" && said.status === "SUCCEEDED") {
		await services.commit(keepReport(services, id, report));
		return bookPaid(services, id);
	}
	if (hasEnded(status) || (contradictedAt !== null && said.status === "FAILED")) return;
	const reason = said.status === "FAILED" ? said.pause : undefined;
	const paused = reason && organizationId !== null && provider !== null ? pause(services, { organizationId, provider }, reason) : [];
	const transaction = said.status === "SUCCEEDED" ? said.transaction : null;
	try {
		await commitAnswered(services, { id, transaction }, [...(await found.end(report)), ...paused]);
	} catch (error) {
		if (mustBeKept(report, error)) return void (await services.commit(keepReport(services, id, report, error)));
		if (!(error instanceof ApiError && error.code === "DUPLICATE_CONFLICT")) throw error;
		services.log.error("a receipt of a payout is that of another one", undefined, { disbursement_id: id });
	}
}

async function endFailed(services: JobServices, { reference, status }: Row, failureReason: string): Promise<void> {
	const found = await findEnding(services, reference);
	const { disbursement } = found ?? {};
	// What was reported or refused stays, unless the payout has left its state or somebody has reported a payment.
	if (!found || disbursement?.status !== status) return;
	if (status === "PENDING" ? disbursement.refusal === null : disbursement.contradictedAt !== null) return;
	await services.commit(await found.end({ status: "FAILED", mobileMoneyTransactionId: null, failureReason, occurredAt: services.now }));
}
