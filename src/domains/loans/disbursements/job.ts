// Sends the instructions to an outside disburser again that it has not accepted yet, and asks providers what became of those that they have.

import { and, eq, inArray, isNotNull, lte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Orm, StaleWrite } from "../../../db/database";
import { MOST_CONNECTIONS } from "../../../runtime/connections";
import type { Instruction, Reported } from "../../../runtime/ports";
import type { JobServices } from "../../../runtime/services";
import { ApiError } from "../../../shared/errors";
import { DAY_MS, HOUR_MS } from "../../../shared/time";
import { payableNumber } from "../../disbursements/destination.policy";
import { BELIEVED_AFTER_MS, hasEnded, inquireAgainAfter, TOLD_FOR_MS } from "../../disbursements/lifecycle";
import { instruct } from "../../disbursements/procedure";
import { claimBooking, claimInquiry, countAttempt, findToBook } from "../../disbursements/store";
import { disbursements, IS_ASKED } from "../../disbursements/table";
import { pause } from "../../payment-connections/plan";
import { commitAnswered } from "../../transfers/transaction.procedure";
import { findEnding, isSecondReceipt, keepReport, keepSecond, mustBeKept, reportOf } from "./procedure";

const d = alias(disbursements, "d");

/** Does what is due of the payouts that have not ended, the first of them. Whether more may be waiting. */
export async function sendDueInstructions(services: JobServices): Promise<boolean> {
	if (services.providers.disburser?.kind !== "remote") return false;
	const { db, now } = services;
	const [waiting, taken] = await db.read(findDueInstructions(db.orm, now), findDueInquiries(db.orm, now));
	const due = [...waiting, ...taken].sort((one, other) => one.nextAttemptAt - other.nextAttemptAt);
	await Promise.all(due.slice(0, MOST_CONNECTIONS).map((row) => workOn(services, row)));
	return due.length >= MOST_CONNECTIONS;
}

/** Asks what became of a payout of which somebody has told that it is over. */
export async function inquireAbout(services: JobServices, id: string): Promise<void> {
	const [[due]] = await services.db.read(findAsked(services.db.orm, id));
	if (due) await workOn(services, due);
}

/** How often the booking of a payment is tried that could not be booked. */
const BOOK_AGAIN_MS = HOUR_MS;
const MOST_BOOKED = 20;

/** Books payments that were made and are in no book, the first of them. Whether more may be waiting. */
export async function bookPaidPayouts(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const [due] = await db.read(findToBook(db.orm, now, MOST_BOOKED));
	for (const row of due) {
		try {
			await services.commit([claimBooking(db.orm, row, now + BOOK_AGAIN_MS)]);
		} catch (error) {
			if (!(error instanceof StaleWrite)) throw error;
			continue;
		}
		await bookPaid(services, row.id);
	}
	return due.length === MOST_BOOKED;
}

/** Books a payment of which a provider has told after a failure, or that could not be posted then. What still cannot be is work for people. */
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
			reference: d.id,
			status: sql<"PENDING" | "ACCEPTED" | "FAILED">`${d.status}`.as("due_status"),
			attempts: d.attempts,
			harmlessAttempts: d.harmlessAttempts,
			nextAttemptAt: d.nextAttemptAt,
			toldAt: d.toldAt,
			refusal: d.refusal,
			failureTold: d.failureTold,
			failureToldAt: d.failureToldAt,
			createdAt: d.createdAt,
			organizationId: d.organizationId,
			provider: d.provider,
			amount: d.amount,
			currency: d.currency,
			destination: d.destination,
			/** Those that are open have one. */
			body: sql<string>`${d.instruction}`.as("body"),
		})
		.from(d)
		.orderBy(d.nextAttemptAt)
		.limit(MOST_CONNECTIONS)
		.$dynamic();

export const findDueInstructions = (orm: Orm, now: number) => selectDue(orm).where(and(eq(d.status, "PENDING"), lte(d.nextAttemptAt, now)));

/** Payouts that a provider has and that are to be asked about. */
export const findDueInquiries = (orm: Orm, now: number) => selectDue(orm).where(and(IS_ASKED, lte(d.nextAttemptAt, now)));

/** The payout, if a provider has it: one that has failed may have been paid after all. */
const findAsked = (orm: Orm, id: string) =>
	selectDue(orm).where(and(eq(d.id, id), isNotNull(d.provider), inArray(d.status, ["ACCEPTED", "FAILED"])));

type Due = Awaited<ReturnType<typeof findDueInstructions>>[number];

/** No time ends a payout: only a result does. So what is open for long is told of. */
const LONG_MS = DAY_MS;

async function workOn(services: JobServices, due: Due): Promise<void> {
	const { now, log } = services;
	const { reference, status, provider, toldAt, refusal, createdAt, destination, organizationId, amount, currency, body } = due;
	if (provider !== null && status !== "FAILED" && createdAt <= now - LONG_MS) {
		log.error("a payout is open for more than a day", undefined, { disbursement_id: reference });
	}
	const instruction = {
		reference,
		organizationId,
		amount,
		currency,
		body,
		provider,
		mobileNumber: destination && payableNumber(destination),
	};
	try {
		if (status === "PENDING" && refusal !== null) return await endRefused(services, reference, refusal);
		const { failureTold, failureToldAt } = due;
		const isBelieved = failureToldAt !== null && failureToldAt <= now - BELIEVED_AFTER_MS;
		if (status === "ACCEPTED" && failureTold !== null && isBelieved) return await endFailed(services, reference, failureTold);
		const mayBePaid = due.attempts > due.harmlessAttempts;
		const maybeForgotten = provider !== null && mayBePaid && toldAt !== null && toldAt <= now - TOLD_FOR_MS;
		return status === "PENDING" && !maybeForgotten ? await sendAgain(services, instruction, due) : await ask(services, instruction, due);
	} catch (error) {
		// Another sweep does it, or the report has arrived.
		if (!(error instanceof StaleWrite)) throw error;
	}
}

async function sendAgain(services: JobServices, instruction: Instruction, due: Due): Promise<void> {
	await services.commit([countAttempt(services.db.orm, due, services.now)]);
	await instruct(services, instruction);
}

async function ask(services: JobServices, instruction: Instruction, due: Due): Promise<void> {
	const { db, now, realNow, providers } = services;
	if (providers.disburser?.kind !== "remote") return;
	await services.commit([claimInquiry(db.orm, due, now + inquireAgainAfter(now - due.createdAt))]);
	const answer = await providers.disburser.inquire(instruction, realNow);
	if (answer !== "ASKED" && answer !== "UNKNOWN") await endAnswered(services, instruction, answer);
}

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

/** A provider has told that the payment failed, and has told nothing else since, although it was asked. */
async function endFailed(services: JobServices, id: string, failureReason: string): Promise<void> {
	const found = await findEnding(services, id);
	if (found?.disbursement.status !== "ACCEPTED" || found.disbursement.contradictedAt !== null) return;
	const report = { status: "FAILED" as const, mobileMoneyTransactionId: null, failureReason, occurredAt: services.now };
	await services.commit(await found.end(report));
}

/** The provider has refused the only attempt that could have been paid. */
async function endRefused(services: JobServices, id: string, failureReason: string): Promise<void> {
	const found = await findEnding(services, id);
	if (found?.disbursement.status !== "PENDING" || found.disbursement.refusal === null) return;
	const report = { status: "FAILED" as const, mobileMoneyTransactionId: null, failureReason, occurredAt: services.now };
	await services.commit(await found.end(report));
}
