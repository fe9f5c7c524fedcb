// Plans the writes of an application's moves: its events, its expiry, and the payout that starts a cycle.

import type { Write } from "../../../db/database";
import { raise } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import { resourceId } from "../../../shared/ids";
import { localDate, toTimestamp } from "../../../shared/time";
import { creditAccountOpened } from "../../credit-accounts/events";
import { bookOf } from "../../credit-accounts/ledger.store";
import { accountMembers } from "../../credit-accounts/postings/events.plan";
import { planPosting } from "../../credit-accounts/postings/plan";
import { valueDateIn } from "../../credit-accounts/postings/policy";
import type { Loaded } from "../../credit-accounts/postings/rows.plan";
import {
	loanApplicationCancelled,
	loanApplicationCreated,
	loanApplicationExpired,
	loanApplicationRejected,
	loanApplicationSubmitted,
	loanDisbursed,
	loanDisbursementFailed,
} from "./events";
import { moveApplication } from "./store";
import type { LoanApplicationRow } from "./table";

const about = ({ organizationId, id }: LoanApplicationRow) => ({ organizationId, entityId: id });

/** The members of every event of an application. */
const dataOf = ({ id, userId, accountId, status, currency }: LoanApplicationRow) => ({
	application_id: id,
	resource_id: resourceId("lapp", id),
	user_id: userId,
	account_id: accountId,
	status,
	currency,
});

export function raiseCreated(services: Services, row: LoanApplicationRow): Write[] {
	const created = raise(services, loanApplicationCreated, {
		...about(row),
		data: {
			...dataOf(row),
			min_loan_amount: row.minLoanAmount,
			max_loan_amount: row.maxLoanAmount,
			expires_at: toTimestamp(row.expiresAt),
		},
	});
	if (row.status !== "REJECTED") return [created];
	return [
		created,
		raise(services, loanApplicationRejected, { ...about(row), data: { ...dataOf(row), reasons: [...row.rejectionReasons] } }),
	];
}

export const raiseSubmitted = (services: Services, row: LoanApplicationRow): Write =>
	raise(services, loanApplicationSubmitted, { ...about(row), data: { ...dataOf(row), loan_amount: row.loanAmount } });

export const raiseCancelled = (services: Services, row: LoanApplicationRow): Write =>
	raise(services, loanApplicationCancelled, { ...about(row), data: dataOf(row) });

export const raiseFailed = (services: Services, row: LoanApplicationRow): Write =>
	raise(services, loanDisbursementFailed, {
		...about(row),
		data: { ...dataOf(row), amount: row.loanAmount, failure_reason: row.failureReason },
	});

/** Stores that an open offer has expired. */
export const expireOffer = (services: Services, row: LoanApplicationRow): Write[] => [
	moveApplication(row, ["expire"]),
	raise(services, loanApplicationExpired, {
		...about(row),
		data: { ...dataOf({ ...row, status: "EXPIRED" }), expires_at: toTimestamp(row.expiresAt) },
	}),
];

/** Withdraws an open offer whose product is no longer offered. */
export const cancelOffer = (services: Services, row: LoanApplicationRow): Write[] => [
	moveApplication(row, ["cancel"]),
	raiseCancelled(services, { ...row, status: "CANCELLED" }),
];

type PaidOut = {
	loaded: Loaded;
	at: number;
	mobileMoneyTransactionId: string | null;
};

/** The day from which a payout counts. */
export const payoutDate = (loaded: Loaded, at: number, timeZone: string) => valueDateIn(bookOf(loaded), localDate(at, timeZone));

/** The writes that follow a payout: the draw with the cycle that it starts, and the events. */
export function payOut(services: Services, row: LoanApplicationRow, { loaded, at, mobileMoneyTransactionId }: PaidOut): Write[] {
	const { account } = loaded;
	const cycleId = services.newId();
	const startDate = payoutDate(loaded, at, row.terms.timeZone);
	const number = Math.max(0, ...loaded.cycles.map((cycle) => cycle.number)) + 1;
	const { writes } = planPosting(
		services,
		loaded,
		[{ id: services.newId(), kind: "DRAW", amount: row.loanAmount, valueDate: startDate, occurredAt: at, cycleId }],
		{
			newCycles: [
				{ id: cycleId, number, applicationId: row.id, mobileMoneyTransactionId, startDate, terms: row.terms, rolledFromId: null },
			],
		},
	);
	return [
		raise(services, loanDisbursed, {
			...about(row),
			data: {
				...dataOf(row),
				cycle_id: cycleId,
				amount: row.loanAmount,
				mobile_money_transaction_id: mobileMoneyTransactionId,
				disbursed_at: toTimestamp(at),
			},
		}),
		...(account.openedAt === null
			? [
					raise(services, creditAccountOpened, {
						organizationId: row.organizationId,
						entityId: account.id,
						data: {
							...accountMembers(account),
							account_number: account.accountNumber,
							currency: account.currency,
							opened_at: toTimestamp(at),
						},
					}),
				]
			: []),
		...writes,
	];
}
