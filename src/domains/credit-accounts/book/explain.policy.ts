// Why the balance is what it is: lines that sum to the total outstanding, each with the rule and the figures it follows from.

import { type CycleState, finalDueDay, type InstallmentState, unpaidOf } from "./cycle-state.policy";
import type { Entry, Inputs } from "./entries.policy";
import { dateOf, dayOf } from "./facts.policy";
import type { Ledger } from "./ledger.policy";

export const EXPLAIN_RULES = [
	"PRINCIPAL_NOT_DUE",
	"PRINCIPAL_DUE",
	"ACCESS_FEE",
	"INTEREST_EARNED",
	"PENALTY_CHARGED",
	"REFUNDED",
	"PAID",
	"WAIVED",
] as const;
export type ExplainRule = (typeof EXPLAIN_RULES)[number];

export type ExplainLine = {
	readonly component: "PRINCIPAL" | "INTEREST" | "ARREARS" | "PENALTY" | "REFUND_UNCOVERED";
	/** null for a refund without cover. */
	readonly cycleId: string | null;
	/** Position in the cycle; null for principal that is not yet due. */
	readonly installment: number | null;
	/** Negative for what was paid or waived. */
	readonly amount: bigint;
	readonly rule: ExplainRule;
	readonly inputs: Inputs;
	/** The transaction that paid, waived or refunded. */
	readonly transactionId: string | null;
};

const CHARGES: ReadonlySet<string> = new Set(["ACCESS_FEE", "INTEREST_EARNED", "PENALTY_CHARGED"]);
const REDUCTIONS: ReadonlySet<string> = new Set(["PAID", "WAIVED"]);

/** Entries of the installments, by place and part. Arrears are interest that is overdue. */
function entriesByPart(entries: readonly Entry[], rules: ReadonlySet<string>): ReadonlyMap<string, readonly Entry[]> {
	return Map.groupBy(
		entries.filter(({ rule }) => rules.has(rule)),
		({ cycleId, installment, component }) => `${cycleId} ${installment} ${component === "ARREARS" ? "INTEREST" : component}`,
	);
}

/** One line for each open cycle's principal to come, then line by line what its installments owe; settled ones are left out. */
export function explain({ cycles, entries, through, uncoveredRefund }: Ledger): readonly ExplainLine[] {
	const charges = entriesByPart(entries, CHARGES);
	const reductions = entriesByPart(entries, REDUCTIONS);
	const day = dayOf(through);
	return [
		...(uncoveredRefund > 0n ? uncoveredLines(entries) : []),
		...cycles.flatMap((state) => [
			...notDueLine(state),
			...state.installments.flatMap((installment) => [
				...dueLine(state, installment),
				...partLines(state, installment, "interest", installment.dueDay < day ? "ARREARS" : "INTEREST", charges, reductions),
				...partLines(state, installment, "penalty", "PENALTY", charges, reductions),
			]),
		]),
	];
}

/** What was refunded without cover and paid since, from the day on which the sum was last zero. */
function uncoveredLines(entries: readonly Entry[]): ExplainLine[] {
	let lines: ExplainLine[] = [];
	let sum = 0n;
	for (const { component, amount, rule, transactionId, date } of entries) {
		if (component !== "REFUND_UNCOVERED") continue;
		if (sum === 0n) lines = [];
		sum += amount;
		lines.push({ component, cycleId: null, installment: null, amount, rule: rule as ExplainRule, inputs: { date }, transactionId });
	}
	return lines;
}

function notDueLine(state: CycleState): ExplainLine[] {
	if (state.notDue === 0n) return [];
	const due = state.installments.reduce((sum, { isDue, principal }) => (isDue ? sum + principal : sum), 0n);
	const drawn = state.charged.principal;
	const inputs = { drawn, due, paid_ahead: drawn - due - state.notDue, final_due_date: dateOf(finalDueDay(state)) };
	const of = { component: "PRINCIPAL" as const, cycleId: state.cycle.id, installment: null, transactionId: null };
	return [{ ...of, amount: state.notDue, rule: "PRINCIPAL_NOT_DUE", inputs }];
}

/**
 * The principal of an installment is its level amount less its interest; the last one takes what the others leave. The level amount
 * follows from the principal that was spread over so many installments when money was last lent before its due date.
 */
function dueLine({ cycle }: CycleState, installment: InstallmentState): ExplainLine[] {
	const amount = unpaidOf(installment).principal;
	if (amount === 0n) return [];
	const { position, principal, paid, waived, dueDay, interest, fee, plan, takesRest } = installment;
	const inputs = {
		due_date: dateOf(dueDay),
		principal,
		paid: paid.principal,
		waived: waived.principal,
		level_amount: installment.amount,
		interest: interest - fee,
		...(plan && { planned_on: dateOf(plan.day), planned_principal: plan.principal, planned_installments: plan.installments }),
		takes_rest: takesRest,
	};
	const of = { component: "PRINCIPAL" as const, cycleId: cycle.id, installment: position, transactionId: null };
	return [{ ...of, amount, rule: "PRINCIPAL_DUE", inputs }];
}

function partLines(
	{ cycle }: CycleState,
	installment: InstallmentState,
	part: "interest" | "penalty",
	component: "INTEREST" | "ARREARS" | "PENALTY",
	charges: ReadonlyMap<string, readonly Entry[]>,
	reductions: ReadonlyMap<string, readonly Entry[]>,
): ExplainLine[] {
	if (unpaidOf(installment)[part] === 0n) return [];
	const of = { component, cycleId: cycle.id, installment: installment.position };
	const key = `${cycle.id} ${installment.position} ${part === "penalty" ? "PENALTY" : "INTEREST"}`;
	const lines: ExplainLine[] = [];
	for (const entry of charges.get(key) ?? []) {
		const inputs = { ...entry.inputs, date: entry.date };
		const line: ExplainLine = { ...of, amount: entry.amount, rule: entry.rule as ExplainRule, inputs, transactionId: entry.transactionId };
		const previous = lines.at(-1);
		if (previous && continues(line, previous)) lines[lines.length - 1] = joined(previous, line);
		else lines.push(line);
	}
	for (const [transactionId, parts] of Map.groupBy(reductions.get(key) ?? [], (entry) => entry.transactionId)) {
		const amount = parts.reduce((sum, entry) => sum + entry.amount, 0n);
		lines.push({ ...of, amount, rule: parts[0]?.rule as ExplainRule, inputs: { date: parts[0]?.date ?? "" }, transactionId });
	}
	return lines;
}

function joined(previous: ExplainLine, line: ExplainLine): ExplainLine {
	const inputs = { ...line.inputs, charged_before: previous.inputs.charged_before ?? 0n };
	return { ...line, amount: previous.amount + line.amount, inputs };
}

/** Interest of one stretch of days that was charged to the installment on several of them is one line. */
function continues({ rule, inputs }: ExplainLine, previous: ExplainLine): boolean {
	const chargedUntil = previous.amount + BigInt(previous.inputs.charged_before ?? 0n);
	return rule === "INTEREST_EARNED" && previous.inputs.from === inputs.from && inputs.charged_before === chargedUntil;
}
