// The lines of a general ledger that an account's book amounts to: its entries by rule and by what they are of. Overdue interest counts as
// interest, because it only changed its name. An amount that rolls over from cycle to cycle is lent and repaid by nobody, so it is no
// payout. A write-off takes the claim down to nothing, and what is paid later is recovered.

import type { CalendarDate } from "../../../shared/time";
import { takenBy, unearnedOf } from "./deferred-fees.policy";
import type { Entry, EntryComponent, EntryRule } from "./entries.policy";
import { dayOf } from "./facts.policy";
import type { Ledger } from "./ledger.policy";

/** The debt is made of these. */
export const PARTS = ["principal", "interest", "penalty", "refundUncovered"] as const;
export type Part = (typeof PARTS)[number];

export const LINES = [
	"drawn",
	/** More moved into a new cycle than was unpaid in the old one: principal, and as much that is overpaid. */
	"rolledOver",
	/** Charged, less what of it was waived before it was earned: that was never a claim. */
	"fees",
	/** What is charged of them and not yet earned. */
	"feesUnearned",
	/** What was unearned of them at a write-off, and is no income. */
	"feesGivenUp",
	"interestEarned",
	"penaltiesCharged",
	"refundedUncovered",
	"paidPrincipal",
	"paidInterest",
	"paidPenalty",
	"paidRefundUncovered",
	"waivedPrincipal",
	"waivedInterest",
	"waivedPenalty",
	"waivedRefundUncovered",
	"writtenOffPrincipal",
	"writtenOffInterest",
	"writtenOffPenalty",
	"writtenOffRefundUncovered",
	/** Paid after the write-off. */
	"recovered",
	/** Paid, and taken by nothing. */
	"overpaymentReceived",
	"overpaymentUsed",
	"refunded",
] as const;
export type Line = (typeof LINES)[number];
export type Lines = Readonly<Record<Line, bigint>>;

export const noLines = (): Record<Line, bigint> => Object.fromEntries(LINES.map((line) => [line, 0n])) as Record<Line, bigint>;

export const difference = (later: Lines, earlier: Lines): Lines =>
	Object.fromEntries(LINES.map((line) => [line, later[line] - earlier[line]])) as Record<Line, bigint>;

const PART_OF: Readonly<Record<Exclude<EntryComponent, "OVERPAYMENT">, Part>> = {
	PRINCIPAL: "principal",
	INTEREST: "interest",
	ARREARS: "interest",
	PENALTY: "penalty",
	REFUND_UNCOVERED: "refundUncovered",
};

const SETTLED = {
	PAID: {
		principal: "paidPrincipal",
		interest: "paidInterest",
		penalty: "paidPenalty",
		refundUncovered: "paidRefundUncovered",
	},
	WAIVED: {
		principal: "waivedPrincipal",
		interest: "waivedInterest",
		penalty: "waivedPenalty",
		refundUncovered: "waivedRefundUncovered",
	},
	WRITTEN_OFF: {
		principal: "writtenOffPrincipal",
		interest: "writtenOffInterest",
		penalty: "writtenOffPenalty",
		refundUncovered: "writtenOffRefundUncovered",
	},
} as const satisfies Record<string, Record<Part, Line>>;

const CHARGED: Partial<Readonly<Record<EntryRule, Line>>> = {
	DRAWN: "drawn",
	ROLLED_OVER: "rolledOver",
	ACCESS_FEE: "fees",
	INTEREST_EARNED: "interestEarned",
	PENALTY_CHARGED: "penaltiesCharged",
	REFUNDED: "refundedUncovered",
};

const OF_OVERPAYMENT: Partial<Readonly<Record<EntryRule, readonly [line: Line, sign: bigint]>>> = {
	OVERPAID: ["overpaymentReceived", -1n],
	OVERPAYMENT_USED: ["overpaymentUsed", 1n],
	REFUNDED: ["refunded", 1n],
};

/**
 * What the book amounts to from its beginning, up to the end of a day of the ledger to which its entries sum (its checkpoints), by default
 * its last. Of two replays of the same facts from the same position on, only the difference means something: a book that begins with a
 * roll-over does not know what the old cycle gave.
 */
export function linesOf(ledger: Ledger, through: CalendarDate = ledger.through): Lines {
	const { entries, cycles, writtenOffOn, entriesBeforeWriteOff } = ledger;
	const lines = noLines();
	const rollOvers = new Set(cycles.flatMap(({ rolledInBy }) => rolledInBy ?? []));
	const isWrittenOff = writtenOffOn !== null && writtenOffOn <= through;
	for (const [index, { date, component, rule, amount, transactionId }] of entries.entries()) {
		if (date > through || rule === "OVERDUE") continue;
		const isRolled = transactionId !== null && rollOvers.has(transactionId) && (rule === "DRAWN" || rule === "OVERPAID");
		if (component === "OVERPAYMENT") {
			const [line, sign] = OF_OVERPAYMENT[rule] ?? [];
			if (line && sign && !isRolled) lines[line] += sign * amount;
			continue;
		}
		const part = PART_OF[component];
		const isLate = isWrittenOff && index >= entriesBeforeWriteOff;
		addClaim(lines, { rule: isRolled ? "ROLLED_OVER" : rule, part, amount, isLate });
		if (isWrittenOff && !(isLate && isSettling(rule))) lines[SETTLED.WRITTEN_OFF[part]] += amount;
	}
	addDeferredFees(lines, ledger, through);
	return lines;
}

const isSettling = (rule: EntryRule): rule is "PAID" | "WAIVED" => rule === "PAID" || rule === "WAIVED";

/** `isLate`: after the write-off, when the claim is worth nothing any more. */
function addClaim(lines: Record<Line, bigint>, claim: Pick<Entry, "rule" | "amount"> & { part: Part; isLate: boolean }): void {
	const { rule, amount, part, isLate } = claim;
	if (isSettling(rule)) {
		if (!isLate) lines[SETTLED[rule][part]] -= amount;
		else if (rule === "PAID") lines.recovered -= amount;
		return;
	}
	const line = CHARGED[rule];
	if (line) lines[line] += amount;
}

function addDeferredFees(lines: Record<Line, bigint>, { cycles }: Ledger, through: CalendarDate): void {
	for (const fee of cycles.flatMap(({ deferredFees }) => deferredFees)) {
		const day = dayOf(through);
		const waived = takenBy(fee.waived, day);
		lines.fees -= waived;
		lines.waivedInterest -= waived;
		lines.feesUnearned += unearnedOf(fee, day);
		lines.feesGivenUp += takenBy(fee.givenUp, day);
	}
}

/** What is owed and overpaid by the lines. */
export const balancesBy = (lines: Lines) => ({
	principal: lines.drawn + lines.rolledOver - lines.paidPrincipal - lines.waivedPrincipal - lines.writtenOffPrincipal,
	/** With what of it is overdue. */
	interest: lines.fees + lines.interestEarned - lines.paidInterest - lines.waivedInterest - lines.writtenOffInterest,
	penalty: lines.penaltiesCharged - lines.paidPenalty - lines.waivedPenalty - lines.writtenOffPenalty,
	refundUncovered: lines.refundedUncovered - lines.paidRefundUncovered - lines.waivedRefundUncovered - lines.writtenOffRefundUncovered,
	overpaid: lines.overpaymentReceived + lines.rolledOver - lines.overpaymentUsed - lines.refunded,
});
