// Matches an unmatched payment with an account of another home. The payment's home gives it away once and for all, and owes it to the
// account's home, which records and posts it as any other payment.

import type { Write } from "../../../db/database";
import { homeMessage, type Owed, owe } from "../../../runtime/home-messages";
import type { Services } from "../../../runtime/services";
import type { CreditAccountRow } from "../../credit-accounts/table";
import { markMatched } from "../store";
import { type PaymentRow, payments } from "../table";

/**
 * Records the payment in the account's home, once. It is left out where the account's organization has reported the same transaction
 * itself: the money is recorded there already.
 */
export const matchedPayment = homeMessage<PaymentRow>({
	kind: "matched payment",
	apply: ({ db }, row) => [db.orm.insert(payments).values(row).onConflictDoNothing()],
});

/** The payment as the account's home records it. */
const postedPayment = (payment: PaymentRow, account: CreditAccountRow, id: string, now: number): PaymentRow => ({
	...payment,
	id,
	status: "CONFIRMED",
	accountId: account.id,
	unmatchedReason: null,
	postedAsId: null,
	createdAt: now,
});

type Given = { readonly given: PaymentRow; readonly writes: readonly Write[]; readonly carry: Owed["carry"] };

/** Gives the payment to the account's home. `services`: in the payment's home, where the writes belong. */
export function giveAway(services: Services, payment: PaymentRow, account: CreditAccountRow): Given {
	const { db, now } = services;
	const copy = postedPayment(payment, account, services.at(account.id).newId(), now);
	const { writes, carry } = owe(services, matchedPayment, account.id, copy);
	const change = { status: "MATCHED" as const, accountId: account.id, postedAsId: copy.id };
	return {
		given: { ...payment, ...change },
		carry,
		writes: [markMatched(db.orm, payment.id, change), ...writes],
	};
}

/** What `giveAway` owed, from the payment that was given away: for whoever comes before the message does. */
export const owedOf = (services: Services, payment: PaymentRow, account: CreditAccountRow): readonly Write[] =>
	payment.postedAsId === null ? [] : matchedPayment.apply(services, postedPayment(payment, account, payment.postedAsId, services.now));
