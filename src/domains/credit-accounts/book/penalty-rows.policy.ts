// Penalties as they are recorded: a row when one is first charged, and a correction whenever a later posting makes another amount of
// it. Rows are never changed, so those of one penalty sum to what the book says of it now.

import { toBigInt, toNumber } from "../../../shared/money";
import type { CalendarDate } from "../../../shared/time";
import type { Ledger } from "./ledger.policy";

export type PenaltyRow = {
	readonly kind: "PENALTY" | "PENALTY_CORRECTION";
	readonly cycleId: string;
	/** Position of the installment. */
	readonly installment: number;
	/** Of the penalty in its installment. */
	readonly number: number;
	readonly valueDate: CalendarDate;
	/** Of a correction: the difference, negative when the penalty shrinks. */
	readonly amount: number;
};

const keyOf = ({ cycleId, installment, number }: Pick<PenaltyRow, "cycleId" | "installment" | "number">) =>
	`${cycleId} ${installment} ${number}`;

/** The rows that make what is recorded equal to the book. `recorded`: all rows of the book's cycles. */
export function newPenaltyRows({ penalties }: Ledger, recorded: readonly PenaltyRow[]): readonly PenaltyRow[] {
	const said = new Map<string, bigint>();
	for (const row of recorded) said.set(keyOf(row), (said.get(keyOf(row)) ?? 0n) + toBigInt(row.amount));
	const charged = new Set(penalties.map(keyOf));
	const dropped = recorded
		.filter((row) => row.kind === "PENALTY" && !charged.has(keyOf(row)))
		.map((row) => ({ ...row, date: row.valueDate }));
	return [...penalties, ...dropped.map((row) => ({ ...row, amount: 0n }))].flatMap(({ cycleId, installment, number, date, amount }) => {
		const before = said.get(keyOf({ cycleId, installment, number }));
		const difference = amount - (before ?? 0n);
		if (difference === 0n) return [];
		const kind = before === undefined ? "PENALTY" : "PENALTY_CORRECTION";
		return [{ kind, cycleId, installment, number, valueDate: date, amount: toNumber(difference) }];
	});
}
