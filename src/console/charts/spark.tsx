// Attempts of a day in the width of a column: delivered below, failed attempts above and hatched.

import { plural } from "../format.ts";

export interface Bucket {
	readonly from: string;
	/** Attempts that ended. */
	readonly attempts: number;
	/** Of them those that were answered with 2xx. */
	readonly delivered: number;
}

const BAR = 3;
const STEP = 4;
const HEIGHT = 24;

export function Spark({ of }: { readonly of: readonly Bucket[] }) {
	const most = Math.max(1, ...of.map(({ attempts }) => attempts));
	const high = (amount: number): number => (amount === 0 ? 0 : Math.max(1, Math.round((amount / most) * (HEIGHT - 2))));
	const attempts = of.reduce((sum, bucket) => sum + bucket.attempts, 0);
	const failed = of.reduce((sum, bucket) => sum + bucket.attempts - bucket.delivered, 0);
	return (
		<svg class="spark" width={of.length * STEP} height={HEIGHT} role="img" aria-label={`${plural(attempts, "attempt")}, ${failed} failed`}>
			{of.map((bucket, index) => {
				const good = high(bucket.delivered);
				const bad = high(bucket.attempts - bucket.delivered);
				return (
					<g key={bucket.from}>
						{good > 0 && <rect class="chart-good" x={index * STEP} y={HEIGHT - 1 - good} width={BAR} height={good} />}
						{bad > 0 && <rect class="chart-bad" x={index * STEP} y={HEIGHT - 1 - good - bad} width={BAR} height={bad} />}
					</g>
				);
			})}
			<path class="chart-base" d={`M0 ${HEIGHT - 0.5}h${of.length * STEP}`} />
		</svg>
	);
}
