// The attempts of a delivery along the time since its event. The scale is that of the root, which stretches the first seconds.

import { span } from "../format.ts";
import { useWidth } from "./width.ts";

export interface Moment {
	readonly at: number;
	readonly of: "good" | "failing" | "waiting";
	readonly what: string;
}

const HEIGHT = 56;
const LINE = 20;
const SIDE = 16;
const TICKS: readonly number[] = [1, 5, 15, 30, 60, 240, 720, 1440, 4320].map((minutes) => minutes * 60_000);
/** Words that are closer than this would touch. */
const APART = 48;

const SHAPES = {
	good: "M0 -5a5 5 0 1 1 -.01 0z",
	failing: "M0 -6l6 11h-12z",
	waiting: "M0 -4a4 4 0 1 1 -.01 0z",
} as const;

/** @param from when the event was committed */
export function Track({ from, of }: { readonly from: number; readonly of: readonly Moment[] }) {
	const [ref, width] = useWidth<HTMLDivElement>();
	const length = Math.max(...of.map(({ at }) => at - from), 10_000);
	const x = (after: number): number => SIDE + Math.sqrt(Math.min(Math.max(after, 0) / length, 1)) * Math.max(width - 2 * SIDE, 0);
	const ticks: number[] = [];
	for (const tick of TICKS.filter((tick) => tick < length)) {
		if (x(tick) - Math.max(SIDE, ...ticks.map(x)) >= APART && width - x(tick) > SIDE + 8) ticks.push(tick);
	}
	return (
		<div class="track" ref={ref}>
			<svg width={width} height={HEIGHT} role="img" aria-label="When the attempts were">
				<path class="chart-base" d={`M${SIDE} ${LINE}H${width - SIDE}`} />
				{ticks.map((tick) => (
					<g key={tick}>
						<path class="chart-base" d={`M${x(tick)} ${LINE}v5`} />
						<text x={x(tick)} y={LINE + 24} text-anchor="middle">
							{span(tick)}
						</text>
					</g>
				))}
				{of.map(({ at, of: shape, what }) => (
					<g key={at} transform={`translate(${x(at - from)} ${LINE})`}>
						<title>{what}</title>
						<circle class="track-gap" r="9" />
						<path class={`track-${shape}`} d={SHAPES[shape]} />
					</g>
				))}
			</svg>
		</div>
	);
}
