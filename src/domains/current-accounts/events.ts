// The events that current accounts raise.

import * as z from "zod";
import { eventType } from "../../shared/event-type";
import { TRANSACTION_TYPES } from "./entries.policy";

const account = { account_id: z.uuid() };
const example = { account_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e14" };
const closure = { ...account, closure_id: z.uuid() };
const closureExample = { ...example, closure_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e41" };
const category = "CURRENT_ACCOUNT";

export const currentAccountOpened = eventType({
	type: "current_account.opened",
	category,
	description: "A current account was opened; it can be used once it is activated",
	data: z.object({ ...account, user_id: z.uuid() }),
	example: { ...example, user_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11" },
});

export const currentAccountOnboardingRejected = eventType({
	type: "current_account.onboarding_rejected",
	category,
	description: "The custodian refused to open an account",
	data: z.object({ ...account, reasons: z.array(z.string()) }),
	example: { ...example, reasons: ["DOCUMENT_EXPIRED"] },
});

export const currentAccountActivated = eventType({
	type: "current_account.activated",
	category,
	description: "An account was activated and can be used",
	data: z.object({ ...account, activation_id: z.uuid() }),
	example: { ...example, activation_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e51" },
});

export const currentAccountClosureStarted = eventType({
	type: "current_account.closure_started",
	category,
	description: "The owner asked to close an account",
	data: z.object({ ...closure, reasons: z.array(z.string()) }),
	example: { ...closureExample, reasons: ["NO_LONGER_USING"] },
});

export const currentAccountClosureOtpConfirmed = eventType({
	type: "current_account.closure_otp_confirmed",
	category,
	description: "The owner confirmed a closure, which now waits for the custodian",
	data: z.object({ ...closure, reasons: z.array(z.string()) }),
	example: { ...closureExample, reasons: ["NO_LONGER_USING"] },
});

export const currentAccountClosureRejected = eventType({
	type: "current_account.closure_rejected",
	category,
	description: "The custodian refused a closure; the account can be used again",
	data: z.object({ ...closure, rejection_reason: z.string() }),
	example: { ...closureExample, rejection_reason: "PENDING_CHARGES" },
});

export const currentAccountClosed = eventType({
	type: "current_account.closed",
	category,
	description: "An account was closed for good",
	data: z.object({ ...closure, completed_at: z.iso.datetime() }),
	example: { ...closureExample, completed_at: "2026-03-02T09:30:00.000Z" },
});

export const currentAccountFrozen = eventType({
	type: "current_account.frozen",
	category,
	description: "An operator froze an account: it takes money, and nothing can be spent from it",
	data: z.object({ ...account, reason: z.string() }),
	example: { ...example, reason: "A court has ordered it" },
});

export const currentAccountUnfrozen = eventType({
	type: "current_account.unfrozen",
	category,
	description: "A frozen account can be used again",
	data: z.object({ ...account, reason: z.string() }),
	example: { ...example, reason: "The order was lifted" },
});

export const currentAccountTransactionPosted = eventType({
	type: "current_account.transaction_posted",
	category,
	description: "Money has come into an account, or left it",
	data: z.object({
		...account,
		user_id: z.uuid(),
		transaction_id: z.uuid(),
		type: z.enum(TRANSACTION_TYPES),
		amount: z.int().meta({ description: "Negative when money leaves the account" }),
		balance: z.int().meta({ description: "The balance after it" }),
		currency: z.string(),
		transfer_id: z.uuid().optional().meta({ description: "Of TRANSFER_OUT and TRANSFER_IN" }),
	}),
	example: {
		...example,
		user_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11",
		transaction_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e71",
		type: "TRANSFER_IN",
		amount: 250_000,
		balance: 1_250_000,
		currency: "KES",
		transfer_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e61",
	},
});
