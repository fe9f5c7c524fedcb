// Work that waits, written to D1 as it would have come to wait.

import { approvals } from "../../src/domains/approvals/table";
import { activations } from "../../src/domains/current-accounts/activations/table";
import { closures } from "../../src/domains/current-accounts/closures/table";
import { custodianInstructions } from "../../src/domains/current-accounts/custodian/table";
import { currentAccounts } from "../../src/domains/current-accounts/table";
import { disbursements } from "../../src/domains/disbursements/model/table";
import { authorizationSyncs } from "../../src/domains/organizations/authorization/table";
import { portfolios } from "../../src/domains/portfolio/model/table";
import { statementBreaks } from "../../src/domains/reconciliation/table";
import { darajaConfirmations } from "../../src/domains/repayments/recording/confirmations.table";
import { paymentReturns } from "../../src/domains/repayments/returns/table";
import { payments } from "../../src/domains/repayments/table";
import { transfers } from "../../src/domains/transfers/table";
import { users } from "../../src/domains/users/model/table";
import { deadLetters } from "../../src/domains/webhooks/table";
import type { WorkKind } from "../../src/domains/work/kinds.policy";
import { crowdedOrganizations, webhookEndpoints } from "../../src/events/table";
import { MINUTE_MS } from "../../src/shared/time";
import { db, newId } from "./factories";

type Given = { readonly id: string; readonly since: number; readonly organizationId: string; readonly userId: string };

const money = { amount: 1_200, currency: "KES" };
const codes = { challengeId: "", createdAt: 1, expiresAt: 2 };

