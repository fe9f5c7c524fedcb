// An answer on its way: what an operation has answered, and the response that becomes of it.

/** A status, and the JSON of a body. */
export type Answer = { status: number; body: string | null };

/** An answer: as the caller gets it now, and as a repeated call will get it. `recorded`: D1 has it, if the call had a key. */
export type Done = { answer: Answer; kept: Answer; recorded: boolean; headers: Record<string, string> };

/** A response that is not sent yet. Every file writes a header's name in the same way, so that the later value replaces the earlier one. */
export type Draft = { readonly status: number; readonly body: string | null; readonly headers: Record<string, string> };
