// Metrics as points of one Analytics Engine dataset. Its columns have numbers in place of names, so which is which stands here alone;
// docs/operations.md has the queries over them.

import type { Config } from "../runtime/config";
import type { Measured, Metrics } from "../runtime/ports";

type Point = { readonly blobs: readonly (string | null)[]; readonly doubles: readonly number[] };

/** blob1 is the kind, double1 how many things the point stands for. */
const POINTS: { readonly [K in Measured["kind"]]: (measured: Extract<Measured, { kind: K }>) => Point } = {
	request: ({ operation, status, code, caller, ms, trips, rowsRead, rowsWritten }) => ({
		blobs: ["request", operation, String(status), code, caller],
		doubles: [1, ms, trips, rowsRead, rowsWritten],
	}),
	attempts: ({ outcome, error, count, ms }) => ({ blobs: ["attempts", outcome, error], doubles: [count, ms] }),
	sweep: ({ database, ms, overdueSeconds, storagePercent, left }) => ({
		blobs: ["sweep", database],
		doubles: [1, ms, overdueSeconds, storagePercent, left],
	}),
	deadLetters: ({ queue, count }) => ({ blobs: ["deadLetters", queue], doubles: [count] }),
	lostLocks: ({ count }) => ({ blobs: ["lostLocks"], doubles: [count] }),
	provider: ({ what, outcome, count }) => ({ blobs: ["provider", what, outcome], doubles: [count] }),
	expiredClaims: ({ cause, count }) => ({ blobs: ["expiredClaims", cause], doubles: [count] }),
};

/** Undefined on this machine, and where no dataset is bound. */
export const metricsBy = (
	{ ENVIRONMENT }: Pick<Config, "ENVIRONMENT">,
	dataset: AnalyticsEngineDataset | undefined,
): Metrics | undefined =>
	ENVIRONMENT === "local" || dataset === undefined
		? undefined
		: {
				record(measured) {
					const { blobs, doubles } = (POINTS[measured.kind] as (measured: Measured) => Point)(measured);
					// Points are sampled by their index: each operation and each outcome has its own, so that rare ones are not lost.
					try {
						dataset.writeDataPoint({ indexes: [`${blobs[0]} ${blobs[1]}`], blobs: [...blobs], doubles: [...doubles] });
					} catch {
						// An invocation has written all that it may: nothing fails for what is measured of it.
					}
				},
			};
