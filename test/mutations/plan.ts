// What one run of tests is asked for, and what a test tells.

import type { SchemaGuard } from "./places.ts";

export type Plan = {
	/** The places whose guards are taken out, and the guards of the schema. */
	readonly places: readonly string[];
	readonly schema: readonly SchemaGuard[];
	/** The share of them that is tried, from 0 to 1, chosen by the seed. */
	readonly share: number;
	readonly seed: string;
	/** When to begin no further test, in ms; null for never. */
	readonly until: number | null;
};

/** Guards by their keys: a place, with the condition if only that is taken out; or the name of a guard of the schema. */
export type Verdict = {
	/** Places whose statements ran. */
	readonly visited: readonly string[];
	/** The test failed without them. */
	readonly noticed: readonly string[];
	/** It passed without them. */
	readonly missed: readonly string[];
	/** It did not run, because the time was over. */
	readonly late?: true;
	/** Why the test failed with all guards in place. */
	readonly unsound?: string;
};
