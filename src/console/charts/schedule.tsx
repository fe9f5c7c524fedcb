// A schedule drawn: what was paid of each installment, what is overdue and what is to come. Drawn at its real width, so that its text
// keeps its size; the table below it has the same figures.

import { count, money } from "../format.ts";
import type { Installment } from "../typed.ts";
import { type Bar, barsOf, heightOf, labelEvery, ticksFor } from "./schedule-bars.ts";
import { useWidth } from "./width.ts";

const HEIGHT = 160;
const TOP = 24;
const LEFT = 72;
const RIGHT = 16;
const LABEL_ROOM = 56;
const WIDEST_BAR = 72;

interface Props {
	readonly installments: readonly Installment[];
	readonly currency: string;
	/** The day of the service. */
	readonly on: string;
}

export function Schedule({ installments, currency, on }: Props) {
	const [box, width] = useWidth<HTMLDivElement>();
	const bars = barsOf(installments, on);
	return (
		<figure class="chart">
			<div ref={box} class="chart-box">
				{width > 0 && <Drawing bars={bars} width={width} currency={currency} />}
			</div>
			<figcaption>
				<span class="legend">
					<i class="paid" /> Paid
				</span>
				<span class="legend">
					<i class="owed" /> To come
				</span>
				<span class="legend">
					<i class="late" /> Overdue
				</span>
				<span class="wide">Below the line principal, above it interest and penalty</span>
			</figcaption>
		</figure>
	);
}

function Drawing({ bars, width, currency }: { readonly bars: readonly Bar[]; readonly width: number; readonly currency: string }) {
	const ticks = ticksFor(Math.max(...bars.map(heightOf)));
	const most = ticks.at(-1) ?? 1;
	const room = width - LEFT - RIGHT;
	const slot = room / bars.length;
	const size = Math.max(1, Math.min(WIDEST_BAR, slot * 0.6, slot - 1));
	const y = (value: number) => TOP + HEIGHT - Math.round((value / most) * HEIGHT);
	const every = labelEvery(bars.length, room, LABEL_ROOM);
	const past = bars.filter(({ isPast }) => isPast).length;
	const today = LEFT + past * slot;
	return (
		<svg
			width={width}
			height={TOP + HEIGHT + 28}
			role="img"
			aria-label={`Schedule of ${count(bars.length)} bars; the table has the figures`}
		>
			{ticks.map((tick) => (
				<g key={tick}>
					<line x1={LEFT} x2={width - RIGHT} y1={y(tick) + 0.5} y2={y(tick) + 0.5} class="rule" />
					<text x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
						{money(tick, currency).replace(/\.0+$/, "")}
					</text>
				</g>
			))}
			{bars.map((bar, index) => {
				const x = LEFT + index * slot + (slot - size) / 2;
				const top = y(heightOf(bar));
				const paid = y(bar.settled);
				return (
					<g key={bar.name}>
						<title>
							{`${bar.name}: ${money(heightOf(bar), currency)}, paid ${money(bar.settled, currency)}, owed ${money(bar.owed, currency)}`}
						</title>
						<rect
							x={x + 0.5}
							y={top + 0.5}
							width={size - 1}
							height={Math.max(y(0) - top - 0.5, 0)}
							class={bar.isOverdue ? "bar-late" : "bar-owed"}
						/>
						{bar.settled > 0 && <rect x={x} y={paid} width={size} height={y(0) - paid} class="bar-paid" />}
						{size > 8 && heightOf(bar) > bar.principal && (
							<line
								x1={x}
								x2={x + size}
								y1={y(bar.principal)}
								y2={y(bar.principal)}
								class={bar.settled > bar.principal ? "split on-paid" : "split"}
							/>
						)}
						{bar.isOverdue && size > 8 && <path d={`M${x + size / 2} ${top - 12}l5 9h-10z`} class="late-mark" />}
						{index % every === 0 && (
							<text x={x + size / 2} y={TOP + HEIGHT + 20} text-anchor="middle" class={bar.isOverdue ? "late-label" : undefined}>
								{bar.label}
							</text>
						)}
					</g>
				);
			})}
			{past > 0 && past < bars.length && (
				<g>
					<line x1={today} x2={today} y1={4} y2={y(0)} class="today" />
					<text
						x={today > width - 72 ? today - 6 : today + 6}
						y={14}
						text-anchor={today > width - 72 ? "end" : "start"}
						class="today-label"
					>
						Today
					</text>
				</g>
			)}
		</svg>
	);
}
