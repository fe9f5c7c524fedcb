// Moves a payment that was booked on a wrong account to another account of the same lender: one commit takes it off the one and posts it to
// the other, as a payment of its own with the receipt, the facts and the value date of the first. A payment that was recorded with a wrong
// amount is put right in the same way, on its own account too.

import type { Write } from "../../../db/database";
import { raise } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import { sha256Hex } from "../../../shared/bytes";
import { canonicalJson } from "../../../shared/json";
import type { Loaded } from "../../credit-accounts/postings/rows.plan";
import { repaymentMoved } from "../events";
import { postPayments } from "../plan";
import { insertPayment } from "../store";
import type { PaymentRow } from "../table";
import { payeeOf } from "../unmatched/plan";
import { planReversal, REVERSAL_REFUSALS, type Reversible } from "./plan";

export const MOVE_REFUSALS = {
	...REVERSAL_REFUSALS,
	NO_RECEIPT: "It was imported without its receipt: reverse it, and report it for the other account",
	REVERSED_IN_PART: "A part of it is reversed: undo that first",
	FROM_CURRENT_ACCOUNT: "The borrower has paid it from their current account: reverse it, and the money is back there",
	SAME_ACCOUNT: "It is on this account, with this amount",
	NO_SUCH_ACCOUNT: "The lender has no such account",
	CURRENCY_MISMATCH: "The account has another currency",
	KEPT_ELSEWHERE: "The account is in another database: reverse the payment, and report it for that account",
} as const;
export type MoveRefusal = keyof typeof MOVE_REFUSALS;

/** `to`: the other account; undefined where there is none. `waiting`: what waits to be posted to it. */
export type Move = {
	readonly accountId: string;
	readonly to: Loaded | undefined;
	readonly waiting: readonly PaymentRow[];
	/** What was paid, where that was recorded wrongly. */
	readonly amount?: number | undefined;
	readonly reason: string;
	readonly actor: string;
};

function refusalOf(services: Services, { payer, payment, loaded }: Reversible, { accountId, to, amount }: Move): MoveRefusal | undefined {
	if (!payment) return "NO_RECEIPT";
	if (accountId === loaded.account.id && (amount ?? payment.amount) === payment.amount) return "SAME_ACCOUNT";
	if (services.at(accountId).db !== services.db) return "KEPT_ELSEWHERE";
	if (!to || payeeOf(to.account) !== payment.organizationId) return "NO_SUCH_ACCOUNT";
	if (to.account.currency !== payment.currency) return "CURRENCY_MISMATCH";
	if (payer) return "FROM_CURRENT_ACCOUNT";
	return payment.status === "POSTED" && payment.reversedAmount > 0 ? "REVERSED_IN_PART" : undefined;
}

/** The writes belong in a commit in the home of both accounts; they are stale when anything was posted to one of them since. */
export async function planMove(services: Services, found: Reversible, move: Move) {
	const { payment, loaded } = found;
	const { waiting, reason, actor } = move;
	// Of its own account all is read that `planReversal` needs.
	const isHere = move.accountId === loaded.account.id;
	const to = isHere ? loaded : move.to;
	const refusal = refusalOf(services, found, move);
	if (refusal || !payment || !to) return { accepted: false, reason: refusal ?? "NO_SUCH_ACCOUNT" } as const;
	const { now } = services;
	const id = services.newId();
	const taken = await planReversal(services, found, { reason, actor, movedAs: id, isPostedByCaller: isHere });
	if (!taken.accepted) return taken;
	const amount = move.amount ?? payment.amount;
	const row: PaymentRow = {
		...payment,
		id,
		amount,
		// The journal books what is recorded here, and has an imported payment in its opening balance: this one is recorded here.
		fingerprint:
			amount === payment.amount && payment.fingerprint !== "imported" ? payment.fingerprint : await fingerprintOf(payment, amount),
		accountId: to.account.id,
		status: "CONFIRMED",
		postedAt: null,
		createdAt: now,
		changedAt: null,
	};
	const posted = await postPayments(services, to, [...waiting, row], undefined, isHere ? [taken.reversal] : []);
	const { currency } = payment;
	const { organizationId } = to.account;
	const data = {
		...{ transaction_id: id, account_id: to.account.id, amount, currency, from_account_id: loaded.account.id },
		...{ original_transaction_id: payment.id, reversal_transaction_id: taken.reversal.id },
	};
	const writes: Write[] = [
		...taken.writes,
		insertPayment(row),
		...posted.writes,
		raise(services, repaymentMoved, { organizationId, entityId: id, data }),
	];
	const moved = { payment: posted.rows.find((one) => one.id === id) ?? row, allocations: posted.allocations };
	return { accepted: true, moved, writes, options: taken.options } as const;
}

/** The provider has not said that the amount is right. An imported payment keeps a mark, by which no tariff charges it. */
async function fingerprintOf({ mobileMoneyTransactionId, currency, fingerprint }: PaymentRow, amount: number): Promise<string> {
	const corrected = await sha256Hex(canonicalJson(["corrected", mobileMoneyTransactionId, amount, currency]));
	return fingerprint.startsWith("imported") ? `imported ${corrected}` : corrected;
}
