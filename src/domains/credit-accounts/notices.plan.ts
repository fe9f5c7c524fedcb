// What borrowers are told of money that was paid to them.

import type { Write } from "../../db/database";
import type { Services } from "../../runtime/services";
import { sumText } from "../../shared/currency";
import { notifyUser } from "../messages/notices.plan";

type Loan = { readonly userId: string; readonly currency: string };

/** A loan, or a draw on its limit. */
export const tellPaidOut = (services: Services, { userId, currency }: Loan, amount: number): Promise<Write[]> =>
	notifyUser(services, userId, "PAYMENTS", `${sumText(amount, currency)} of your loan have been paid out to you.`);

/** What had been overpaid. */
export const tellPaidBack = (services: Services, { userId, currency }: Loan, amount: number): Promise<Write[]> =>
	notifyUser(services, userId, "PAYMENTS", `${sumText(amount, currency)} that you had overpaid have been paid back to you.`);
