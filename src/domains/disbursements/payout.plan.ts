// Pays a borrower: to their current account in the same commit, by the embedded disburser likewise, or by an order to an outside one.

import type { Write } from "../../db/database";
import type { Instruction } from "../../runtime/ports";
import type { Services } from "../../runtime/services";
import type { PaymentProvider } from "../../shared/payment-providers";
import { credit, post } from "../current-accounts/ledger/plan";
import type { CurrentAccountRow } from "../current-accounts/table";
import type { Destination } from "./model/destination.policy";
import { orderDisbursement, recordPaid } from "./model/plan";

/** Where a payout goes. `wallet`: the current account that gets it. */
export type Chosen = {
	readonly destination: Destination | null;
	readonly wallet: CurrentAccountRow | undefined;
	/** Whose connection pays it; null: the disburser behind DISBURSER_URL, or nobody outside. */
	readonly provider: PaymentProvider | null;
	/** What is paid: less than was asked for where only part of it can be. */
	readonly amount: number;
};

export type Payout = {
	readonly id: string;
	readonly kind: "LOAN" | "DRAW" | "REFUND";
	readonly accountId: string;
	readonly organizationId: string | null;
	readonly amount: number;
	readonly currency: string;
};

/**
 * `paid`: the money moves with the commit. Otherwise the instruction follows it, and the disburser reports later. `amount`: less than was
 * ordered where only part of it can be paid.
 */
export type Payment = { readonly amount: number; readonly writes: readonly Write[] } & (
	| { readonly paid: { readonly mobileMoneyTransactionId: string | null }; readonly instruction?: undefined }
	| { readonly paid?: undefined; readonly instruction: Instruction }
);

export function planPayout(services: Services, payout: Omit<Payout, "amount">, chosen: Chosen): Payment {
	const { destination, wallet, provider, amount } = chosen;
	const ordered = { ...payout, amount, destination };
	if (wallet) {
		const type = payout.kind === "REFUND" ? "LOAN_REFUND" : "LOAN_DISBURSEMENT";
		const credited = post(services, wallet, credit(type, payout.id, amount));
		return { amount, writes: [recordPaid(services, ordered, null), ...credited], paid: { mobileMoneyTransactionId: null } };
	}
	const { disburser } = services.providers;
	if (disburser?.kind === "embedded") {
		const paid = disburser.pay(payout.id);
		return { amount, writes: [recordPaid(services, ordered, paid.mobileMoneyTransactionId)], paid };
	}
	if (!destination) throw new Error("an outside disburser needs a destination");
	const { write, instruction } = orderDisbursement(services, { ...ordered, destination, provider });
	return { amount, writes: [write], instruction };
}
