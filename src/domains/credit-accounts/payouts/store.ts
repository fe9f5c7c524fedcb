// Money that leaves an account beside the payout of a loan: draws on the limit, and refunds of what was overpaid.

import { sql } from "drizzle-orm";
import type { Orm, Write } from "../../../db/database";
import { raise } from "../../../events/raise";
import type { Borrower, Disburser } from "../../../runtime/ports";
import { besideAnswer, type Services } from "../../../runtime/services";
import { localDate, toTimestamp } from "../../../shared/time";
import { findOpenAccount } from "../../current-accounts/accounts/store";
import { credit, post } from "../../current-accounts/ledger/store";
import type { CurrentAccountRow } from "../../current-accounts/table";
import { findRecipient, instruct, orderDisbursement, recordPaid } from "../../loans/disbursements/store";
import { creditAccountDrawFailed, creditAccountDrawn, creditAccountOverpaymentRefunded, creditAccountRefundFailed } from "../events";
import { bookOf, findLoaded, theAccount } from "../ledger.store";
import { valueDateIn } from "../posting.policy";
import { type Loaded, type Posted, planPosting, todayOf } from "../posting.store";
import { accountMembers } from "../posting-events.store";
import { type CreditAccountRow, creditAccounts } from "../table";

/** `id`: of the transaction, which is that of the disbursement. */
type Payout = { readonly id: string; readonly amount: number };

const dataOf = (account: CreditAccountRow, { id, amount }: Payout) => ({
	...accountMembers(account),
	transaction_id: id,
	amount,
	currency: account.currency,
});

type PaidDraw = Payout & { readonly at: number; readonly mobileMoneyTransactionId: string | null };

/** Posts a draw whose money was paid out at that instant. Throws ScheduleOutOfRange. */
export function postDraw(services: Services, loaded: Loaded, draw: PaidDraw): { posted: Posted; writes: Write[] } {
	const { account } = loaded;
	const { id, amount, at, mobileMoneyTransactionId } = draw;
	const valueDate = valueDateIn(bookOf(loaded), localDate(at, account.terms.timeZone));
	const posted = planPosting(services, loaded, [{ id, kind: "DRAW", amount, valueDate, occurredAt: at }]);
	const cycleId = posted.transactions.find((transaction) => transaction.id === id)?.cycleId;
	if (!cycleId) throw new Error("a draw was posted to no cycle");
	const drawn = { cycle_id: cycleId, mobile_money_transaction_id: mobileMoneyTransactionId, drawn_at: toTimestamp(at) };
	const data = { ...dataOf(account, draw), ...drawn };
	return {
		posted,
		writes: [...posted.writes, raise(services, creditAccountDrawn, { organizationId: account.organizationId, entityId: id, data })],
	};
}

export const raiseDrawFailed = (services: Services, account: CreditAccountRow, draw: Payout, failureReason: string): Write =>
	raise(services, creditAccountDrawFailed, {
		organizationId: account.organizationId,
		entityId: draw.id,
		data: { ...dataOf(account, draw), failure_reason: failureReason },
	});

/** What a refund reads: to whom it goes, and the account, as `loadedOf` takes it. */
export const findRefund = (orm: Orm, accountId: string) =>
	[
		findRecipient(orm, theAccount(accountId)),
		findOpenAccount(orm, sql`(select a.user_id from ${creditAccounts} a where a.id = ${accountId})`),
		...findLoaded(orm, theAccount(accountId)),
	] as const;

/** Where a refund goes: to the borrower's current account, or out of the service. */
export type RefundTarget =
	| { readonly kind: "CURRENT_ACCOUNT"; readonly account: CurrentAccountRow }
	| { readonly kind: "DISBURSER"; readonly disburser: Disburser; readonly recipient: Borrower };

type Refund = Payout & { readonly actor: string };

/** Takes what was overpaid off the account, and gives it to the borrower or orders that. `instruct` follows the commit. */
export function refund(services: Services, loaded: Loaded, target: RefundTarget, order: Refund): { writes: Write[]; instruct(): void } {
	const { account } = loaded;
	const { now } = services;
	const { id, amount, actor } = order;
	const { organizationId } = account;
	const fact = { id, kind: "REFUND" as const, amount, valueDate: todayOf(account, now), occurredAt: now, actor };
	const data = { ...dataOf(account, order), destination: target.kind };
	const { writes, instruct } = giveTo(services, account, target, order);
	return {
		writes: [
			...writes,
			...planPosting(services, loaded, [fact]).writes,
			raise(services, creditAccountOverpaymentRefunded, { organizationId, entityId: id, data }),
		],
		instruct,
	};
}

function giveTo(
	services: Services,
	{ id: accountId, currency }: CreditAccountRow,
	target: RefundTarget,
	{ id, amount }: Refund,
): { writes: Write[]; instruct(): void } {
	if (target.kind === "CURRENT_ACCOUNT") {
		return { writes: post(services, target.account, credit("LOAN_REFUND", id, amount)), instruct: () => undefined };
	}
	const { disburser, recipient } = target;
	const payout = { id, kind: "REFUND" as const, accountId, amount, currency };
	if (disburser.kind === "embedded") {
		return { writes: [recordPaid(services, payout, disburser.pay(id).mobileMoneyTransactionId)], instruct: () => undefined };
	}
	const instruction = { reference: id, accountId, amount: { value: amount, currency }, recipient };
	return {
		writes: [orderDisbursement(services, payout)],
		instruct: () => services.afterwards(instruct(besideAnswer(services), instruction)),
	};
}

/** Reverses a refund that could not be paid out. `loaded`: with the account's whole history. */
export function reverseRefund(services: Services, loaded: Loaded, refunded: Payout, failureReason: string): Write[] {
	const { account } = loaded;
	const { now } = services;
	const id = services.newId();
	const reversal = { id, kind: "REVERSAL" as const, amount: refunded.amount, valueDate: todayOf(account, now), occurredAt: now };
	return [
		...planPosting(services, loaded, [{ ...reversal, reversesId: refunded.id, reason: failureReason }]).writes,
		raise(services, creditAccountRefundFailed, {
			organizationId: account.organizationId,
			entityId: refunded.id,
			data: { ...dataOf(account, refunded), reversed_by: id, failure_reason: failureReason },
		}),
	];
}
