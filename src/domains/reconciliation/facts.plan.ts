// Turns the rows that were found in the databases into facts, which are compared with the lines of a statement.

import type { Answer } from "../../db/reads";
import { startOfDay } from "../../shared/time";
import { visibleKey } from "../../shared/visible-key";
import { CHART } from "../ledger/model/chart.policy";
import type { TreasuryRow } from "../ledger/model/treasury.table";
import type { FoundPayment, FoundPayout, findByReceipts } from "./facts.store";
import type { Fact } from "./match.policy";
import type { StatementRow } from "./table";

type Statement = Pick<StatementRow, "channel" | "currency" | "mapping">;

const keys = (...texts: readonly (string | null | undefined)[]): string[] => texts.flatMap((text) => (text ? [visibleKey(text)] : []));

/** A payment that was posted elsewhere, as another payment, has the id of the other. A failed payment moved nothing. */
export const ofPayments = (rows: readonly FoundPayment[], currency: string): Fact[] =>
	rows
		.filter((row) => row.currency === currency && row.status !== "FAILED")
		.map(({ id, postedAsId, receipt, amount, at, accountNumber, details }) => ({
			kind: "PAYMENT",
			id: postedAsId ?? id,
			key: receipt,
			receipts: [receipt],
			amount,
			at,
			references: keys(accountNumber, details.type === "BANK_TRANSFER" ? details.reference : undefined),
		}));

/** A payout, and its return if it came back. */
export const ofPayouts = (rows: readonly FoundPayout[], currency: string): Fact[] =>
	rows
		.filter((row) => row.currency === currency)
		.flatMap(({ id, receipt, paid, second, returned, returnedAt, amount, at, paidAt }) => {
			const receipts = keys(receipt ?? paid, ...(second ?? []).map(({ transaction }) => transaction));
			const references = keys(id, id.replaceAll("-", ""));
			const payout: Fact = { kind: "PAYOUT", id, key: id, receipts, amount: -amount, at: at ?? paidAt ?? 0, references };
			if (returnedAt === null) return [payout];
			return [payout, { ...payout, kind: "PAYOUT_RETURN", receipts: keys(returned, receipt), amount, at: returnedAt }];
		});

const CASH_OF = { MPESA: CHART.mpesa.number, MOMO: CHART.momo.number, BANK: CHART.bank.number } as const;

/** What treasury records moved on the account of the statement's channel. */
export const ofTreasury = (rows: readonly TreasuryRow[], { channel, currency, mapping }: Statement): Fact[] =>
	rows
		.filter((row) => row.currency === currency)
		.flatMap(({ id, kind, amount, account, toAccount, valueDate, referenceKey }) => {
			const comesIn = kind === "BORROWED" || kind === "CONTRIBUTED";
			const sides = [
				{ cash: account, key: id, amount: comesIn ? amount : -amount },
				{ cash: toAccount, key: `${id} to`, amount },
			];
			const of = { kind: "TREASURY", id, receipts: [referenceKey], references: [referenceKey] } as const;
			const at = startOfDay(valueDate, mapping.time_zone);
			return sides.filter(({ cash }) => cash === CASH_OF[channel]).map((side) => ({ ...of, at, key: side.key, amount: side.amount }));
		});

type Found = Answer<ReturnType<typeof findByReceipts>>;

/** Each fact once: a payout that waits for a decision may be found by its receipt too. */
export function factsOf(found: readonly Found[], statement: Statement): readonly Fact[] {
	const { currency } = statement;
	const facts = found.flatMap(({ payments, returns, payouts, contradicted, paidTwice, repayments, treasury }): Fact[] => {
		const paid = ofPayments(payments, currency);
		const back = returns.flatMap(({ id, transaction, receipt }): Fact[] => {
			const of = payments.find((payment) => payment.id === id && payment.currency === currency);
			return of
				? [{ kind: "PAYMENT_RETURN", id, key: id, receipts: keys(transaction, receipt), amount: -of.amount, at: of.at, references: [] }]
				: [];
		});
		const invoices = repayments
			.filter((row) => row.currency === currency)
			.map(
				({ id, receipt, amount, at }): Fact => ({
					kind: "INVOICE_REPAYMENT",
					id,
					key: id,
					receipts: keys(receipt),
					amount,
					at,
					references: [],
				}),
			);
		return [
			...paid,
			...back,
			...ofPayouts([...payouts, ...contradicted, ...paidTwice], currency),
			...invoices,
			...ofTreasury(treasury, statement),
		];
	});
	return [...new Map(facts.map((fact) => [`${fact.kind} ${fact.key}`, fact])).values()];
}

/** Somebody has found that it was never made. */
export const isTakenBack = ({ status, movedAsId, isReturned }: FoundPayment): boolean =>
	status === "REVERSED" && movedAsId === null && isReturned === 0;

/**
 * Whether the statement must have the payment: it was made to the statement's number, by its channel. A moved one counts as the payment that
 * it became.
 */
export function isPaidTo(
	{ details, status, movedAsId }: FoundPayment,
	{ channel, number }: Pick<StatementRow, "channel" | "number">,
): boolean {
	if (status === "FAILED" || status === "MATCHED" || movedAsId !== null) return false;
	if (details.type === "PAY_BILL") return channel === "MPESA" && details.paybill_number === number;
	if (details.type === "BUY_GOODS") return channel === "MPESA" && details.till_number === number;
	if (details.type === "SEND_MONEY") return channel === "MOMO";
	return details.type === "BANK_TRANSFER" && channel === "BANK";
}

/** Whether the statement must have the payout: it went by a connection of its channel, or by the outside disburser. */
export const isPaidFrom = ({ provider }: FoundPayout, { channel, expects }: Pick<StatementRow, "channel" | "expects">): boolean =>
	provider === null
		? expects.includes("DISBURSER_PAYOUTS")
		: expects.includes("PAYOUTS") && channel === (provider === "daraja" ? "MPESA" : "MOMO");
