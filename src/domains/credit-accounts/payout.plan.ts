// Money that leaves an account in addition to the payout of a loan: draws on the limit, and refunds of what was overpaid.

import type { Write } from "../../db/database";
import { raise } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { localDate, toTimestamp } from "../../shared/time";
import { creditAccountDrawFailed, creditAccountDrawn, creditAccountOverpaymentRefunded, creditAccountRefundFailed } from "./events";
import { bookOf } from "./ledger.store";
import { accountMembers } from "./postings/events.plan";
import { planPosting, todayOf } from "./postings/plan";
import { valueDateIn } from "./postings/policy";
import type { Loaded, Posted } from "./postings/rows.plan";
import type { CreditAccountRow } from "./table";

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

type Refund = Payout & { readonly actor: string };

/** Takes what was overpaid off the account. Belongs in the commit that pays it out, or orders that. */
export function takeOverpaid(services: Services, loaded: Loaded, order: Refund): Write[] {
	const { account } = loaded;
	const { now } = services;
	const { id, amount, actor } = order;
	const fact = { id, kind: "REFUND" as const, amount, valueDate: todayOf(account, now), occurredAt: now, actor };
	const data = dataOf(account, order);
	return [
		...planPosting(services, loaded, [fact]).writes,
		raise(services, creditAccountOverpaymentRefunded, { organizationId: account.organizationId, entityId: id, data }),
	];
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
