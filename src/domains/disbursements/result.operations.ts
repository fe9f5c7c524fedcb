// The disburser's report on an instruction: paid or failed. A report is final; repeating the same report changes nothing.

import * as z from "zod";
import { held, oneOf, operator, signedBy } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { afterCommit } from "../../runtime/outbox";
import type { HandlerServices, Services } from "../../runtime/services";
import { ApiError, badInput } from "../../shared/errors";
import { uuidOf } from "../../shared/ids";
import { withoutAddresses } from "../../shared/named-persons";
import { hasText, is, when } from "../../shared/schema-rules";
import { Instant, refuseFuture } from "../../shared/timestamp";
import { homeOfApplication } from "../loans/model/callers";
import { commitResult } from "../transfers/transaction.procedure";
import { bookPaid } from "./job";
import { hasEnded, REPORTED_STATES } from "./model/lifecycle";
import type { DisbursementRow } from "./model/table";
import { findEnding, isSecondReceipt, keepReport, keepSecond, mustBeKept, type Report } from "./result.procedure";

const Result = z
	.object({
		disbursement_id: z.string().min(1).max(255).meta({ description: "The same as in the path: the signature covers only the body" }),
		status: z.enum(REPORTED_STATES),
		mobile_money_transaction_id: z.string().min(1).max(100).nullish(),
		failure_reason: z.string().min(1).max(255).overwrite(withoutAddresses).nullish(),
		occurred_at: Instant,
	})
	.meta(when(is("status", "SUCCEEDED"), hasText("mobile_money_transaction_id")));

export const reportDisbursement = operation({
	id: "reportDisbursement",
	method: "POST",
	path: "/v1/integrations/disbursements/{disbursement_id}/result",
	summary: "Report the result of a disbursement: its disburser, signed with DISBURSER_SECRET, or an operator",
	access: held(oneOf(operator, signedBy("DISBURSER_SECRET"))),
	home: ({ path }) => homeOfApplication(path.disbursement_id),
	request: { path: z.object({ disbursement_id: z.string().min(1).max(255) }), body: Result },
	response: z.object({ disbursement_id: z.uuid(), status: z.enum(REPORTED_STATES) }),
	errors: ["NOT_FOUND", "DUPLICATE_CONFLICT", "INVALID_STATE"],
	async handle({ path, body }, services) {
		const id = uuidOf("lapp", path.disbursement_id);
		if ((uuidOf("lapp", body.disbursement_id) ?? body.disbursement_id) !== (id ?? path.disbursement_id)) {
			throw badInput("disbursement_id", "must be the id in the path", "NOT_ALLOWED");
		}
		const report = readReport(body, services);
		if (!id) throw new ApiError("NOT_FOUND");
		const found = await findEnding(services, id);
		if (!found) throw new ApiError("NOT_FOUND");
		const { disbursement } = found;
		const answer = { disbursement_id: id, status: report.status };
		const { mobileMoneyTransactionId: transaction } = report;
		if (transaction !== null && isSecondReceipt(disbursement, transaction)) {
			await services.commitRegardless([keepSecond(services, disbursement, transaction, report.occurredAt)]);
			throw new ApiError("DUPLICATE_CONFLICT");
		}
		if (disbursement.status === "FAILED" && report.status === "SUCCEEDED") return keep(services, id, report, answer);
		if (hasEnded(disbursement.status)) {
			if (!isSame(disbursement, report)) throw new ApiError("DUPLICATE_CONFLICT");
			return answer;
		}
		if (disbursement.contradictedAt !== null && report.status === "FAILED") throw new ApiError("DUPLICATE_CONFLICT");
		try {
			return await commitResult(services, { id, transaction: report.mobileMoneyTransactionId }, await found.end(report), answer);
		} catch (error) {
			if (!mustBeKept(report, error)) throw error;
			return keep(services, id, report, answer, error);
		}
	},
});

/** The payment is booked after the answer, or people see it. */
async function keep<T>(services: HandlerServices, id: string, report: Report, answer: T, error?: unknown) {
	return services.commit([...keepReport(services, id, report, error), afterCommit(services, (job) => bookPaid(job, id))], answer);
}

function readReport(body: z.output<typeof Result>, services: Services): Report {
	const occurredAt = body.occurred_at;
	refuseFuture("occurred_at", occurredAt, services);
	if (body.status === "FAILED") {
		return { status: "FAILED", mobileMoneyTransactionId: null, failureReason: body.failure_reason ?? "UNKNOWN", occurredAt };
	}
	const transaction = body.mobile_money_transaction_id;
	if (!transaction) throw badInput("mobile_money_transaction_id", "is required when the status is SUCCEEDED", "REQUIRED");
	return { status: "SUCCEEDED", mobileMoneyTransactionId: transaction, failureReason: null, occurredAt };
}

const isSame = (known: DisbursementRow, { status, mobileMoneyTransactionId, failureReason, occurredAt }: Report): boolean =>
	known.status === status &&
	known.mobileMoneyTransactionId === mobileMoneyTransactionId &&
	known.failureReason === failureReason &&
	known.occurredAt === occurredAt;
