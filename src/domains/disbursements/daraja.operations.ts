// What Daraja reports of payouts: the result of each, and what a query about it found. It signs nothing: the code in the path shows that it
// was asked for, and about what. The answer is always that its result is accepted, unless the result could not be stored.

import * as z from "zod";
import type { Write } from "../../db/database";
import { atCodedAddress, codedPath, noSuchAddress } from "../../http/callers/coded-address";
import { operation } from "../../http/operation";
import {
	type DarajaResult,
	endBy,
	endFound,
	isRefusedToInitiator,
	type PaymentEnd,
	pauseAfter,
	pauseAfterQuestion,
	resultIn,
} from "../../providers/daraja/answers";
import { isCodeOf, QUESTIONS } from "../../providers/daraja/callback-address";
import { ACCEPTED, Accepted } from "../../providers/daraja/callbacks";
import { afterCommit } from "../../runtime/outbox";
import type { Reported } from "../../runtime/ports";
import type { HandlerServices, Services } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { cannotVerify, pause } from "../connections/model/plan";
import { commitResult } from "../transfers/transaction.procedure";
import { bookPaid, inquireAbout } from "./job";
import { hasEnded } from "./model/lifecycle";
import { askSoon, keepAnswer, keepFailure } from "./model/store";
import type { DisbursementRow } from "./model/table";
import { findEnding, isSecondReceipt, keepReport, keepSecond, mustBeKept, reportOf } from "./result.procedure";

export const reportDarajaResult = operation({
	id: "reportDarajaResult",
	method: "POST",
	path: "/v1/integrations/mobile-money/daraja/results/{question}/{id}/{code}",
	summary: "Report the result of a payout, or of a query about it: Daraja, at the address that it was given",
	description:
		"The code is good for one question about one payout. After a failure, or a result without a clear meaning, the service asks Daraja for the payment's status. A success is booked even after a failure, and another receipt of a payout that is paid is kept for people; otherwise a result that contradicts an earlier one changes nothing.",
	...atCodedAddress,
	home: ({ path }) => path.id,
	request: {
		path: codedPath.extend({ question: z.enum(QUESTIONS) }),
		body: z
			.looseObject({})
			.meta({ id: "DarajaResult", examples: [{ Result: { ResultType: 0, ResultCode: 0, TransactionID: "SG632NMUAB" } }] }),
	},
	response: Accepted,
	async handle({ path: { question, id, code }, body }, services) {
		if (!(await isCodeOf(services.config.keyring, question, id, code))) throw noSuchAddress();
		const result = resultIn(body);
		const found = await findEnding(services, id);
		if (!found) throw new ApiError("NOT_FOUND");
		const { disbursement } = found;
		const told = endOf(question, result, disbursement.amount);
		// A query does not say why.
		const end = told.status === "FAILED" ? { ...told, reason: disbursement.failureTold ?? told.reason } : told;
		if (end.status === "SUCCEEDED" && isSecondReceipt(disbursement, end.transaction)) {
			const { occurredAt } = reportOf(services, end);
			return services.commit([keepSecond(services, disbursement, end.transaction, occurredAt)], ACCEPTED);
		}
		if (hasEnded(disbursement.status) || (disbursement.contradictedAt !== null && end.status === "FAILED")) {
			if (contradicts(disbursement, end)) {
				services.log.error("a result of a payout contradicts an earlier one", undefined, { disbursement_id: id, status: end.status });
			}
			return disbursement.status === "FAILED" && end.status === "SUCCEEDED" ? keep(services, id, end, []) : ACCEPTED;
		}
		const paused = learntOf(services, question, disbursement, result);
		if (end.status === "ASK") {
			if (result?.code === "0" && !result.isPartial) {
				services.log.error("a result of a payout does not say what was paid", undefined, { disbursement_id: id });
			}
			// What a query did not find is asked again in its time.
			const again = question === "payout" ? [askSoon(services.db.orm, id, services.now)] : [];
			const answered = question === "found" && result && !result.isPartial && disbursement.failureTold !== null;
			return services.commit([...paused, ...again, ...(answered ? [keepAnswer(services.db.orm, id, services.now)] : [])], ACCEPTED);
		}
		if (end.status === "FAILED" && question === "payout") {
			// A success may follow it: what became of the payment is asked before a failure counts.
			const asked = afterCommit(services, (job) => inquireAbout(job, id));
			return services.commit([...paused, keepFailure(services.db.orm, id, end.reason, services.now), asked], ACCEPTED);
		}
		return endPayout(services, { id, end, paused }, () => found.end(reportOf(services, end)));
	},
});

/** Ends the payout, unless its receipt is that of another one: then nothing is known of it. */
async function endPayout(
	services: HandlerServices,
	{ id, end, paused }: { id: string; end: Reported; paused: readonly Write[] },
	planned: () => Promise<Write[]>,
) {
	try {
		const transaction = end.status === "SUCCEEDED" ? end.transaction : null;
		return await commitResult(services, { id, transaction }, [...(await planned()), ...paused], ACCEPTED);
	} catch (error) {
		if (mustBeKept(end, error)) return keep(services, id, end, paused, error);
		if (!(error instanceof ApiError && error.code === "DUPLICATE_CONFLICT")) throw error;
		services.log.error("a receipt of a payout is that of another one", undefined, { disbursement_id: id });
		return ACCEPTED;
	}
}

/** Keeps a payment that was made and is in no book: it is booked after the answer, or people see it. */
async function keep(services: HandlerServices, id: string, end: Reported, paused: readonly Write[], error?: unknown) {
	const booked = afterCommit(services, (job) => bookPaid(job, id));
	return services.commit([...paused, ...keepReport(services, id, reportOf(services, end), error), booked], ACCEPTED);
}

function endOf(question: (typeof QUESTIONS)[number], result: DarajaResult | undefined, amount: number): PaymentEnd {
	if (!result) return { status: "ASK" };
	return question === "payout" ? endBy(result, amount) : endFound(result, amount);
}

/** Results are equal if the outcome is; a result without an outcome contradicts nothing. Money that came back had been paid. */
const contradicts = ({ status }: DisbursementRow, end: PaymentEnd): boolean =>
	end.status !== "ASK" && (status === "RETURNED" ? "SUCCEEDED" : status) !== end.status;

/** What the result says of the lender's account. An initiator who may not ask about payments can still make them. */
function learntOf(
	services: Services,
	question: (typeof QUESTIONS)[number],
	{ organizationId, provider }: DisbursementRow,
	result: DarajaResult | undefined,
): Write[] {
	if (!result || organizationId === null || provider !== "daraja") return [];
	const connection = { organizationId, provider } as const;
	const isPayout = question === "payout";
	const reason = isPayout ? pauseAfter(result) : pauseAfterQuestion(result);
	return [
		...(!isPayout && isRefusedToInitiator(result) ? cannotVerify(services, connection, result.code) : []),
		...(reason ? pause(services, connection, reason) : []),
	];
}
