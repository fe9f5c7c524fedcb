// Treasury records: what each kind debits and credits, and why one cannot be stored.

import type { CalendarDate } from "../../../shared/time";
import { CHART } from "./chart.policy";

/** CONTRIBUTED and DRAWN: owners' money that comes in and leaves. INTEREST: what is paid for borrowed money. */
export const TREASURY_KINDS = ["BORROWED", "REPAID", "INTEREST", "CONTRIBUTED", "DRAWN", "TRANSFER"] as const;
export type TreasuryKind = (typeof TREASURY_KINDS)[number];

/** The accounts of the chart that hold money. */
export const CASH_ACCOUNTS = [CHART.mpesa.number, CHART.momo.number, CHART.bank.number, CHART.agents.number, CHART.custody.number] as const;
export type CashAccount = (typeof CASH_ACCOUNTS)[number];

/** What two people agree to. */
export type Treasury = {
	readonly kind: TreasuryKind;
	/** In minor units, more than 0. */
	readonly amount: number;
	readonly currency: string;
	readonly account: CashAccount;
	/** Of a TRANSFER: where the money goes. */
	readonly to_account: CashAccount | null;
	readonly value_date: CalendarDate;
	readonly reference: string;
	/** The record that it takes back: of the same kind, amount and accounts. */
	readonly corrects_id: string | null;
};

type Priors = {
	/** A record of the same money. */
	readonly same: { readonly id: string } | undefined;
	/** The record that it takes back, and what takes that back already. */
	readonly corrected: Pick<Treasury, "kind" | "amount" | "currency" | "account" | "corrects_id"> | undefined;
	readonly correctedTo: CashAccount | null;
	readonly correction: { readonly id: string } | undefined;
};

/** Why it cannot be stored; undefined if it can. */
export function refusalOf(record: Treasury, { same, corrected, correctedTo, correction }: Priors) {
	if (record.corrects_id === null) {
		return same ? { reason: "RECORDED_ALREADY", description: "This money is recorded already" } : undefined;
	}
	if (!corrected) return { reason: "NO_SUCH_RECORD", description: "There is no such treasury record to take back" };
	if (corrected.corrects_id !== null) return { reason: "IS_CORRECTION", description: "A record that takes another back stays" };
	if (correction) return { reason: "ALREADY_CORRECTED", description: "The record is taken back already" };
	const { kind, amount, currency, account, to_account } = record;
	const isSame =
		corrected.kind === kind &&
		corrected.amount === amount &&
		corrected.currency === currency &&
		corrected.account === account &&
		correctedTo === to_account;
	return isSame
		? undefined
		: { reason: "OTHER_MONEY", description: "A record is taken back whole: with its kind, amount, currency and accounts" };
}
