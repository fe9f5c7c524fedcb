// Places an order that was judged: finds the way to the payee, asks for a code where one is needed, and has the transfer carried out once
// it is committed.

import type { Payout } from "../../runtime/ports";
import type { CommitOptions, HandlerServices } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import type { CurrentAccountRow } from "../current-accounts/table";
import type { Issued } from "../otp/plan";
import { askCode, refuseExchangedSim } from "../otp/procedure";
import type { PayeeAccountRow } from "../payees/table";
import type { UserRow } from "../users/model/table";
import { executeSoon } from "./job";
import { noticesOf } from "./notices.plan";
import { order } from "./order.plan";
import type { OrderLimits } from "./order.policy";
import { routeTo } from "./route.procedure";
import type { Found } from "./store";

export const PURPOSE = "TRANSFER";

type Payer = Pick<UserRow, "id" | "mobileNumber" | "email"> & { readonly name: string };

type Placement = {
	readonly payer: Payer;
	readonly wallet: CurrentAccountRow;
	readonly payee: PayeeAccountRow;
	/** What `findReceiverBehind` has found. */
	readonly receiver: Found;
	readonly amount: number;
	readonly note: string | null;
	readonly payout: Payout;
	readonly limits: OrderLimits;
	readonly needsCode: boolean;
};

/** Returns the new transfer, with the writes and options of its commit. Throws PAYEE_CHANGED, and the refusals of a code. */
export async function placeOrder(services: HandlerServices, judged: Placement) {
	const { payer, wallet, payee, receiver, amount, note, payout, limits, needsCode } = judged;
	const remittance = { sender: { userId: payer.id, number: payer.mobileNumber }, amount, currency: wallet.currency };
	const route = await routeTo(services, payee, remittance, receiver);
	const id = services.newId();
	const issued = needsCode ? await codeFor(services, payer, id) : undefined;
	const { dailyTransferLimit: dailyLimit, withoutCode: codeLimits } = limits;
	const ordered = { ...remittance, id, senderName: payer.name, account: wallet, payeeAccount: payee, note, dailyLimit, codeLimits };
	const { row, writes } = await order(services, ordered, route, payout, issued);
	// Without a code, an order above the issuer's amount of the day is judged again, and then asks for one.
	const options: CommitOptions = issued ? { reserve: issued.reserve } : { overQuota: "STALE" };
	return { row, writes: [...writes, ...(await noticesOf(services, payer, row, payee)), ...executeSoon(services, row)], options };
}

/** Issues a code to the payer's number, else to their mail address. */
async function codeFor(services: HandlerServices, { id: subject, mobileNumber, email }: Payer, resource: string): Promise<Issued> {
	const recipient = mobileNumber ?? email;
	if (recipient === null) {
		throw new ApiError("INVALID_STATE", {
			description: "The amount needs a one-time password, and there is no number or mail to send it to",
		});
	}
	if (mobileNumber !== null) await refuseExchangedSim(services, mobileNumber);
	const channel = mobileNumber === null ? "EMAIL" : "SMS";
	return askCode(services, { purpose: PURPOSE, subject, resource }, { channel, recipient, userId: subject });
}
