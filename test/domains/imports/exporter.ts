// The other program: it has a book of loans, computed by the oracle, and exports it. It shares no code with the book that imports it.

import type { Book, Cycle, CycleTerms, Fact } from "../../../src/domains/credit-accounts/book/facts.policy";
import { judge } from "../credit-accounts/book/oracle";
import { slicesOf } from "../credit-accounts/book/oracle-loan";

const DAY = 86_400_000;
const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);
const dayOf = (date: string) => Date.parse(date) / DAY;

/** Numbers that only look random: the same for the same seed. */
function dice(seed: number) {
	let state = seed;
	const roll = () => {
		state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
		return (((state ^ (state >>> 12)) >>> 0) % 100_003) / 100_003;
	};
	return {
		chance: (share: number) => roll() < share,
		between: (low: number, high: number) => low + Math.floor(roll() * (high - low + 1)),
		pick: <Value>(...values: readonly [Value, ...Value[]]): Value => values[Math.floor(roll() * values.length)] ?? values[0],
	};
}
type Dice = ReturnType<typeof dice>;

const termsOf = ({ pick, between }: Dice): CycleTerms => {
	const every = pick(
		{ duration: 7, unit: "DAYS" as const },
		{ duration: 2, unit: "WEEKS" as const },
		{ duration: 1, unit: "MONTHS" as const },
	);
	return {
		productType: pick("REDUCING_BALANCE", "FLAT"),
		tenure: { ...every, duration: every.duration * between(1, 4) },
		installmentEvery: every,
		interestRate: { basisPoints: pick(0, 300, 1_200, 6_000), periodValue: 30, periodUnit: "DAYS" },
		dayCount: pick("THIRTY_360", "ACTUAL_365"),
		feeBasisPoints: pick(0, 250),
		penaltyTerms: {
			rateBasisPoints: pick(0, 100, 1_000),
			calculationBasis: pick("PRINCIPAL_AND_ARREARS", "TOTAL_OUTSTANDING"),
			type: pick("RECURRING", "ONE_TIME"),
			periodDays: pick(1, 7),
			trigger: pick("AFTER_INSTALLMENT_DUE", "AFTER_LOAN_END"),
			gracePeriodDays: pick(0, 3),
		},
	};
};

/** One account of the other program, lived day by day. */
class OldAccount {
	readonly facts: Fact[] = [];
	readonly cycles: Cycle[] = [];
	readonly dice: Dice;
	day: number;

	constructor(dice: Dice, start: number, today: number) {
		this.dice = dice;
		this.day = start;
		this.lend(dice.between(10, 900) * 500);
		for (this.day = start + 1; this.day <= today; this.day++) this.live();
	}

	get book(): Book {
		return { facts: this.facts, cycles: this.cycles };
	}

	post(kind: Fact["kind"], amount: number, more: Partial<Fact> = {}): void {
		const position = this.facts.length + 1;
		const valueDate = dateOf(this.day);
		this.facts.push({ id: `T${position}`, position, kind, valueDate, amount, cycleId: null, installment: null, reversesId: null, ...more });
	}

	lend(amount: number): void {
		const number = this.cycles.length + 1;
		this.cycles.push({ id: `C${number}`, number, startDate: dateOf(this.day), terms: termsOf(this.dice), rolledFromId: null });
		this.post("DRAW", amount, { cycleId: `C${number}` });
	}

	live(): void {
		const { chance, between, pick } = this.dice;
		const cycle = this.cycles.at(-1);
		if (!cycle || !chance(0.16)) return;
		const { breakdown, overpaid } = judge(this.book, dateOf(this.day));
		const owed = Number(breakdown.principal + breakdown.interest + breakdown.arrears + breakdown.penalty + breakdown.refundUncovered);
		const coming = slicesOf(cycle).flatMap(({ due }) => (due > this.day ? [due] : []));
		const last = coming.at(-1);
		if (owed === 0) {
			if (overpaid > 0n && chance(0.5)) this.post("REFUND", Number(overpaid));
			else if (chance(0.4)) this.lend(between(10, 400) * 500);
			return;
		}
		const what = pick("PAY", "PAY", "PAY", "PAY", "PAY_ALL", "LATE", "DRAW", "REVERSE", "WAIVE", "RESCHEDULE", "SETTLE", "WRITE_OFF");
		if (what === "PAY") this.post("REPAYMENT", between(1, owed));
		if (what === "PAY_ALL") this.post("REPAYMENT", owed + pick(0, 0, 700));
		if (what === "LATE")
			this.post("REPAYMENT", between(1, owed), { valueDate: dateOf(Math.max(dayOf(cycle.startDate), this.day - between(1, 20))) });
		if (what === "DRAW" && last !== undefined && breakdown.arrears === 0n) this.post("DRAW", between(1, 40) * 500, { cycleId: cycle.id });
		if (what === "REVERSE") {
			const known = new Set(this.facts.map(({ reversesId }) => reversesId));
			const paid = this.facts.filter(
				({ kind, id }) => (kind === "REPAYMENT" || kind === "WAIVER" || kind === "SETTLEMENT") && !known.has(id),
			);
			const original = paid[between(0, Math.max(0, paid.length - 1))];
			if (original) this.post("REVERSAL", original.amount, { reversesId: original.id });
		}
		if (what === "WAIVE") this.post("WAIVER", between(1, 400), { cycleId: cycle.id, installment: 1 });
		// Its due dates are those of the contract as long as it was moved only once.
		const moved = this.facts.some(({ kind, cycleId }) => kind === "RESCHEDULE" && cycleId === cycle.id);
		if (what === "RESCHEDULE" && last !== undefined && breakdown.principal > 0n && !moved && this.cycles.length === 1) {
			const dueDates = [...coming, ...(chance(0.5) ? [last + 9] : [])].map((due) => dateOf(due + 5));
			if (this.isNotDue()) this.post("RESCHEDULE", 1, { cycleId: cycle.id, dueDates });
		}
		if (what === "SETTLE") this.post("SETTLEMENT", between(1, owed), { validUntil: dateOf(this.day + between(0, 15)) });
		if (what === "WRITE_OFF" && chance(0.2) && !this.facts.some(({ kind }) => kind === "WRITE_OFF")) this.post("WRITE_OFF", owed);
	}

