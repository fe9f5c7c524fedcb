// Attempts per hour, drawn at their real width so that the text keeps its size.

import { count, minute, plural, span } from "../format.ts";
import { type Column, Table } from "../ui/table.tsx";
import type { Bucket } from "./spark.tsx";
import { useWidth } from "./width.ts";

const HEIGHT = 128;
const LEFT = 32;
const BELOW = 24;

/** Steps of 1, 2 or 5 and their tens, of which at most four fit below the greatest. */
export function ticksTo(most: number): number[] {
	const rough = Math.max(most, 1) / 3;
	const ten = 10 ** Math.floor(Math.log10(rough));
	const step = Math.max(1, ([1, 2, 5, 10].find((each) => each * ten >= rough) ?? 10) * ten);
	return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

const HOURS: readonly Column<Bucket>[] = [
	{ head: "Hour", cell: ({ from }) => minute(Date.parse(from)) },
	{ head: "Delivered", right: true, cell: ({ delivered }) => count(delivered) },
	{ head: "Failed attempts", right: true, cell: ({ attempts, delivered }) => count(attempts - delivered) },
];

export function Bars({ of, now }: { readonly of: readonly Bucket[]; readonly now: number }) {
	const [ref, width] = useWidth<HTMLDivElement>();
	const ticks = ticksTo(Math.max(1, ...of.map(({ attempts }) => attempts)));
	const top = ticks.at(-1) ?? 1;
	const y = (amount: number): number => HEIGHT - (amount / top) * (HEIGHT - 8);
	const step = (width - LEFT) / of.length;
	const bar = Math.min(Math.max(step * 0.68, 3), 28);
	// Every sixth from the last, where there is room for its words.
	const every = step * 6 > 96 ? 6 : 12;
	return (
		<figure class="bars" ref={ref}>
			<svg width={width} height={HEIGHT + BELOW} role="img" aria-label="Attempts per hour">
				<defs>
					<pattern id="hatched" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
						<rect class="chart-bad" width="6" height="6" />
						<path class="chart-hatch" d="M0 0v6" stroke-width="2" />
					</pattern>
				</defs>
				{ticks.map((tick) => (
					<g key={tick}>
						<path class="chart-line" d={`M${LEFT} ${y(tick) - 0.5}H${width}`} />
						<text x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
							{tick}
						</text>
					</g>
				))}
				{width > 0 &&
					of.map((bucket, index) => {
						const x = LEFT + index * step + (step - bar) / 2;
						const failed = bucket.attempts - bucket.delivered;
						const away = of.length - 1 - index;
						return (
							<g key={bucket.from}>
								<title>{`${minute(Date.parse(bucket.from))}: ${bucket.delivered} delivered, ${plural(failed, "failed attempt")}`}</title>
								<rect class="chart-target" x={LEFT + index * step} y={0} width={step} height={HEIGHT} />
								{failed > 0 && <rect fill="url(#hatched)" x={x} y={y(failed)} width={bar} height={HEIGHT - y(failed)} />}
								{bucket.delivered > 0 && (
									<rect class="chart-good" x={x} y={y(bucket.attempts)} width={bar} height={y(failed) - y(bucket.attempts)} />
								)}
								{away % every === 0 && away < of.length - 2 && (
									<text x={away === 0 ? width : x + bar / 2} y={HEIGHT + 16} text-anchor={away === 0 ? "end" : "middle"}>
										{away === 0 ? "this hour" : `${span(now - Date.parse(bucket.from))} ago`}
									</text>
								)}
							</g>
						);
					})}
			</svg>
			<figcaption>
				<span class="key good">Delivered</span>
				<span class="key bad">Failed attempts</span>
			</figcaption>
			<details>
				<summary>The hours as a table</summary>
				<Table
					label="Attempts per hour"
					rows={of.filter(({ attempts }) => attempts > 0).toReversed()}
					columns={HOURS}
					keyOf={({ from }) => from}
				/>
			</details>
		</figure>
	);
}
