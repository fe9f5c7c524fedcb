// Records the payment of a confirmation: on the account that it names, else as unmatched.

import { type SQL, sql } from "drizzle-orm";
import { StaleWrite, type Write } from "../../../db/database";
import { findName } from "../../../db/names";
import { first } from "../../../db/reads";
import {
	ACCEPTED,
	accountNumberIn,
	type Confirmation,
	type ConfirmedAmount,
	instantOf,
	payerOf,
	phoneIn,
	verifiedFingerprint,
} from "../../../providers/daraja/callbacks";
import type { HandlerServices, Services } from "../../../runtime/services";
import { sha256Hex } from "../../../shared/bytes";
import { ApiError } from "../../../shared/errors";
import { isUuid } from "../../../shared/ids";
import { canonicalJson } from "../../../shared/json";
import type { Digest } from "../../../shared/keyring";
import { visibleKey } from "../../../shared/visible-key";
import { findAccountNumbered, useOfPayer } from "../../credit-accounts/store";
import type { CreditAccountRow } from "../../credit-accounts/table";
import { phoneName, phoneNameOfHash } from "../../users/model/store";
import type { PaymentDetails } from "../payment-details.wire";
import { settlePrompt } from "../prompts/plan";
import { referenceIn } from "../prompts/policy";
import { findPromptReferred } from "../prompts/store";
import type { PromptRow } from "../prompts/table";
import { OPERATORS } from "../store";
import { type PaymentRow, UNCORRECTED } from "../table";
import { transactionIdOf } from "../transaction-id.policy";
import { type Report, record } from "./procedure";

const CURRENCY = "KES";

export type Received = {
	readonly organizationId: string | undefined;
	readonly body: Confirmation;
	readonly amount: ConfirmedAmount;
	/** What a payment that is posted uses up of its path's amount of the day. */
	readonly spending?: NonNullable<Report["spending"]>;
	/** Why it is kept as unmatched, with any account. CONTRADICTED: it was confirmed with two account numbers. */
	readonly unmatched?: "OVER_DAILY_AMOUNT" | "CONTRADICTED";
	/** The provider itself has said that it was paid, and when; with what ends the question, in the organization's home. */
	readonly verified?: { readonly ends?: Write; readonly at?: number | undefined };
	/** The prompt that it pays, where that is known; else its reference in the confirmation names it. */
	readonly prompt?: PromptRow;
};

/** Undefined when no organization has the slug. */
export async function idOf({ databases: { directory } }: Services, reference: string): Promise<string | undefined> {
	if (isUuid(reference)) return reference.toLowerCase();
	const named = await directory.read(first(findName(directory.orm, "SLUG", reference)));
	return named?.id;
}

/** Records it, and answers Daraja. */
export const recordConfirmation = (services: HandlerServices, received: Received) => recordPayment(services, received, ACCEPTED);

/** The same with another answer. */
export async function recordPayment<T>(
	services: HandlerServices,
	{ organizationId, body, amount, spending, unmatched, verified, prompt: known }: Received,
	answer: T,
) {
	const there = organizationId === undefined ? services : services.moveTo(known?.accountId ?? organizationId);
	const named = known ? { accountId: known.accountId, prompt: known } : undefined;
	const { accountId, prompt } = organizationId === undefined || unmatched ? {} : (named ?? (await paidTo(there, organizationId, body)));
	const transactionId = visibleKey(body.TransID);
	const facts = [
		String(body.TransTime),
		amount.value,
		amount.isExact,
		String(body.BillRefNumber ?? ""),
		String(body.BusinessShortCode ?? ""),
	];
	// The provider has confirmed the transaction and amount of a confirmation, and nothing else in it.
	const fingerprint = verified
		? await verifiedFingerprint(transactionId, amount.value)
		: await sha256Hex(canonicalJson(["daraja", ...facts]));
	return record(
		there,
		{
			transactionId,
			account: accountId === undefined ? sql`(select null)` : sql`(select ${accountId})`,
			reporter: organizationId ?? OPERATORS,
			...(spending && { spending }),
			...(verified?.ends && { alongside: [verified.ends] }),
			...(prompt && { meaning: (home: Services, payment: PaymentRow, when?: SQL) => settlePrompt(home, prompt, payment, when) }),
			rowFor: async (account, id) => {
				const row = paymentOf(there, body, amount, { id, fingerprint, account, organizationId, at: verified?.at });
				return unmatched ? { ...row, unmatchedReason: unmatched } : row;
			},
		},
		() => answer,
	);
}

/** The account that is named by a prompt's reference, a number or the payer, of a confirmation that was verified. */
export const accountPaid = async (services: Services, organizationId: string, body: Confirmation): Promise<string | undefined> =>
	(await paidTo(services, organizationId, body)).accountId;