	/** Whether some principal is still to come due. */
	isNotDue(): boolean {
		const { lines } = judge(this.book, dateOf(this.day));
		return lines.some(({ due, state }) => due > this.day && state === "OPEN") && !this.facts.some(({ kind }) => kind === "WRITE_OFF");
	}

	/** The lines of the export; `of`: what the old program calls the account, its borrower's number and the product it has here. */
	lines({ account, mobileNumber, productId }: { account: string; mobileNumber: string; productId: string }, today: number): object[] {
		const balances: object[] = [];
		judge(this.book, dateOf(today), false, (day, { refundUncovered, ...owed }, overpaid) => {
			const parts = Object.fromEntries(
				Object.entries({ ...owed, overpaid, refund_uncovered: refundUncovered }).map(([name, part]) => [name, Number(part)]),
			);
			balances.push({ type: "BALANCE", account, on: dateOf(day), ...parts });
		});
		const numberOf = (id: string | null) => Number(id?.slice(1));
		return [
			{
				type: "ACCOUNT",
				account,
				borrower: { mobile_number: mobileNumber },
				loan_product_id: productId,
				cycles: this.cycles.map(({ number, terms }) => ({
					number,
					tenure: terms.tenure,
					installment_every: terms.installmentEvery,
					interest_rate: {
						basis_points: terms.interestRate.basisPoints,
						period_value: terms.interestRate.periodValue,
						period_unit: terms.interestRate.periodUnit,
					},
					loan_product_type: terms.productType,
					day_count: terms.dayCount,
					fee_basis_points: terms.feeBasisPoints,
					penalty_terms: {
						rate_basis_points: terms.penaltyTerms.rateBasisPoints,
						calculation_basis: terms.penaltyTerms.calculationBasis,
						type: terms.penaltyTerms.type,
						period_days: terms.penaltyTerms.periodDays,
						trigger: terms.penaltyTerms.trigger,
						grace_period_days: terms.penaltyTerms.gracePeriodDays,
					},
				})),
			},
			...this.facts.map((fact) => ({
				...{ type: "FACT", account, id: fact.id, position: fact.position, on: fact.valueDate, kind: fact.kind },
				...(fact.kind === "REVERSAL" ? { reverses: fact.reversesId } : fact.kind !== "RESCHEDULE" && { amount: fact.amount }),
				...(fact.cycleId !== null && { cycle: numberOf(fact.cycleId) }),
				...(fact.installment !== null && { installment: fact.installment }),
				...(fact.dueDates && { due_dates: fact.dueDates }),
				...(fact.validUntil && { valid_until: fact.validUntil }),
			})),
			...balances,
		];
	}
}

export type Exported = { readonly account: string; readonly lines: readonly object[]; readonly kinds: readonly string[] };

/** So many accounts as they stand on `today`, each with its balance on every day. */
export function exportBook(count: number, today: string, productId: string, { seed = 1, days = 60 } = {}): readonly Exported[] {
	const throws = dice(seed);
	return Array.from({ length: count }, (_, index) => {
		const account = `L-${index + 1}`;
		const old = new OldAccount(throws, dayOf(today) - throws.between(Math.floor(days / 3), days), dayOf(today));
		const mobileNumber = `+2547${String(10_000_000 + index)}`;
		return { account, lines: old.lines({ account, mobileNumber, productId }, dayOf(today)), kinds: old.facts.map(({ kind }) => kind) };
	});
}

/** The lines in portions. */
export const portionsOf = <Line>(lines: readonly Line[], size = 500): Line[][] =>
	Array.from({ length: Math.ceil(lines.length / size) }, (_, index) => lines.slice(index * size, (index + 1) * size));
