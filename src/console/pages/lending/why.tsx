// Why an amount is owed: a table that adds up, line by line.

import { useState } from "preact/hooks";
import { count, day, money } from "../../format.ts";
import { byId, isPenalty, placeOf } from "../../installment.ts";
import type { Explanation, Installment } from "../../typed.ts";
import { explainLine, isOverdue } from "./explanation.ts";

/** So many lines are shown at first. */
const FIRST = 40;

interface Props {
	readonly of: Explanation;
	readonly installments: readonly Installment[];
}

export function Why({ of: { as_of, lines, currency, total_outstanding }, installments }: Props) {
	const [all, showAll] = useState(false);
	const shown = all ? lines : lines.slice(0, FIRST);
	const found = byId(installments);
	const loans = Map.groupBy(
		installments.filter((row) => !isPenalty(row)),
		({ cycle_id }) => cycle_id,
	);
	const rest = lines.length - shown.length;
	return (
		<table class="why">
			<caption class="hidden">Why {money(total_outstanding, currency)} is owed</caption>
			<thead>
				<tr>
					<th scope="col">What</th>
					<th scope="col" class="wide">
						How
					</th>
					<th scope="col" class="right">
						{currency}
					</th>
				</tr>
			</thead>
			<tbody>
				{shown.map((line, index) => {
					const row = found.get(line.installment_id ?? "");
					const { what, sum, note } = explainLine(line, currency, row && loans.get(row.cycle_id)?.length === 1);
					// A penalty says what it is.
					const place = row && !isPenalty(row) && placeOf(row);
					const late = isOverdue(line, as_of);
					return (
						<tr key={index} class={late ? "late" : undefined}>
							<td>
								{what}
								{(place || late) && (
									<small>
										{place}
										{late && place && " · "}
										{late && <span class="bad">overdue</span>}
									</small>
								)}
								<small class="narrow">{sum}</small>
							</td>
							<td class="wide sum">
								{sum}
								{note && <small>{note}</small>}
							</td>
							<td class="right">{money(line.amount, currency)}</td>
						</tr>
					);
				})}
				{rest > 0 && (
					<tr>
						<td colSpan={3}>
							<button type="button" class="plain" onClick={() => showAll(true)}>
								Show {count(rest)} more lines
							</button>
						</td>
					</tr>
				)}
			</tbody>
			<tfoot>
				<tr>
					<th scope="row">Owed on {day(as_of)}</th>
					<td class="wide" />
					<td class="right">
						<span class="total">{money(total_outstanding, currency)}</span>
					</td>
				</tr>
			</tfoot>
		</table>
	);
}
