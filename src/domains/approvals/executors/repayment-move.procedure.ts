// Moves a payment that was booked on a wrong account to another account of the same lender.

import * as z from "zod";
import { findLoaded, loadedOf, theAccount } from "../../credit-accounts/ledger.store";
import { planMove } from "../../repayments/corrections/move.plan";
import { reversiblePaymentOf } from "../../repayments/corrections/plan";
import { findReversible } from "../../repayments/corrections/store";
import { findWaiting } from "../../repayments/store";
import { executor } from "./executor.plan";
import { findProductOf } from "./lending.store";
import { orderedBy, targetOf } from "./repayment-reversal.procedure";

export const repaymentMove = executor({
	entity: "TRANSACTION",
	payload: z.strictObject({ account_id: z.uuid().toLowerCase() }),
	home: (transactionId) => transactionId,
	find: (orm, transactionId, { account_id }) => {
		const { accounts, statements } = findReversible(orm, transactionId);
		return [findProductOf(orm, accounts), findWaiting(theAccount(account_id)), ...findLoaded(theAccount(account_id)), ...statements];
	},
	target(services, [[product], waiting, ...found], transactionId, { account_id: accountId }) {
		const [allocations, accounts, transactions, cycles, installments, ...rows] = found;
		const payment = reversiblePaymentOf(rows, transactionId);
		const to = loadedOf([allocations, accounts, transactions, cycles, installments]);
		return payment && targetOf(product, payment, (by) => planMove(services, payment, { ...orderedBy(by), accountId, to, waiting }));
	},
});
