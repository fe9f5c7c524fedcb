// What the end of a payout means for what was paid out: a loan, a draw, a refund or an invoice. The end is planned here for every reporter.

import { StaleWrite, type Write } from "../../db/database";
import { first } from "../../db/reads";
import type { Reported } from "../../runtime/ports";
import type { Services } from "../../runtime/services";
import { ApiError, wrongState } from "../../shared/errors";
import { visibleKey } from "../../shared/visible-key";
import { findLoaded, loadedOf, theAccount } from "../credit-accounts/ledger.store";
import { notifyPaidBack, notifyPaidOut } from "../credit-accounts/notices.plan";
import { postDraw, raiseDrawFailed, reverseRefund, takeOverpaid } from "../credit-accounts/payout.plan";
import type { Loaded } from "../credit-accounts/postings/rows.plan";
import { settleAdvance } from "../invoices/payout.plan";
import { findAdvance } from "../invoices/store";
import type { AdvanceRow, InvoiceRow } from "../invoices/table";
import { statusAfter } from "../loans/model/lifecycle";
import { payOut, raiseFailed } from "../loans/model/plan";
import { findApplication, moveApplication } from "../loans/model/store";
import type { LoanApplicationRow } from "../loans/model/table";
import type { REPORTED_STATES } from "./model/lifecycle";
import { accountOfDisbursement, findDisbursement, keepPaid, keepSecondReceipt, recordReport } from "./model/store";
import type { DisbursementRow } from "./model/table";

export type Report = Pick<DisbursementRow, "mobileMoneyTransactionId" | "failureReason"> & {
	status: (typeof REPORTED_STATES)[number];
	occurredAt: number;
};

/** What a provider says of a payment, as a report. */
export function reportOf({ now }: Services, said: Reported): Report {
	// The provider's clock may be ahead.
	const occurredAt = Math.min(said.at ?? now, now);
	return said.status === "SUCCEEDED"
		? { status: "SUCCEEDED", mobileMoneyTransactionId: said.transaction, failureReason: null, occurredAt }
		: { status: "FAILED", mobileMoneyTransactionId: null, failureReason: said.reason, occurredAt };
}

/** Undefined if there is no such payout. `end`: the writes that a report means; the payout must not have ended. */
export async function findEnding(
	services: Services,
	id: string,
): Promise<{ disbursement: DisbursementRow; end: (report: Report) => Promise<Write[]> } | undefined> {
	const { db } = services;
	const { disbursement, application, invoiced, records } = await db.read({
		disbursement: first(findDisbursement(db.orm, id)),
		// A reporter sees all applications.
		application: first(findApplication(id, { kind: "signer", secret: "DISBURSER_SECRET" })),
		invoiced: findAdvance(id),
		records: findLoaded(accountOfDisbursement(id)),
	});
	if (!disbursement) return undefined;
	const found = { disbursement, application, loaded: loadedOf(records), ...invoiced };
	return {
		disbursement,
		end: async (report) => [recordReport(db.orm, id, report, services.now), ...(await consequencesOf(services, { ...found, report }))],
	};
}

/** Who has refunded what was paid although it had failed. */
const PROVIDER = "provider";

/** A payment that was made must not be lost with the error: what can never be booked as it stands is kept, and people see it. */
export const mustBeKept = ({ status }: Pick<Report, "status">, error: unknown): boolean =>
	status === "SUCCEEDED" && !(error instanceof StaleWrite) && !(error instanceof ApiError && error.code === "DUPLICATE_CONFLICT");

/**
 * The writes that keep a payment which was made and is in no book; of a payout that is reported as paid by another receipt, that receipt.
 */
export function keepReport(services: Services, id: string, { mobileMoneyTransactionId, occurredAt }: Report, error?: unknown): Write[] {
	services.log.error("a payout that was made is in no book", error, { disbursement_id: id });
	const paid = { transaction: mobileMoneyTransactionId ?? "", at: occurredAt };
	return [keepPaid(services.db.orm, id, paid, services.now), keepSecondReceipt(services.db.orm, id, paid, services.now)];
}

type Known = Pick<DisbursementRow, "id" | "mobileMoneyTransactionId" | "paidTransaction">;

/** Whether a payout is reported as paid by another receipt than the known one. */
export function isSecondReceipt({ mobileMoneyTransactionId, paidTransaction }: Known, transaction: string | null): boolean {
	const known = mobileMoneyTransactionId ?? paidTransaction;
	return known !== null && transaction !== null && visibleKey(known) !== visibleKey(transaction);
}

/** The write that keeps it: people compare it with the provider's statement. */
export function keepSecond(services: Services, { id }: Known, transaction: string, at: number): Write {
	services.log.error("a payout is reported as paid by two receipts", undefined, { disbursement_id: id });
	return keepSecondReceipt(services.db.orm, id, { transaction, at }, services.now);
}

type Told = {
	disbursement: DisbursementRow;
	application: LoanApplicationRow | undefined;
	/** The account's records; undefined for an invoice. */
	loaded: Loaded | undefined;
	advance: AdvanceRow | undefined;
	invoice: InvoiceRow | undefined;
	report: Report;
};

/** What the report means for what was paid out: a loan, a draw, a refund or an invoice. */
async function consequencesOf(services: Services, reported: Told): Promise<Write[]> {
	const { disbursement, application, loaded, advance, invoice, report } = reported;
	const { mobileMoneyTransactionId } = report;
	const failureReason = report.failureReason ?? "UNKNOWN";
	const hasFailed = report.status === "FAILED";
	// The money cannot have moved before it was ordered, on any clock of the disburser.
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
			return [...paid, ...(await notifyPaidOut(services, account, disbursement.amount))];
		}
		case "DRAW": {
			if (hasFailed) return [raiseDrawFailed(services, account, disbursement, failureReason)];
			const drawn = postDraw(services, loaded, { ...disbursement, at, mobileMoneyTransactionId }).writes;
			return [...drawn, ...(await notifyPaidOut(services, account, disbursement.amount))];
		}
		case "REFUND": {
			if (!hasFailed) {
				const told = await notifyPaidBack(services, account, disbursement.amount);
				if (disbursement.status !== "FAILED") return told;
				// Its failure has reversed the refund, so it is made again.
				return [...takeOverpaid(services, loaded, { id: services.newId(), amount: disbursement.amount, actor: PROVIDER }), ...told];
			}
			// The refund may be older than what still matters of the account.
			const { db } = services;
			const whole = loadedOf(await db.read(findLoaded(theAccount(account.id), "HISTORY")));
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
