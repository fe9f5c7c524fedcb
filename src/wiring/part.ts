// A folder of operations in the list of domains.

import type { TAGS } from "./tags";

export type Part = {
	/** The heading under which the API reference shows its operations. */
	readonly tag: keyof typeof TAGS;
	/** What the paths of its operations begin with; `{…}` is any segment. */
	readonly paths: readonly `/${string}`[];
	readonly operations: () => readonly Promise<object>[];
	readonly events?: () => Promise<object>;
};
