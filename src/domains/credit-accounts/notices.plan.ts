// The messages to borrowers about money that was paid to them.

import type { Write } from "../../db/database";
import type { Services } from "../../runtime/services";
import { notifyUser } from "../messages/notices.plan";

type Loan = { readonly userId: string; readonly currency: string };

/** A loan, or a draw on its limit. */
export const notifyPaidOut = (services: Services, { userId, currency }: Loan, amount: number): Promise<Write[]> =>
	notifyUser(services, userId, "PAYMENTS", { key: "LOAN_PAID_OUT", values: { sum: { amount, currency } } });

/** What had been overpaid. */
export const notifyPaidBack = (services: Services, { userId, currency }: Loan, amount: number): Promise<Write[]> =>
	notifyUser(services, userId, "PAYMENTS", { key: "OVERPAYMENT_PAID_BACK", values: { sum: { amount, currency } } });
