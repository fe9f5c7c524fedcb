// The states of an import and of its accounts.

/**
 * OPEN takes lines. CHECKING replays every account, RUNNING imports those that equal their balances. Lines open it again, unless it is
 * CANCELLED: then nothing more comes of it.
 */
export const IMPORT_STATES = ["OPEN", "CHECKING", "CHECKED", "RUNNING", "DONE", "CANCELLED"] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** Work is going on: neither lines nor another run are taken. */
export const BUSY = ["CHECKING", "RUNNING"] as const satisfies readonly ImportState[];
export const isBusy = (status: ImportState): boolean => BUSY.some((busy) => busy === status);

/** In these an import takes no lines. */
export const CLOSED = [...BUSY, "CANCELLED"] as const satisfies readonly ImportState[];

/** STAGED: not checked as it is. EQUAL: its replay equals the old balances. FAILED: it does not, or cannot be replayed. */
export const ACCOUNT_STATES = ["STAGED", "EQUAL", "FAILED", "IMPORTED"] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** Which accounts the work takes, and what it leaves the import in. */
export const WORK = {
	CHECKING: { takes: "STAGED", ends: "CHECKED" },
	RUNNING: { takes: "EQUAL", ends: "DONE" },
} as const satisfies Record<(typeof BUSY)[number], { takes: AccountState; ends: ImportState }>;

export type RunRefusal = "BUSY" | "CANCELLED" | "NOT_CHECKED" | "OTHER_REVISION";

/** What a run makes of the import. A real one takes the revision that was checked, and no other. */
export function run(
	{ status, revision }: { readonly status: ImportState; readonly revision: number },
	wanted: { readonly dryRun: true } | { readonly dryRun: false; readonly revision: number },
): { readonly accepted: true; readonly status: "CHECKING" | "RUNNING" } | { readonly accepted: false; readonly reason: RunRefusal } {
	if (isBusy(status)) return { accepted: false, reason: "BUSY" };
	if (status === "CANCELLED") return { accepted: false, reason: "CANCELLED" };
	if (wanted.dryRun) return { accepted: true, status: "CHECKING" };
	if (wanted.revision !== revision) return { accepted: false, reason: "OTHER_REVISION" };
	return status === "CHECKED" ? { accepted: true, status: "RUNNING" } : { accepted: false, reason: "NOT_CHECKED" };
}
