// The disburser's report on an instruction: paid or failed. A report is final; repeating the same report changes nothing.

import * as z from "zod";
import type { Write } from "../../../db/database";
import { held, oneOf, operator, signedBy } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import type { Services } from "../../../runtime/services";
import { ApiError, badInput, wrongState } from "../../../shared/errors";
import { uuidOf } from "../../../shared/ids";
import { Instant, refuseFuture } from "../../../shared/timestamp";
import { findLoaded, loadedOf, theAccount } from "../../credit-accounts/ledger.store";
import { tellPaidBack, tellPaidOut } from "../../credit-accounts/notices.plan";
import { postDraw, raiseDrawFailed, reverseRefund } from "../../credit-accounts/payout.plan";
import type { Loaded } from "../../credit-accounts/postings/rows.plan";
import { creditCycles } from "../../credit-accounts/table";
import { REPORTED_STATES } from "../../disbursements/lifecycle";
import { accountOfDisbursement, findDisbursement, recordReport } from "../../disbursements/store";
import type { DisbursementRow } from "../../disbursements/table";
import { settleAdvance } from "../../invoices/payout.plan";
import { findAdvance } from "../../invoices/store";
import type { AdvanceRow, InvoiceRow } from "../../invoices/table";
import { commitResult } from "../../transfers/transaction.procedure";
import { homeOfApplication } from "../applications/callers";
import { statusAfter } from "../applications/lifecycle";
import { payOut, raiseFailed } from "../applications/plan";
import { findApplication, moveApplication } from "../applications/store";
import type { LoanApplicationRow } from "../applications/table";

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
	async handle({ path, body, caller }, services) {
		const { db } = services;
		const id = uuidOf("lapp", path.disbursement_id);
		if ((uuidOf("lapp", body.disbursement_id) ?? body.disbursement_id) !== (id ?? path.disbursement_id)) {
			throw badInput("disbursement_id", "must be the id in the path", "NOT_ALLOWED");
		}
		const report = readReport(body, services);
		if (!id) throw new ApiError("NOT_FOUND");
		const [[disbursement], [application], [advance], [invoice], ...records] = await db.read(
			findDisbursement(db.orm, id),
			findApplication(id, caller),
			...findAdvance(db.orm, id),
			...findLoaded(accountOfDisbursement(id)),
		);
		if (!disbursement) throw new ApiError("NOT_FOUND");
		const reported = { disbursement, application, loaded: loadedOf(records), advance, invoice, report };
		const answer = { disbursement_id: id, status: report.status };
		if (disbursement.status === "SUCCEEDED" || disbursement.status === "FAILED") {
			if (!isSame(disbursement, report)) throw new ApiError("DUPLICATE_CONFLICT");
			return answer;
		}
		const writes = [recordReport(db.orm, id, report), ...(await consequencesOf(services, reported))];
		return commitResult(services, { id, transaction: report.mobileMoneyTransactionId }, writes, answer, [
			[[creditCycles.accountId, creditCycles.number], "STALE"],
		]);
	},
});

type Reported = {
	disbursement: DisbursementRow;
	application: LoanApplicationRow | undefined;
	/** The account's records; undefined for an invoice. */
	loaded: Loaded | undefined;
	advance: AdvanceRow | undefined;
	invoice: InvoiceRow | undefined;
	report: Report;
};

/** What the report means for what was paid out: a loan, a draw, a refund or an invoice. */
async function consequencesOf(services: Services, reported: Reported): Promise<Write[]> {
	const { disbursement, application, loaded, advance, invoice, report } = reported;
	const { mobileMoneyTransactionId } = report;
	const failureReason = report.failureReason ?? "UNKNOWN";
	const hasFailed = report.status === "FAILED";
	// The money cannot have moved before it was ordered, whatever the disburser's clock says.
	const at = Math.max(report.occurredAt, disbursement.createdAt);
	if (disbursement.kind === "INVOICE") {
		if (!advance || !invoice) throw new ApiError("NOT_FOUND");
		return settleAdvance(
			services,
			{ advance, invoice },
			hasFailed ? { move: "fail", failureReason, at } : { move: "payOut", providerTransactionId: mobileMoneyTransactionId, at },
		);
	}
	if (!loaded) throw new ApiError("NOT_FOUND");
	const { account } = loaded;
	switch (disbursement.kind) {
		case "LOAN": {
			if (!application) throw new ApiError("NOT_FOUND");
			if (hasFailed) return failLoan(services, application, failureReason);
			const paid = payLoan(services, application, { loaded, at, mobileMoneyTransactionId });
			return [...paid, ...(await tellPaidOut(services, account, disbursement.amount))];
		}
		case "DRAW": {
			if (hasFailed) return [raiseDrawFailed(services, account, disbursement, failureReason)];
			const drawn = postDraw(services, loaded, { ...disbursement, at, mobileMoneyTransactionId }).writes;
			return [...drawn, ...(await tellPaidOut(services, account, disbursement.amount))];
		}
		case "REFUND": {
			if (!hasFailed) return tellPaidBack(services, account, disbursement.amount);
			// The refund may be older than what still matters of the account.
			const { db } = services;
			const whole = loadedOf(await db.read(...findLoaded(theAccount(account.id), "HISTORY")));
			return whole ? reverseRefund(services, whole, disbursement, failureReason) : [];
		}
	}
}

function payLoan(services: Services, application: LoanApplicationRow, paid: Parameters<typeof payOut>[2]): Write[] {
	const status = statusAfter(application.status, "disburse");
	if (!status) throw wrongState("The application", application.status, ["SUBMITTED"]);
	return [moveApplication(application, ["disburse"], { disbursedAt: paid.at }), ...payOut(services, { ...application, status }, paid)];
}

function failLoan(services: Services, application: LoanApplicationRow, failureReason: string): Write[] {
	const status = statusAfter(application.status, "fail");
	if (!status) throw wrongState("The application", application.status, ["SUBMITTED"]);
	return [moveApplication(application, ["fail"], { failureReason }), raiseFailed(services, { ...application, status, failureReason })];
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
