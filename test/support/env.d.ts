declare namespace Cloudflare {
	interface Env {
		SECOND_DB: D1Database;
		/** Not empty: the test of the budgets prints them. */
		PRINT_BUDGETS: string;
		TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
	}
}
