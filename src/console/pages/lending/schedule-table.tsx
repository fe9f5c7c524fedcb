// The installments of an account, listed by page, with their sums.

import { useState } from "preact/hooks";
import { day, money, plural } from "../../format.ts";
import { placeOf } from "../../installment.ts";
import { stateInWords } from "../../states.ts";
import type { Installment } from "../../typed.ts";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";

const PAGE = 36;

interface Props {
	readonly installments: readonly Installment[];
	readonly currency: string;
	/** Asks by which payments it was paid. */
	readonly onPaid: (installment: { readonly id: string; readonly due_date: string }) => void;
}

export function ScheduleTable({ installments, currency, onPaid }: Props) {
	const [page, turn] = useState(0);
	const pages = Math.ceil(installments.length / PAGE);
	const several = new Set(installments.map(({ cycle_id }) => cycle_id)).size > 1;
	const loans = [...new Set(installments.map(({ cycle_id }) => cycle_id))];
	const amount = (minor: number) => (minor === 0 ? "–" : money(minor, currency));
	const sum = (part: (one: Installment) => number) => (
		<span class="total">{amount(installments.reduce((total, one) => total + part(one), 0))}</span>
	);
	const columns: Column<Installment>[] = [
		{
			head: "Due",
			cell: (row) => (
				<>
					{day(row.due_date)}
					<small>{several ? `Loan ${loans.indexOf(row.cycle_id) + 1}, ${placeOf(row).toLowerCase()}` : placeOf(row)}</small>
				</>
			),
		},
		{
			head: "State",
			cell: ({ status }) => {
				const [of, word] = stateInWords("Installment.status", status);
				return <State of={of} word={word} />;
			},
		},
		{ head: "Principal", right: true, wide: true, cell: ({ principal }) => amount(principal) },
		{ head: "Interest", right: true, wide: true, cell: ({ interest }) => amount(interest) },
		{ head: "Penalty", right: true, wide: true, cell: ({ penalty }) => amount(penalty) },
		{
			head: "Paid",
			right: true,
			wide: true,
			cell: ({ id, due_date, paid, waived }) => (
				<>
					{id && paid > 0 ? (
						<button type="button" class="plain" title="Show its payments" onClick={() => onPaid({ id, due_date })}>
							{amount(paid)}
						</button>
					) : (
						amount(paid)
					)}
					{waived > 0 && <small>{money(waived, currency)} waived</small>}
				</>
			),
		},
		{ head: "Owed", right: true, cell: ({ outstanding }) => amount(outstanding) },
	];
	const foot = [
		"Together",
		"",
		sum(({ principal }) => principal),
		sum(({ interest }) => interest),
		sum(({ penalty }) => penalty),
		sum(({ paid }) => paid),
		sum(({ outstanding }) => outstanding),
	];
	return (
		<>
			<Table
				label="Installments"
				rows={installments.slice(page * PAGE, (page + 1) * PAGE)}
				columns={columns}
				keyOf={({ cycle_id, position }) => `${cycle_id} ${position}`}
				foot={foot}
			/>
			{pages > 1 && (
				<nav class="buttons pager" aria-label="Pages of installments">
					<button type="button" disabled={page === 0} onClick={() => turn(page - 1)}>
						Earlier
					</button>
					<button type="button" disabled={page === pages - 1} onClick={() => turn(page + 1)}>
						Later
					</button>
					<span class="pages">
						Page {page + 1} of {pages}, {plural(installments.length, "installment")}
					</span>
				</nav>
			)}
		</>
	);
}
