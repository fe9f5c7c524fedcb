// What the rows of a schedule are: the installments of a loan, and what its penalties after the end have for a place.

import type { Installment } from "./typed.ts";

/** Penalties that are charged after the last installment are owed in a row of their own, which is no installment. */
export const isPenalty = ({ principal, interest, penalty }: Installment): boolean => principal === 0 && interest === 0 && penalty > 0;

export const placeOf = (row: Installment): string => (isPenalty(row) ? "Penalty" : `Installment ${row.position}`);

/** The installments by their ids, as lines of a statement name them. */
export const byId = (rows: readonly Installment[]): ReadonlyMap<string, Installment> =>
	new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const])));
