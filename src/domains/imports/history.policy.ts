// An old account as the facts and cycles of a book. An unclear or contradicted line is a fault: nothing is guessed.

import type { CalendarDate } from "../../shared/time";
import type { Cycle, Fact, FactKind } from "../credit-accounts/book/facts.policy";
import type { FrozenTerms } from "../loan-products/model/policy";
import type { Fault } from "./fault.policy";

/** A fact as the old program exports it; each kind has its own of the last members. */
export type OldFact = {
	readonly id: string;
	/** In the order of posting. */
	readonly position: number;
	readonly on: CalendarDate;
	readonly kind: Exclude<FactKind, "PENALTY" | "PENALTY_CORRECTION">;
	readonly amount?: number;
	readonly cycle?: number;
	readonly installment?: number;
	readonly reverses?: string;
	readonly due_dates?: readonly CalendarDate[];
	readonly valid_until?: CalendarDate;
};

/** The terms of each cycle, by its number, and the number of the cycle that rolled into it. */
export type OldCycle = { readonly number: number; readonly rolledOverFrom: number | undefined; readonly terms: FrozenTerms };

export type History<Line extends OldFact = OldFact> = {
	readonly facts: readonly (Fact & { readonly line: Line })[];
	readonly cycles: readonly (Cycle & { readonly terms: FrozenTerms })[];
};

const isOpening = ({ kind }: { readonly kind: OldFact["kind"] }) => kind === "DRAW" || kind === "ROLL_OVER";
const REVERSIBLE: readonly OldFact["kind"][] = ["DRAW", "REPAYMENT", "WAIVER", "REFUND", "WRITE_OFF", "RESCHEDULE", "SETTLEMENT"];

const bad = (line: OldFact, description: string): Fault => ({ code: "BAD_FACT", description, fact: line.id });

/** `today`: no fact is of a later day. */
export function historyOf<Line extends OldFact>(
	lines: readonly Line[],
	oldCycles: readonly OldCycle[],
	{ today, newId }: { readonly today: CalendarDate; readonly newId: () => string },
): History<Line> | Fault {
	const ordered = lines.toSorted((a, b) => a.position - b.position);
	const numbers = new Set(oldCycles.map(({ number }) => number));
	const fault = faultOfCycles(oldCycles, ordered) ?? faultOfFacts(ordered, numbers, today);
	if (fault) return fault;
	const cycleIds = new Map(oldCycles.map(({ number }) => [number, newId()]));
	const ids = new Map(ordered.map(({ id }) => [id, newId()]));
	const cycleIdOf = (number: number | undefined) => cycleIds.get(number ?? 0) ?? null;
	return {
		cycles: oldCycles
			.toSorted((a, b) => a.number - b.number)
			.map(({ number, rolledOverFrom, terms }) => ({
				id: cycleIds.get(number) ?? "",
				number,
				startDate: ordered.find((line) => isOpening(line) && line.cycle === number)?.on ?? today,
				terms,
				rolledFromId: cycleIdOf(rolledOverFrom),
			})),
		facts: ordered.map((line, index) => {
			const reversed = ordered.find(({ id }) => id === line.reverses);
			return {
				id: ids.get(line.id) ?? "",
				position: index + 1,
				kind: line.kind,
				valueDate: line.on,
				// A transaction is never of nothing: what has no amount counts as one unit.
				amount: (reversed ?? line).amount ?? 1,
				cycleId: cycleIdOf(line.cycle),
				installment: line.installment ?? null,
				reversesId: reversed ? (ids.get(reversed.id) ?? null) : null,
				...(line.due_dates && { dueDates: line.due_dates }),
				...(line.valid_until && { validUntil: line.valid_until }),
				line,
			};
		}),
	};
}

function faultOfCycles(cycles: readonly OldCycle[], ordered: readonly OldFact[]): Fault | undefined {
	const badCycle = (number: number, what: string): Fault => ({ code: "BAD_CYCLE", description: `Cycle ${number} ${what}` });
	const sorted = cycles.toSorted((a, b) => a.number - b.number);
	for (const [index, { number, rolledOverFrom }] of sorted.entries()) {
		if (number !== index + 1) return badCycle(number, "is not the next: they are numbered from 1");
		const first = ordered.find((line) => isOpening(line) && line.cycle === number);
		if (!first) return badCycle(number, "has no DRAW or ROLL_OVER");
		if ((first.kind === "ROLL_OVER") !== (rolledOverFrom !== undefined)) {
			return badCycle(number, "begins with a ROLL_OVER if, and only if, it names rolled_over_from");
		}
		if (rolledOverFrom !== undefined && rolledOverFrom >= number) return badCycle(number, "rolled over from a cycle that is not before it");
	}
	return undefined;
}

function faultOfFacts(ordered: readonly OldFact[], cycles: ReadonlySet<number>, today: CalendarDate): Fault | undefined {
	const [first] = ordered;
	if (!first) return { code: "BAD_FACT", description: "The account has no facts" };
	if (first.kind !== "DRAW") return bad(first, "The first fact must be a DRAW");
	const before = new Map<string, OldFact>();
	const begun = new Set<number | undefined>();
	const reversed = new Set<string>();
	let position = 0;
	for (const line of ordered) {
		if (line.position === position) return bad(line, "Another fact has its position");
		if (line.on > today) return bad(line, "It is of a day to come");
		if (line.cycle !== undefined && !cycles.has(line.cycle)) return bad(line, "The account has no such cycle");
		if (line.kind === "ROLL_OVER") {
			if (begun.has(line.cycle)) return bad(line, "Its cycle has begun already");
		}
		if (line.kind === "REVERSAL") {
			const original = before.get(line.reverses ?? "");
			if (!original) return bad(line, "It reverses no earlier fact");
			if (!REVERSIBLE.includes(original.kind) || reversed.has(original.id))
				return bad(line, "Its target is reversed already, or cannot be reversed");
			reversed.add(original.id);
		}
		if (isOpening(line)) begun.add(line.cycle);
		position = line.position;
		before.set(line.id, line);
	}
	return undefined;
}