/** Whether the recorded payment is the confirmed one: of its amount, and to its account, where both are known. */
export async function isPaymentOf(
	services: Services,
	known: PaymentRow,
	{ body, amount }: { readonly body: Confirmation; readonly amount: number },
): Promise<boolean> {
	if (known.status === "FAILED" || known.amount !== amount) return false;
	const typed = accountNumberIn(String(body.BillRefNumber ?? ""));
	if (known.accountId === null || (known.accountNumber !== null && accountNumberIn(known.accountNumber) === typed)) return true;
	const named = await accountPaid(services, known.organizationId, body);
	return named === undefined || known.accountId === named;
}

/** Whether the payment was recorded by then, and is posted by the sweep; or was recorded by another way, such as a report of the lender. */
export const isRecordedOtherwise = (error: unknown): boolean =>
	error instanceof StaleWrite || (error instanceof ApiError && error.code === "DUPLICATE_CONFLICT");

type Paid = { readonly accountId?: string | undefined; readonly prompt?: PromptRow | undefined };

/** The account that the confirmation names, by the reference of a prompt, by its number or else by its payer. */
async function paidTo(services: Services, organizationId: string, body: Confirmation): Promise<Paid> {
	const { db } = services;
	const number = accountNumberIn(String(body.BillRefNumber ?? ""));
	const reference = referenceIn(number);
	if (reference !== undefined) {
		const prompt = await db.read(first(findPromptReferred(db.orm, reference, organizationId)));
		if (prompt) return { accountId: prompt.accountId, prompt };
	} else {
		const numbered = await db.read(first(findAccountNumbered(db.orm, number, organizationId)));
		if (numbered) return { accountId: numbered.id };
		const accountId = await accountOfTyped(services, organizationId, number);
		if (accountId) return { accountId };
	}
	const payer = payerOf(String(body.MSISDN ?? ""));
	if (!payer) return {};
	const name = "digits" in payer ? await phoneName(services, `+${payer.digits}`) : await phoneNameOfHash(services, payer.sha256);
	return { accountId: await accountOf(services, organizationId, name) };
}

/** The account of the borrower who types a phone number instead of an account number; undefined if nobody is meant. */
export async function accountOfTyped(services: Services, organizationId: string, number: string): Promise<string | undefined> {
	const typed = phoneIn(number);
	return typed && accountOf(services, organizationId, await phoneName(services, typed));
}

/** The account that the person of the phone means: their only account in use, or their only indebted account. */
async function accountOf(services: Services, organizationId: string, name: Digest): Promise<string | undefined> {
	const { db, databases } = services;
	const named = await databases.directory.read(first(findName(databases.directory.orm, "PHONE", name)));
	if (!named) return undefined;
	const used = await db.read(first(useOfPayer(db.orm, named.id, organizationId)));
	return used?.id ?? undefined;
}

type Known = {
	id: string;
	fingerprint: string;
	account: CreditAccountRow | undefined;
	organizationId: string | undefined;
	at: number | undefined;
};

function paymentOf(
	{ now, realNow }: Services,
	body: Confirmation,
	amount: ConfirmedAmount,
	{ id, fingerprint, account, organizationId, at }: Known,
): PaymentRow {
	const unmatchedReason = reasonAgainst(account, amount, organizationId);
	// A payment cannot have been made after it was confirmed.
	const latest = Math.max(now, realNow);
	return {
		id,
		organizationId: organizationId ?? OPERATORS,
		...transactionIdOf(body.TransID),
		fingerprint,
		status: unmatchedReason === null ? "CONFIRMED" : "UNMATCHED",
		accountId: unmatchedReason === null ? (account?.id ?? null) : null,
		postedAsId: null,
		accountNumber: String(body.BillRefNumber ?? "").slice(0, 64) || null,
		amount: amount.value,
		currency: CURRENCY,
		feeAmount: 0,
		details: detailsOf(body),
		unmatchedReason,
		failureReason: null,
		transactedAt: Math.max(0, Math.min(at ?? instantOf(String(body.TransTime)) ?? latest, latest)),
		confirmedAt: now,
		postedAt: null,
		...UNCORRECTED,
		failedAt: null,
		createdAt: now,
	};
}

function reasonAgainst(
	account: CreditAccountRow | undefined,
	{ isExact }: ConfirmedAmount,
	organizationId: string | undefined,
): string | null {
	if (organizationId === undefined) return "UNKNOWN_ORGANIZATION";
	if (!account) return "UNKNOWN_ACCOUNT";
	if (account.currency !== CURRENCY) return "CURRENCY_MISMATCH";
	return isExact ? null : "AMOUNT_BELOW_MINOR_UNIT";
}

function detailsOf({ BusinessShortCode, BillRefNumber }: Confirmation): PaymentDetails {
	const code = String(BusinessShortCode ?? "").slice(0, 64) || "unknown";
	const reference = String(BillRefNumber ?? "").trim();
	return reference === ""
		? { type: "BUY_GOODS", till_number: code }
		: { type: "PAY_BILL", paybill_number: code, account_reference: reference.slice(0, 64) };
}
