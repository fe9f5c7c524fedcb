// What an installment owes today, part by part, and what of it a waiver takes: first penalties, then interest, then principal.

import type { Explanation, Installment } from "../../typed.ts";

export interface Owing {
	readonly row: Installment & { readonly id: string };
	readonly penalty: number;
	readonly interest: number;
	readonly principal: number;
}
export type Part = "penalty" | "interest" | "principal";

export const totalOf = ({ penalty, interest, principal }: Pick<Owing, Part>): number => penalty + interest + principal;

/** The parts of a debt that can be waived. The lines of the explanation say what is owed today; principal to come is in no line. */
export function owingOf(installments: readonly Installment[], lines: Explanation["lines"]): readonly Owing[] {
	return installments.flatMap(({ id, ...rest }) => {
		if (id === null || rest.outstanding <= 0) return [];
		const own = lines.filter(({ installment_id }) => installment_id === id);
		const sum = (...of: readonly string[]) =>
			own.reduce((total, { component, amount }) => (of.includes(component) ? total + amount : total), 0);
		const [penalty, interest] = [sum("PENALTY"), sum("INTEREST", "ARREARS")];
		const toCome = Math.max(Math.min(rest.outstanding - penalty - interest, rest.principal), 0);
		const principal = rest.status === "UPCOMING" ? toCome : sum("PRINCIPAL");
		return [{ row: { id, ...rest }, penalty, interest, principal }];
	});
}

/** Where a waiver most likely is asked for: the oldest with a penalty. */
export const firstOf = (owing: readonly Owing[]): Owing | undefined => owing.find(({ penalty }) => penalty > 0) ?? owing[0];

/** What a waiver of the amount takes of each part. */
export function takenOf(amount: number, { penalty, interest, principal }: Pick<Owing, Part>): Readonly<Record<Part, number>> {
	const ofPenalty = Math.min(amount, penalty);
	const ofInterest = Math.min(amount - ofPenalty, interest);
	return { penalty: ofPenalty, interest: ofInterest, principal: Math.min(amount - ofPenalty - ofInterest, principal) };
}
