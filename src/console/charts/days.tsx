// What a lender paid out and collected on each day, on one scale, and what was overdue at its end, on another.

import { day, money } from "../format.ts";
import type { BodyOf } from "../typed.ts";
import { type Column, Table } from "../ui/table.tsx";
import { useWidth } from "./width.ts";

export type Trend = BodyOf<"GET /v1/portfolio/trend">["data"][number];
type Day = Trend["days"][number];

const HIGH = 40;
const ROW = 62;
const HEIGHT = 3 * ROW + 16;

const COLUMNS = (currency: string): readonly Column<Day>[] => [
	{ head: "Day", cell: (of) => day(of.day) },
	{ head: "Disbursed", right: true, cell: ({ disbursed }) => money(disbursed, currency) },
	{ head: "Collected", right: true, cell: ({ collected }) => money(collected, currency) },
	{ head: "Overdue", right: true, cell: ({ overdue }) => money(overdue, currency) },
];

export function Days({ of: { currency, days } }: { readonly of: Trend }) {
	const [ref, width] = useWidth<HTMLElement>();
	const [disbursed, collected, overdue] = [
		days.map((one) => one.disbursed),
		days.map((one) => one.collected),
		days.map((one) => one.overdue),
	];
	const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
	const flows = [...disbursed, ...collected];
	const rows = [
		["Disbursed", sum(disbursed), "chart-good", disbursed, flows],
		["Collected", sum(collected), "chart-good", collected, flows],
		[`Overdue principal on ${day(days.at(-1)?.day ?? "")}`, overdue.at(-1) ?? 0, "chart-bad", overdue, overdue],
	] as const;
	const step = width / days.length;
	const bar = Math.max(step * 0.68, 2);
	return (
		<figure class="bars" ref={ref}>
			<svg width={width} height={HEIGHT} role="img" aria-label={`Disbursed, collected and overdue on each day, in ${currency}`}>
				{rows.map(([name, told, kind, values, scale], row) => {
					const base = row * ROW + 16 + HIGH;
					const most = Math.max(1, ...scale);
					return (
						<g key={name}>
							<text y={row * ROW + 10}>{`${name}: ${money(told, currency)} ${currency}`}</text>
							<path class="chart-line" d={`M0 ${base + 0.5}H${width}`} />
							{values.map((value, index) => {
								const high = value > 0 ? Math.max((value / most) * HIGH, 1) : 0;
								return high > 0 && <rect key={days[index]?.day} class={kind} x={index * step} y={base - high} width={bar} height={high} />;
							})}
						</g>
					);
				})}
				{days.map((one, index) => (
					<g key={one.day}>
						<title>{`${day(one.day)}: ${money(one.disbursed, currency)} disbursed, ${money(one.collected, currency)} collected, ${money(one.overdue, currency)} overdue`}</title>
						<rect class="chart-target" x={index * step} y={0} width={step} height={HEIGHT} />
					</g>
				))}
				<text y={HEIGHT - 2}>{day(days[0]?.day ?? "")}</text>
				<text x={width} y={HEIGHT - 2} text-anchor="end">
					{day(days.at(-1)?.day ?? "")}
				</text>
			</svg>
			<details>
				<summary>The days as a table</summary>
				<Table
					label={`The last thirty days, in ${currency}`}
					rows={days.toReversed()}
					columns={COLUMNS(currency)}
					keyOf={(one) => one.day}
				/>
			</details>
		</figure>
	);
}