const INSERTS: { readonly [kind in WorkKind]: (given: Given) => PromiseLike<unknown> } = {
	WAITING_USER: ({ id, since, organizationId }) =>
		db.insert(users).values({ id, status: "WAITING_LIST", tag: `@${id}`, homeOrganizationId: organizationId, createdAt: since }),
	PAYMENT: ({ id, since, organizationId }) =>
		db.insert(payments).values({
			...{ id, organizationId, mobileMoneyTransactionId: id, fingerprint: "", status: "UNMATCHED", ...money, feeAmount: 0 },
			...{ details: {} as never, unmatchedReason: "UNKNOWN_ACCOUNT", transactedAt: since, createdAt: since },
		}),
	DISBURSEMENT: ({ id, since, organizationId }) =>
		db.insert(disbursements).values({
			...{ id, kind: "LOAN", accountId: newId(id), organizationId, ...money, instruction: "as it was sent", status: "PENDING" },
			...{ attempts: 3, nextAttemptAt: since + 90 * MINUTE_MS, createdAt: since },
		}),
	CONFIRMATION: ({ id, since, organizationId }) =>
		db.insert(darajaConfirmations).values({
			...{ id, organizationId, transactionId: id, amount: money.amount, sealed: "", status: "LAPSED", attempts: 3 },
			...{ nextAttemptAt: since, createdAt: since },
		}),
	CONTRADICTION: ({ id, since, organizationId }) =>
		db.insert(disbursements).values({
			...{ id, kind: "LOAN", accountId: newId(id), organizationId, ...money, status: "FAILED", attempts: 1, nextAttemptAt: since },
			...{ createdAt: since, contradictedAt: since, paidTransaction: "TX1", paidAt: since, bookAt: since + 90 * MINUTE_MS },
		}),
	SECOND_RECEIPT: ({ id, since, organizationId }) =>
		db.insert(disbursements).values({
			...{ id, kind: "LOAN", accountId: newId(id), organizationId, ...money, status: "SUCCEEDED", attempts: 1, nextAttemptAt: since },
			...{ createdAt: since, mobileMoneyTransactionId: "TX1", occurredAt: since, secondReceiptAt: since },
			secondReceipts: [{ transaction: "TX2", at: since }],
		}),
	STATEMENT_BREAK: ({ id, since, organizationId }) =>
		db.insert(statementBreaks).values({
			...{ id, organizationId, statementId: newId(id), kind: "MISSING_THERE", status: "OPEN", action: "ASK", day: "2026-01-05", at: since },
			...{ recorded: -1_000, difference: 1_000, currency: "KES", factKind: "PAYOUT", factKey: newId(id), createdAt: since },
		}),
	TRANSFER: ({ id, since, organizationId, userId }) =>
		db.insert(transfers).values({
			...{ id, userId, accountId: newId(id), organizationId, payeeId: newId(id), payeeAccountId: newId(id), destination: "PAYOUT" },
			...{ snapshot: { type: "SEND_MONEY", identifier: "+254712345678", name: null }, ...money, status: "PENDING" },
			...{ attempts: 3, nextAttemptAt: since + 90 * MINUTE_MS, createdAt: since },
		}),
	RETURN: ({ id, since, organizationId }) =>
		db.insert(paymentReturns).values({
			...{
				id,
				reversalId: newId(id),
				organizationId,
				accountId: newId(id),
				provider: "daraja",
				shortCode: "600997",
				receipt: id,
				...money,
			},
			...{ status: "PENDING", attempts: 3, harmlessAttempts: 0, nextAttemptAt: since + 90 * MINUTE_MS, createdAt: since },
		}),
	ONBOARDING: ({ id, since, organizationId, userId }) =>
		db.insert(currentAccounts).values({
			...{ id, accountNumber: id, userId, organizationId, currency: "KES", timeZone: "Africa/Nairobi", status: "PENDING" },
			...{ walletOnboardingStatus: "SUBMITTED", rejectionReasons: [], round: 1, externalProvider: "custodian", day: "2026-01-01" },
			...{ interestDueOn: "2026-01-05", createdAt: since, updatedAt: since },
		}),
	ACTIVATION: ({ id, since, userId }) =>
		db
			.insert(activations)
			.values({ ...codes, id, accountId: newId(id), userId, channel: "SMS", status: "OTP_CONFIRMED", otpConfirmedAt: since }),
	CLOSURE: ({ id, since, userId }) =>
		db.insert(closures).values({
			...{ ...codes, id, accountId: newId(id), userId, initiatedBy: "USER", reasons: [], status: "OTP_CONFIRMED", otpConfirmedAt: since },
		}),
	CUSTODIAN: ({ id, since }) =>
		db.insert(custodianInstructions).values({
			...{ id, kind: "OPEN", subjectId: newId(id), round: 1, facts: {}, status: "PENDING", attempts: 3 },
			...{ nextAttemptAt: since + 90 * MINUTE_MS, createdAt: since },
		}),
	APPROVAL: ({ id, since, organizationId }) =>
		db.insert(approvals).values({
			...{ id, organizationId, approvalType: "WRITE_OFF", entityType: "ACCOUNT", entityId: newId(id), payload: {}, payloadHash: "" },
			...{
				targetVersion: "1",
				decider: "ORGANIZATION",
				status: "PENDING",
				requestedBy: "a",
				requestedThrough: "MEMBER",
				requestedAs: ["a"],
			},
			...{ expiresAt: since + 1, createdAt: since },
		}),
	ENDPOINT: ({ id, since, organizationId }) =>
		db.insert(webhookEndpoints).values({
			...{ id, organizationId, name: id, url: "https://receiver.example/", status: "ACTIVE", events: ["*"], timeoutMs: 1_000 },
			...{ failuresInRow: 2, troubledSince: since, createdAt: since, updatedAt: since },
		}),
	PORTFOLIO: ({ id, since, organizationId }) =>
		db.insert(portfolios).values({
			...{ organizationId, loanProductId: newId(id), id, currency: "KES", timeZone: "Africa/Nairobi", closedThrough: "2026-01-01" },
			...{ fault: "the accounts and the figures do not agree", faultedAt: since },
		}),
	AUTHORIZATION_SYNC: ({ id, since, organizationId, userId }) =>
		db.insert(authorizationSyncs).values({
			...{ id, userId, organizationId, merchantId: "", changes: 1, failure: "status 503" },
			...{ attempts: 3, nextAttemptAt: since + 90 * MINUTE_MS, createdAt: since },
		}),
	QUOTA: ({ id, since }) => db.insert(crowdedOrganizations).values({ id, state: "REACHED", since }),
	DEAD_LETTER: ({ id, since, organizationId }) => db.insert(deadLetters).values({ id, organizationId, lane: "SLOW", createdAt: since }),
};

/** A piece of work that waits since the instant. Returns its id. */
export async function givenWork(kind: WorkKind, { organizationId, since }: Pick<Given, "organizationId" | "since">): Promise<string> {
	const id = newId(organizationId);
	await INSERTS[kind]({ id, since, organizationId, userId: newId(organizationId) });
	return id;
}
