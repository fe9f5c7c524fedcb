// The disburser's report on an instruction: paid or failed. A report is final; repeating the same report changes nothing.

import { and, eq, inArray } from "drizzle-orm";
import * as z from "zod";
import { guarded } from "../../../db/guards";
import { oneOf, operator, signedBy } from "../../../http/access";
import { operation } from "../../../http/operation";
import type { Services } from "../../../runtime/services";
import { ApiError, badInput } from "../../../shared/errors";
import { uuidOf } from "../../../shared/ids";
import { MINUTE_MS } from "../../../shared/time";
import { Instant } from "../../../shared/timestamp";
import { creditCycles } from "../../credit-accounts/table";
import { findAdvance, type PayoutResult, settleAdvance } from "../../invoices/payout.store";
import { invoiceAdvances } from "../../invoices/table";
import { statusAfter } from "../applications/lifecycle";
import { findApplication, findRecordsOf, moveApplication, payOut, raiseFailed } from "../applications/store";
import { homeOfApplication } from "../callers";
import { type DisbursementRow, disbursements, type LoanApplicationRow } from "../table";
import { OPEN_STATES, REPORTED_STATES } from "./lifecycle";
import { findDisbursement } from "./store";

const Result = z.object({
	disbursement_id: z.string().min(1).max(255).meta({ description: "The same as in the path: the signature covers only the body" }),
	status: z.enum(REPORTED_STATES),
	mobile_money_transaction_id: z.string().min(1).max(100).nullish(),
	failure_reason: z.string().min(1).max(255).nullish(),
	occurred_at: Instant,
});

type Report = Pick<DisbursementRow, "mobileMoneyTransactionId" | "failureReason"> & {
	status: (typeof REPORTED_STATES)[number];
	occurredAt: number;
};

/** How far ahead the disburser's clock may be. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

export const reportDisbursement = operation({
	id: "reportDisbursement",
	method: "POST",
	path: "/v1/integrations/disbursements/{disbursement_id}/result",
	summary: "Report the result of a disbursement: its disburser, signed with DISBURSER_SECRET, or an operator",
	access: oneOf(operator, signedBy("DISBURSER_SECRET")),
	home: ({ path }) => homeOfApplication(path.disbursement_id),
	request: { path: z.object({ disbursement_id: z.string().min(1).max(255) }), body: Result },
	response: z.object({ disbursement_id: z.uuid(), status: z.enum(REPORTED_STATES) }),
	errors: ["NOT_FOUND", "DUPLICATE_CONFLICT"],
	async handle({ path, body, caller }, services) {
		const { db } = services;
		const id = uuidOf("lapp", path.disbursement_id);
		if ((uuidOf("lapp", body.disbursement_id) ?? body.disbursement_id) !== (id ?? path.disbursement_id)) {
			throw badInput("disbursement_id", "must be the id in the path", "NOT_ALLOWED");
		}
		const report = readReport(body, services);
		if (!id) throw new ApiError("NOT_FOUND");
		const [[disbursement], [advance], [invoice], [application], [account], transactions, cycles, installments, allocations] = await db.read(
			findDisbursement(db.orm, id),
			...findAdvance(db.orm, id),
			findApplication(db.orm, id, caller),
			...findRecordsOf(db.orm, id),
		);
		if (!disbursement) throw new ApiError("NOT_FOUND");
		const answer = { disbursement_id: id, status: report.status };
		if (disbursement.status === "SUCCEEDED" || disbursement.status === "FAILED") {
			if (!isSame(disbursement, report)) throw new ApiError("DUPLICATE_CONFLICT");
			return answer;
		}
		const record = guarded(
			db.orm
				.update(disbursements)
				.set(report)
				.where(and(eq(disbursements.id, id), inArray(disbursements.status, OPEN_STATES))),
		);
		if (advance && invoice) {
			return services.commit([record, ...settleAdvance(services, { advance, invoice }, payoutOf(report))], answer, {
				unique: [
					[[disbursements.mobileMoneyTransactionId], "DUPLICATE_CONFLICT"],
					[[invoiceAdvances.providerTransactionId], "DUPLICATE_CONFLICT"],
				],
			});
		}
		if (!application || !account) throw new ApiError("NOT_FOUND");
		const move = report.status === "SUCCEEDED" ? "disburse" : "fail";
		const status = statusAfter(application.status, move);
		if (!status) throw new ApiError("INVALID_STATE");
		if (report.status === "FAILED") {
			const failed: LoanApplicationRow = { ...application, status, failureReason: report.failureReason };
			const { failureReason } = failed;
			return services.commit(
				[record, moveApplication(db.orm, application, [move], { failureReason }), raiseFailed(services, failed)],
				answer,
			);
		}
		// The money cannot have moved before the application was submitted, whatever the disburser's clock says.
		const at = Math.max(report.occurredAt, application.submittedAt ?? application.createdAt);
		const loaded = { account, transactions, cycles, installments, allocations };
		const { mobileMoneyTransactionId } = report;
		return services.commit(
			[
				record,
				moveApplication(db.orm, application, [move], { disbursedAt: at }),
				...payOut(services, { ...application, status }, { loaded, at, mobileMoneyTransactionId }),
			],
			answer,
			{
				unique: [
					[[creditCycles.accountId, creditCycles.number], "STALE"],
					[[disbursements.mobileMoneyTransactionId], "DUPLICATE_CONFLICT"],
				],
			},
		);
	},
});

function readReport(body: z.output<typeof Result>, { now, realNow }: Services): Report {
	const occurredAt = body.occurred_at;
	if (occurredAt > Math.max(now, realNow) + CLOCK_SKEW_MS) throw badInput("occurred_at", "is in the future", "OUT_OF_RANGE");
	if (body.status === "FAILED") {
		return { status: "FAILED", mobileMoneyTransactionId: null, failureReason: body.failure_reason ?? "UNKNOWN", occurredAt };
	}
	const transaction = body.mobile_money_transaction_id;
	if (!transaction) throw badInput("mobile_money_transaction_id", "is required when the status is SUCCEEDED", "REQUIRED");
	return { status: "SUCCEEDED", mobileMoneyTransactionId: transaction, failureReason: null, occurredAt };
}

const payoutOf = ({ mobileMoneyTransactionId, failureReason, occurredAt: at }: Report): PayoutResult =>
	failureReason === null ? { move: "payOut", providerTransactionId: mobileMoneyTransactionId, at } : { move: "fail", failureReason, at };

const isSame = (known: DisbursementRow, { status, mobileMoneyTransactionId, failureReason, occurredAt }: Report): boolean =>
	known.status === status &&
	known.mobileMoneyTransactionId === mobileMoneyTransactionId &&
	known.failureReason === failureReason &&
	known.occurredAt === occurredAt;
