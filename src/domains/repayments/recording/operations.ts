// Payments to credit accounts, as partners and operators report them.

import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { actingFor, reachOfStaff } from "../../../db/reach";
import { spendBy } from "../../../http/amount-windows";
import { apiKey, held, oneOf } from "../../../http/callers/access";
import { homeOfCaller, operation, Reply } from "../../../http/operation";
import type { Services } from "../../../runtime/services";
import { sha256Hex } from "../../../shared/bytes";
import { ApiError, badInput } from "../../../shared/errors";
import { canonicalJson } from "../../../shared/json";
import { withoutAddresses } from "../../../shared/named-persons";
import { all, has, justWith, lacks, when } from "../../../shared/schema-rules";
import { refuseFuture } from "../../../shared/timestamp";
import { Receipt, visibleKey } from "../../../shared/visible-key";
import { homeOfAccountNumber, isAccountNumber } from "../../credit-accounts/account-number.policy";
import { type CreditAccountRow, creditAccounts } from "../../credit-accounts/table";
import { lendingWorker, type Staff } from "../../users/model/callers";
import { PaymentDetails } from "../payment-details.wire";
import { OPERATORS } from "../store";
import { type PaymentRow, UNCORRECTED } from "../table";
import { transactionIdOf } from "../transaction-id.policy";
import { Repayment, toRepayment } from "../wire";
import { type Report, record } from "./procedure";

const creditAccount = alias(creditAccounts, "credit_account");

const currency = z.string().regex(/^[A-Z]{3}$/, "must be three capital letters");
const money = z.strictObject({ value: z.int().min(1), currency });

const RepaymentInput = z
	.object({
		mobile_money_transaction_id: Receipt.meta({
			description: "The provider's id. Case, spaces, the width of characters and those that nobody sees make no difference",
		}),
		account_id: z.uuid().toLowerCase().optional(),
		account_number: z.string().trim().min(1).max(64).optional().meta({ description: "Instead of account_id, as the payer typed it in" }),
		amount: money,
		fee_amount: z
			.strictObject({ value: z.int().min(0), currency })
			.optional()
			.meta({ description: "The provider's charge" }),
		transacted_at: z.iso.datetime({ offset: true }),
		details: PaymentDetails,
		status: z.enum(["CONFIRMED", "FAILED"]).default("CONFIRMED"),
		failure_reason: z.string().trim().min(1).max(255).overwrite(withoutAddresses).optional(),
	})
	.meta({
		id: "RepaymentInput",
		...when(
			has("account_id"),
			all(lacks("account_number"), justWith("failure_reason", "status", "FAILED")),
			all(has("account_number"), justWith("failure_reason", "status", "FAILED")),
		),
	});

export const recordRepayment = operation({
	id: "recordRepayment",
	method: "POST",
	path: "/v1/repayments",
	summary: "Record a payment to a credit account and allocate it",
	access: held(oneOf(lendingWorker, apiKey("repayments:write"))),
	whileSuspended: true,
	home: ({ body, caller }) => homeOfPayment(body, caller),
	request: { body: RepaymentInput },
	response: Repayment,
	status: 201,
	otherStatuses: {
		200: "The same transaction with the same facts was reported before: the first answer",
		202: "No account was found: the payment is kept as unmatched",
	},
	errors: ["NOT_FOUND", "DUPLICATE_CONFLICT", "INVALID_STATE"],
	async handle({ body, caller }, services) {
		const { transactedAt, facts } = readReport(body, services);
		const named =
			body.account_id === undefined
				? sql`${creditAccount.accountNumber} = ${body.account_number}`
				: sql`${creditAccount.id} = ${body.account_id}`;
		const reporter = actingFor(caller) ?? OPERATORS;
		const report: Report = {
			transactionId: visibleKey(body.mobile_money_transaction_id),
			account: sql`(select ${creditAccount.id} from ${creditAccounts} ${creditAccount} where ${named} and ${reachOfStaff(caller, creditAccount.organizationId)})`,
			reporter,
			// A payment that failed moves nothing.
			spending: (there, { status, amount }, when) => (status === "FAILED" ? { writes: [] } : spendBy(there, caller, amount, when)),
			async rowFor(account, id) {
				if (!account && body.account_id !== undefined) throw new ApiError("NOT_FOUND", { description: "There is no such account" });
				const fingerprint = await sha256Hex(canonicalJson([facts, account?.id ?? body.account_number ?? null]));
				const organizationId = account?.organizationId ?? reporter;
				return paymentOf(services, { id, organizationId, fingerprint, account, body, transactedAt });
			},
		};
		return record(services, report, ({ payment, allocations, isFirst }) => {
			const status = payment.status === "UNMATCHED" ? 202 : isFirst ? 201 : 200;
			return new Reply(toRepayment(payment, allocations), { status });
		});
	},
});

