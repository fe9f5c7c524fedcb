// Why the balance is what it is: lines that sum to the total outstanding, each with the rule and the figures it follows from.

import type { Ledger } from "./book.policy";
import { type CycleState, finalDueDay, type InstallmentState, unpaidOf } from "./cycle-state.policy";
import type { Entry, Inputs } from "./entries.policy";
import { dateOf, dayOf } from "./facts.policy";

export type ExplainRule = "PRINCIPAL_NOT_DUE" | "PRINCIPAL_DUE" | "ACCESS_FEE" | "INTEREST_EARNED" | "PENALTY_CHARGED" | "PAID" | "WAIVED";

export type ExplainLine = {
	readonly component: "PRINCIPAL" | "INTEREST" | "ARREARS" | "PENALTY";
	readonly cycleId: string;
	/** Position in the cycle; null for principal that is not yet due. */
	readonly installment: number | null;
	/** Negative for what was paid or waived. */
	readonly amount: bigint;
	readonly rule: ExplainRule;
	readonly inputs: Inputs;
};

const CHARGES: ReadonlySet<string> = new Set(["ACCESS_FEE", "INTEREST_EARNED", "PENALTY_CHARGED"]);

/** One line for each open cycle's principal to come, then line by line what its installments owe; settled ones are left out. */
export function explain({ cycles, entries, through }: Ledger): readonly ExplainLine[] {
	const charges = Map.groupBy(
		entries.filter(({ rule }) => CHARGES.has(rule)),
		({ cycleId, installment, component }) => `${cycleId} ${installment} ${component}`,
	);
	const day = dayOf(through);
	return cycles.flatMap((state) => [
		...notDueLine(state),
		...state.installments.flatMap((installment) => [
			...dueLine(state, installment),
			...chargeLines(state, installment, "interest", installment.dueDay < day ? "ARREARS" : "INTEREST", charges),
			...chargeLines(state, installment, "penalty", "PENALTY", charges),
		]),
	]);
}

function notDueLine(state: CycleState): ExplainLine[] {
	if (state.notDue === 0n) return [];
	const due = state.installments.reduce((sum, { isDue, principal }) => (isDue ? sum + principal : sum), 0n);
	const drawn = state.charged.principal;
	const inputs = { drawn, due, paid_ahead: drawn - due - state.notDue, final_due_date: dateOf(finalDueDay(state)) };
	return [{ component: "PRINCIPAL", cycleId: state.cycle.id, installment: null, amount: state.notDue, rule: "PRINCIPAL_NOT_DUE", inputs }];
}

function dueLine({ cycle }: CycleState, installment: InstallmentState): ExplainLine[] {
	const amount = unpaidOf(installment).principal;
	if (amount === 0n) return [];
	const { position, principal, paid, waived, dueDay } = installment;
	const inputs = { due_date: dateOf(dueDay), principal, paid: paid.principal, waived: waived.principal };
	return [{ component: "PRINCIPAL", cycleId: cycle.id, installment: position, amount, rule: "PRINCIPAL_DUE", inputs }];
}

function chargeLines(
	{ cycle }: CycleState,
	installment: InstallmentState,
	part: "interest" | "penalty",
	component: "INTEREST" | "ARREARS" | "PENALTY",
	charges: ReadonlyMap<string, readonly Entry[]>,
): ExplainLine[] {
	if (unpaidOf(installment)[part] === 0n) return [];
	const { position, paid, waived } = installment;
	const of = { component, cycleId: cycle.id, installment: position };
	const lines: ExplainLine[] = [];
	for (const entry of charges.get(`${cycle.id} ${position} ${part === "penalty" ? "PENALTY" : "INTEREST"}`) ?? []) {
		const previous = lines.at(-1);
		const line: ExplainLine = {
			...of,
			amount: entry.amount,
			rule: entry.rule as ExplainRule,
			inputs: { ...entry.inputs, date: entry.date },
		};
		if (previous && continues(line, previous)) {
			const inputs = { ...line.inputs, charged_before: previous.inputs.charged_before ?? 0n };
			lines[lines.length - 1] = { ...line, amount: previous.amount + line.amount, inputs };
		} else lines.push(line);
	}
	if (paid[part] > 0n) lines.push({ ...of, amount: -paid[part], rule: "PAID", inputs: {} });
	if (waived[part] > 0n) lines.push({ ...of, amount: -waived[part], rule: "WAIVED", inputs: {} });
	return lines;
}

/** Interest of one stretch of days that was charged to the installment on several of them is one line. */
function continues({ rule, inputs }: ExplainLine, previous: ExplainLine): boolean {
	const chargedUntil = previous.amount + BigInt(previous.inputs.charged_before ?? 0n);
	return rule === "INTEREST_EARNED" && previous.inputs.from === inputs.from && inputs.charged_before === chargedUntil;
}
