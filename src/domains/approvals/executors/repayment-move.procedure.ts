// Moves a payment that was booked on a wrong account to another account of the same lender, or corrects its amount.

import * as z from "zod";
import { first } from "../../../db/reads";
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
	payload: z.strictObject({ account_id: z.uuid().toLowerCase(), amount: z.int().min(1).optional() }),
	home: (transactionId) => transactionId,
	find: (orm, transactionId, { account_id }) => {
		const { accounts, records } = findReversible(orm, transactionId);
		return {
			product: first(findProductOf(orm, accounts)),
			waiting: findWaiting(theAccount(account_id)),
			target: findLoaded(theAccount(account_id)),
			records,
		};
	},
	target(services, { product, waiting, target, records }, transactionId, { account_id: accountId, amount }) {
		const payment = reversiblePaymentOf(records, transactionId);
		const to = loadedOf(target);
		return payment && targetOf(product, payment, (by) => planMove(services, payment, { ...orderedBy(by), accountId, to, waiting, amount }));
	},
});
