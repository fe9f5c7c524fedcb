// Money that comes into a current account from outside of it, and the message to its owner.

import type { Write } from "../../../db/database";
import type { Services } from "../../../runtime/services";
import { notifyUser } from "../../messages/notices.plan";
import { type Change, post } from "./plan";
import type { LedgerAccount } from "./store";

/** The writes that post a credit, and notify the owner. The notice leaves out the sender and their words. */
export const receive = async (services: Services, account: LedgerAccount, change: Change, amount: number): Promise<Write[]> => [
	...post(services, account, change),
	...(await notifyUser(services, account.userId, "PAYMENTS", {
		key: "MONEY_ARRIVED",
		values: { sum: { amount, currency: account.currency } },
	})),
];
