// What the trips of one request or job to D1 have cost.

/** What one request cost in D1. */
export class Meter {
	trips = 0;
	statements = 0;
	rowsRead = 0;
	rowsWritten = 0;
	durationMs = 0;
	/** Trips that D1 failed for a moment. */
	failures = 0;
	/** Where D1 has answered last, as it names its regions. */
	region: string | undefined;
}
