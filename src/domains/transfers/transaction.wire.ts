// The transactions of a current account on the wire, with who was at the other side.

import * as z from "zod";
import { toTimestamp } from "../../shared/time";
import { shownAs } from "../current-accounts/accounts/wire";
import { type ContraSide, type EntryType, TRANSACTION_TYPES } from "../current-accounts/entries.policy";

export const COUNTERPARTIES = ["CUSTODIAN", "USER", "PAYEE", "INTEREST", "LOAN"] as const;

export const Counterparty = z
	.object({
		kind: z.enum(COUNTERPARTIES).meta({
			description: "USER: somebody with a current account here. PAYEE: somebody outside. CUSTODIAN: money that it reports",
		}),
		name: z.string().nullable().meta({ description: "Of a payee as their provider has it; a user's own name, else their tag" }),
	})
	.meta({ title: "Counterparty" });

const KINDS = {
	CUSTODY: "CUSTODIAN",
	TRANSFER: "USER",
	PAYOUT: "PAYEE",
	INTEREST: "INTEREST",
	LOAN: "LOAN",
} as const satisfies Record<ContraSide, (typeof COUNTERPARTIES)[number]>;

/** An amount in minor units. */
const amount = z.int();

export const CurrentAccountTransaction = z
	.object({
		id: z.uuid(),
		type: z.enum(TRANSACTION_TYPES).meta({ title: "CurrentAccountTransactionType" }),
		amount: amount.meta({ description: "Negative when money leaves the account" }),
		running_balance: amount.meta({ description: "The balance after it" }),
		currency: z.string(),
		counterparty: Counterparty,
		note: z.string().nullable().meta({ description: "Of a transfer, as the payer has written it" }),
		reference: z.string().meta({ description: "The movement, transfer or payment behind it; for interest the payday" }),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "CurrentAccountTransaction" });

/** An entry that has moved the balance. `name`, `note`: of a transfer. */
export type TransactionRow = {
	readonly id: string;
	readonly type: EntryType;
	readonly contra: ContraSide;
	readonly amount: number;
	readonly balanceAfter: number;
	readonly sourceId: string;
	readonly createdAt: number;
	readonly name: string | null;
	readonly note: string | null;
};

export const toCounterparty = ({ contra, name }: Pick<TransactionRow, "contra" | "name">): z.input<typeof Counterparty> => ({
	kind: KINDS[contra],
	name,
});

export const toTransaction = (row: TransactionRow, currency: string): z.input<typeof CurrentAccountTransaction> => ({
	id: row.id,
	type: shownAs(row),
	amount: row.amount,
	running_balance: row.balanceAfter,
	currency,
	counterparty: toCounterparty(row),
	note: row.note,
	reference: row.sourceId,
	created_at: toTimestamp(row.createdAt),
});
