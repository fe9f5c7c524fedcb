// The bars of a schedule: one for each installment, for each quarter where they are many, and for each year where quarters are.

import { day } from "../format.ts";
import { placeOf } from "../installment.ts";
import type { Installment } from "../typed.ts";

export interface Bar {
	/** Below the bar. */
	readonly label: string;
	/** As a sentence begins: `Installment 3, 20 Feb 2027`. */
	readonly name: string;
	readonly principal: number;
	readonly interest: number;
	readonly penalty: number;
	/** Paid or waived. */
	readonly settled: number;
	readonly owed: number;
	readonly isOverdue: boolean;
	/** Due before the day that the schedule is of. */
	readonly isPast: boolean;
}

const MOST_BARS = 36;
const MOST_QUARTERS = 60;

const quarterOf = ({ due_date }: Installment): string => `${due_date.slice(0, 4)} Q${Math.ceil(Number(due_date.slice(5, 7)) / 3)}`;
const yearOf = ({ due_date }: Installment): string => due_date.slice(0, 4);

export type Step = "installment" | "quarter" | "year";

export function stepFor(installments: readonly Installment[]): Step {
	if (installments.length <= MOST_BARS) return "installment";
	return new Set(installments.map(quarterOf)).size <= MOST_QUARTERS ? "quarter" : "year";
}

/** In the order of their due dates. `on`: the day that the schedule is of. */
export function barsOf(installments: readonly Installment[], on: string): readonly Bar[] {
	const step = stepFor(installments);
	const keyOf = { installment: ({ cycle_id, position }: Installment) => `${cycle_id} ${position}`, quarter: quarterOf, year: yearOf }[step];
	const ordered = installments.toSorted((a, b) => (a.due_date < b.due_date ? -1 : a.due_date > b.due_date ? 1 : a.position - b.position));
	return [...Map.groupBy(ordered, keyOf)].flatMap(([key, members]) => {
		const [first] = members;
		if (!first) return [];
		const sum = (part: (one: Installment) => number) => members.reduce((total, one) => total + part(one), 0);
		const date = day(first.due_date);
		return {
			label: step === "installment" ? date.slice(0, -5) : key,
			name: step === "installment" ? `${placeOf(first)}, ${date}` : `${members.length} installments of ${key}`,
			principal: sum(({ principal }) => principal),
			interest: sum(({ interest }) => interest),
			penalty: sum(({ penalty }) => penalty),
			settled: sum(({ paid, waived }) => paid + waived),
			owed: sum(({ outstanding }) => outstanding),
			isOverdue: members.some(({ status }) => status === "OVERDUE"),
			isPast: members.every(({ due_date }) => due_date < on),
		};
	});
}

export const heightOf = ({ principal, interest, penalty }: Bar): number => principal + interest + penalty;

/** Round values for the axis, from 0 to at least the greatest: 1, 2 or 5 times a power of ten apart, at most five. */
export function ticksFor(greatest: number): readonly number[] {
	if (greatest <= 0) return [0, 1];
	const power = 10 ** Math.floor(Math.log10(greatest / 4));
	const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => greatest / size <= 4) ?? greatest;
	return Array.from({ length: Math.ceil(greatest / step) + 1 }, (_, index) => index * step);
}

/** Every how-manyth label there is room for. */
export const labelEvery = (bars: number, width: number, room: number): number => Math.max(1, Math.ceil((bars * room) / Math.max(width, 1)));
