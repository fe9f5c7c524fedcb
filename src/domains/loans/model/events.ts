// The events that loan applications and their disbursements raise. Amounts are in minor units of the currency.

import * as z from "zod";
import { eventType } from "../../../shared/event-type";
import { APPLICATION_STATUSES } from "./wire";

/** The members of every event of an application. */
const members = {
	application_id: z.uuid(),
	resource_id: z.string().meta({ description: "The application's prefixed id, `lapp_...`" }),
	user_id: z.uuid(),
	account_id: z.uuid(),
	status: z.enum(APPLICATION_STATUSES).meta({ id: "ApplicationStatus", description: "After the event" }),
	currency: z.string(),
};
const application = {
	application_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e16",
	resource_id: "lapp_01920f8e7b1c7a529a4e3c5d8f2b6e16",
	user_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11",
	account_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e14",
	currency: "KES",
};

export const loanApplicationCreated = eventType({
	type: "loan_application.created",
	category: "LOAN_APPLICATION",
	description: "A loan application was created and its terms were decided",
	data: z.object({ ...members, min_loan_amount: z.int(), max_loan_amount: z.int(), expires_at: z.iso.datetime() }),
	example: {
		...application,
		status: "APPROVED",
		min_loan_amount: 100_000,
		max_loan_amount: 500_000,
		expires_at: "2026-03-03T09:30:00.000Z",
	},
});

export const loanApplicationRejected = eventType({
	type: "loan_application.rejected",
	category: "LOAN_APPLICATION",
	description: "A loan application was rejected",
	data: z.object({ ...members, reasons: z.array(z.string()).meta({ description: "The leading reason first" }) }),
	example: { ...application, status: "REJECTED", reasons: ["INSTALLMENT_OVERDUE"] },
});

export const loanApplicationSubmitted = eventType({
	type: "loan_application.submitted",
	category: "LOAN_APPLICATION",
	description: "The user applied for the loan with a chosen amount",
	data: z.object({ ...members, loan_amount: z.int() }),
	example: { ...application, status: "SUBMITTED", loan_amount: 500_000 },
});

export const loanApplicationCancelled = eventType({
	type: "loan_application.cancelled",
	category: "LOAN_APPLICATION",
	description: "A loan application was cancelled",
	data: z.object(members),
	example: { ...application, status: "CANCELLED" },
});

export const loanApplicationExpired = eventType({
	type: "loan_application.expired",
	category: "LOAN_APPLICATION",
	description: "An offer was not taken in time",
	data: z.object({ ...members, expires_at: z.iso.datetime() }),
	example: { ...application, status: "EXPIRED", expires_at: "2026-03-03T09:30:00.000Z" },
});

export const loanDisbursementFailed = eventType({
	type: "loan.disbursement_failed",
	category: "LOAN_APPLICATION",
	description: "The money of a loan could not be paid out",
	data: z.object({
		...members,
		amount: z.int(),
		failure_reason: z.string().nullable().meta({ description: "As the disburser reports it" }),
	}),
	example: { ...application, status: "FAILED", amount: 500_000, failure_reason: "RECIPIENT_UNREACHABLE" },
});

export const loanDisbursed = eventType({
	type: "loan.disbursed",
	category: "LOAN_APPLICATION",
	description: "The money of a loan was paid out",
	data: z.object({
		...members,
		cycle_id: z.uuid().meta({ description: "The cycle of the credit account that the loan starts" }),
		amount: z.int(),
		mobile_money_transaction_id: z.string().nullable(),
		disbursed_at: z.iso.datetime(),
	}),
	example: {
		...application,
		status: "DISBURSED",
		cycle_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e15",
		amount: 500_000,
		mobile_money_transaction_id: "SJK4XL2M9Q",
		disbursed_at: "2026-03-02T09:30:00.000Z",
	},
});
