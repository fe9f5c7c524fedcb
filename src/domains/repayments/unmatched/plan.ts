// Matches an unmatched payment with an account. Where another organization had it, or the operators, it becomes a payment of the account's
// organization, whose own books have it then; the reported payment only knows the id under which it was posted. The home of a payment gives
// it to an account of another home once and for all, and owes it to that, which records and posts it as any other payment.

import type { Write } from "../../../db/database";
import { homeMessage, type Owed, owe } from "../../../runtime/home-messages";
import type { Services } from "../../../runtime/services";
import type { CreditAccountRow } from "../../credit-accounts/table";
import { insertPayment, markMatched, OPERATORS } from "../store";
import { type PaymentRow, payments } from "../table";

/**
 * Records the payment in the account's home, once. It is left out where the account's organization has reported the same transaction
 * itself: the money is recorded there already.
 */
export const matchedPayment = homeMessage<PaymentRow>({
	kind: "matched payment",
	apply: ({ db }, row) => [db.orm.insert(payments).values(row).onConflictDoNothing()],
});

/** Whose payments those to the account are. */
export const payeeOf = ({ organizationId }: CreditAccountRow): string => organizationId ?? OPERATORS;

/** The payment as the account's organization records it. */
const postedPayment = (payment: PaymentRow, account: CreditAccountRow, id: string, now: number): PaymentRow => ({
	...payment,
	id,
	organizationId: payeeOf(account),
	status: "CONFIRMED",
	accountId: account.id,
	unmatchedReason: null,
	postedAsId: null,
	createdAt: now,
	changedAt: null,
});

/** The payment as it waits for its posting to an account of the same home, and the writes by which it does. */
export function take({ db, newId, now }: Services, payment: PaymentRow, account: CreditAccountRow): { row: PaymentRow; writes: Write[] } {
	if (payment.organizationId === payeeOf(account)) {
		const change = { status: "CONFIRMED" as const, accountId: account.id, changedAt: now };
		return { row: { ...payment, ...change }, writes: [markMatched(db.orm, payment.id, change)] };
	}
	const row = postedPayment(payment, account, newId(), now);
	const change = { status: "MATCHED" as const, accountId: account.id, postedAsId: row.id, changedAt: now };
	return { row, writes: [markMatched(db.orm, payment.id, change), insertPayment(row)] };
}

type Given = { readonly given: PaymentRow; readonly writes: readonly Write[]; readonly carry: Owed["carry"] };

/** Gives the payment to the account's home. `services`: in the payment's home, where the writes belong. */
export function giveAway(services: Services, payment: PaymentRow, account: CreditAccountRow): Given {
	const { db, now } = services;
	const copy = postedPayment(payment, account, services.at(account.id).newId(), now);
	const { writes, carry } = owe(services, matchedPayment, account.id, copy);
	const change = { status: "MATCHED" as const, accountId: account.id, postedAsId: copy.id, changedAt: now };
	return {
		given: { ...payment, ...change },
		carry,
		writes: [markMatched(db.orm, payment.id, change), ...writes],
	};
}

/** What `giveAway` owed, from the payment that was given away: for a call that comes before the message does. */
export const owedOf = (services: Services, payment: PaymentRow, account: CreditAccountRow): readonly Write[] =>
	payment.postedAsId === null ? [] : matchedPayment.apply(services, postedPayment(payment, account, payment.postedAsId, services.now));
