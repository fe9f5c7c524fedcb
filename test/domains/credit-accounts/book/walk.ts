// Renders the tables of the walk through a loan from the facts that the page itself lists.

import { type AllocationRow, newAllocationRows } from "../../../../src/domains/credit-accounts/book/allocation-rows.policy";
import { balanceOf } from "../../../../src/domains/credit-accounts/book/balance.policy";
import { replay } from "../../../../src/domains/credit-accounts/book/book.policy";
import { explain } from "../../../../src/domains/credit-accounts/book/explain.policy";
import type { Book, Cycle, Fact } from "../../../../src/domains/credit-accounts/book/facts.policy";
import { installmentsOf } from "../../../../src/domains/credit-accounts/book/installments.policy";
import { newPenaltyRows, type PenaltyRow } from "../../../../src/domains/credit-accounts/book/penalty-rows.policy";
import { standingOf } from "../../../../src/domains/credit-accounts/book/standing.policy";
import { statementOf } from "../../../../src/domains/credit-accounts/book/statement.policy";

/** The day on which a fact was posted may be later than its value date. */
type PostedFact = Fact & { readonly postedOn: string };
export type Walk = { readonly cycles: readonly Cycle[]; readonly facts: readonly PostedFact[] };
type Cell = string | number | bigint | null;
type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly Cell[])[] };

const textOf = (cell: Cell) => {
	if (cell === null) return "";
	return typeof cell === "string" ? cell : cell.toLocaleString("en-GB");
};
const words = (text: string) => text.toLowerCase().replaceAll("_", " ");
const knownOn = ({ cycles, facts }: Walk, day: string): Book => ({ cycles, facts: facts.filter(({ postedOn }) => postedOn <= day) });

/** Posts the facts up to this one, each on its day. Returns what the last posting adds. */
function postingOf({ cycles, facts }: Walk, id: string): { rows: readonly AllocationRow[]; penalties: readonly PenaltyRow[] } {
	const rows: AllocationRow[] = [];
	const penalties: PenaltyRow[] = [];
	for (const [index, fact] of facts.entries()) {
		const posted = facts.slice(0, index + 1);
		const before = replay({ cycles, facts: facts.slice(0, index) }, fact.postedOn);
		penalties.push(...newPenaltyRows(before, penalties));
		const ledger = replay({ cycles, facts: posted }, fact.postedOn);
		const added = { rows: newAllocationRows(ledger, posted, rows, [fact]), penalties: newPenaltyRows(ledger, penalties) };
		if (fact.id === id) return added;
		rows.push(...added.rows);
		penalties.push(...added.penalties);
	}
	throw new Error(`no fact ${id}`);
}

/** Inputs that are zero for most charges. */
const ONLY_IF_ANY: ReadonlySet<string> = new Set(["charged_before", "carried_over", "over_cap"]);

const TABLES: Record<string, (walk: Walk, ...args: string[]) => Table> = {
	/** The installments on a day, with the facts known then. */
	installments: (walk, day = "") => ({
		head: ["#", "due", "status", "principal", "interest", "penalty", "paid", "outstanding"],
		rows: installmentsOf(replay(knownOn(walk, day), day)).map((row) => [
			row.position,
			row.dueDate,
			words(row.status),
			row.principal,
			row.interest,
			row.penalty,
			row.paid,
			row.outstanding,
		]),
	}),
	balance: (walk, day = "") => {
		const ledger = replay(knownOn(walk, day), day);
		const { breakdown, totalCharged, totalPaid, totalWaived, totalOutstanding, overpaid } = balanceOf(ledger);
		return {
			head: ["status", "charged", "paid", "waived", "outstanding", "principal", "interest", "arrears", "penalty", "overpaid"],
			rows: [
				[
					words(standingOf(ledger).status),
					...[totalCharged, totalPaid, totalWaived, totalOutstanding],
					...[breakdown.principal, breakdown.interest, breakdown.arrears, breakdown.penalty, overpaid],
				],
			],
		};
	},
	explain: (walk, day = "") => ({
		head: ["component", "#", "amount", "rule", "transaction", "inputs"],
		rows: explain(replay(knownOn(walk, day), day)).map(({ component, installment, amount, rule, inputs, transactionId }) => [
			words(component),
			installment,
			amount,
			words(rule),
			transactionId,
			Object.entries(inputs)
				.filter(([name, value]) => value !== 0n || !ONLY_IF_ANY.has(name))
				.map(([name, value]) => `${words(name)} ${textOf(typeof value === "boolean" ? (value ? "yes" : "no") : value)}`)
				.join(", "),
		]),
	}),
	/** The statement of a span, with the facts known at its end. */
	statement: (walk, from = "", to = "") => {
		const { opening, entries } = statementOf(knownOn(walk, to), from, to);
		return {
			head: ["date", "#", "component", "rule", "amount", "balance"],
			rows: [
				[from, null, "", "opening balance", null, opening],
				...entries.map(({ date, installment, component, rule, amount, runningBalance }) => [
					date,
					installment,
					words(component),
					words(rule),
					amount,
					runningBalance,
				]),
			],
		};
	},
	/** The rows that the posting of a fact records. */
	posting: (walk, id = "") => {
		const { rows, penalties } = postingOf(walk, id);
		return {
			head: ["transaction", "#", "allocated", "principal", "interest", "arrears", "effect", "source", "timing"],
			rows: [
				...rows.map((row) => [
					row.transactionId,
					row.installment,
					...[row.allocatedAmount, row.principalAmount, row.interestAmount, row.arrearsAmount],
					...[row.effect, row.source, row.timing].map(words),
				]),
				...penalties.map(({ kind, installment, amount, valueDate }) => [
					words(kind),
					installment,
					amount,
					null,
					null,
					null,
					valueDate,
					"",
					"",
				]),
			],
		};
	},
};

/** The table that a caption such as `balance 2025-02-01` asks for, as Markdown. */
export function render(walk: Walk, caption: string): string {
	const [name = "", ...args] = caption.split(" ");
	const table = TABLES[name]?.(walk, ...args);
	if (!table) throw new Error(`no table ${caption}`);
	const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
	return [line(table.head), line(table.head.map(() => "---")), ...table.rows.map((row) => line(row.map(textOf)))].join("\n");
}
