// The endpoints of a simulation of webhooks, and how their receivers behave.

export const MODES = ["ANSWERS", "ANSWERS", "FAILS", "BREAKS", "HANGS"] as const;

export type Endpoint = {
	id: string;
	url: string;
	events: readonly string[];
	ordered: boolean;
	heals: boolean;
	mode: (typeof MODES)[number];
	/** False once the owner has suspended or deleted it. */
	open: boolean;
	deleted: boolean;
	keys: Map<string, string>;
};
