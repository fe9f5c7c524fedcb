// What one run of tests is asked for, and what a test reports.

import type { SchemaGuard } from "./places.ts";

export type Plan = {
	/** The places whose guards are taken out, and the guards of the schema. */
	readonly places: readonly string[];
	readonly schema: readonly SchemaGuard[];
	/** A condition whose key is noticed already is not tried again. */
	readonly noticed: readonly string[];
	/** Null for all of them. */
	readonly sample: Sample | null;
};

/** Some guards, and a share of the others: tests end when what they have tried is noticed. */
export type Sample = {
	/** Their places, or their names in the schema. The tests nearest to them run first. */
	readonly chosen: readonly string[];
	/** By such a guard the folders whose tests are to notice it. Others are left out, unless this is undefined. */
	readonly folders?: Readonly<Record<string, readonly string[]>>;
	/** The share of the others that is tried, from 0 to 1, chosen by the seed. */
	readonly share: number;
	readonly seed: string;
	/** When to begin no further test, in ms. */
	readonly until: number;
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
