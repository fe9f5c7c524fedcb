// What the tests find in the environment in addition to the Worker's own bindings.

declare namespace Cloudflare {
	interface Env {
		SECOND_DB: D1Database;
		BUCKET: R2Bucket;
		/** Not empty: the test of the budgets prints them. */
		CROWD_ROWS: string;
		PRINT_BUDGETS: string;
		/** How many longer simulations of webhooks to run, and the seed of one; not empty when asked for. */
		SIMULATE: string;
		SIMULATION_SEED: string;
		TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
	}
}
