// The test database, with a count of the batches that requests send to it.

import { env } from "cloudflare:workers";
import { withBatches } from "./databases";

export function countingDb(): { DB: D1Database; batches: () => number } {
	let batches = 0;
	const DB = withBatches(env.DB, (_, run) => {
		batches++;
		return run();
	});
	return { DB, batches: () => batches };
}