type Body = z.output<typeof RepaymentInput>;

/** Where the account is, by its id or its number. A payment that names no account stays with the organization, or in the directory. */
function homeOfPayment({ account_id, account_number }: Body, caller: Staff): string | number | undefined {
	if (account_id !== undefined) return account_id;
	if (account_number !== undefined && isAccountNumber(account_number)) return homeOfAccountNumber(account_number);
	return homeOfCaller(caller);
}

function readReport(body: Body, services: Services) {
	if ((body.account_id === undefined) === (body.account_number === undefined)) {
		throw badInput("account_id", "is required, or account_number", body.account_id === undefined ? "REQUIRED" : "MUTUALLY_EXCLUSIVE");
	}
	if (body.fee_amount && body.fee_amount.currency !== body.amount.currency) {
		throw badInput("fee_amount.currency", "is not that of the amount", "CURRENCY_MISMATCH");
	}
	if ((body.status === "FAILED") !== (body.failure_reason !== undefined)) {
		throw badInput("failure_reason", "belongs to status FAILED", body.status === "FAILED" ? "REQUIRED" : "NOT_ALLOWED");
	}
	const transactedAt = Date.parse(body.transacted_at);
	refuseFuture("transacted_at", transactedAt, services);
	if (transactedAt < 0) throw badInput("transacted_at", "is before 1970", "OUT_OF_RANGE");
	const { amount, fee_amount, details, status, failure_reason = null } = body;
	const facts = { amount, fee: fee_amount?.value ?? 0, details, status, failure_reason, transactedAt };
	return { transactedAt, facts };
}

type Reported = {
	id: string;
	organizationId: string;
	fingerprint: string;
	account: CreditAccountRow | undefined;
	body: Body;
	transactedAt: number;
};

function paymentOf({ now }: Services, { id, organizationId, fingerprint, account, body, transactedAt }: Reported): PaymentRow {
	const unmatchedReason = !account ? "UNKNOWN_ACCOUNT" : account.currency !== body.amount.currency ? "CURRENCY_MISMATCH" : null;
	const status = body.status === "FAILED" ? "FAILED" : unmatchedReason === null ? "CONFIRMED" : "UNMATCHED";
	return {
		id,
		organizationId,
		...transactionIdOf(body.mobile_money_transaction_id),
		fingerprint,
		status,
		accountId: status === "UNMATCHED" ? null : (account?.id ?? null),
		postedAsId: null,
		accountNumber: body.account_number ?? account?.accountNumber ?? null,
		amount: body.amount.value,
		currency: body.amount.currency,
		feeAmount: body.fee_amount?.value ?? 0,
		details: body.details,
		unmatchedReason,
		failureReason: body.failure_reason ?? null,
		transactedAt,
		confirmedAt: status === "FAILED" ? null : now,
		postedAt: null,
		...UNCORRECTED,
		failedAt: status === "FAILED" ? now : null,
		createdAt: now,
	};
}
