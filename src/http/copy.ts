// What an operation that answers from copies is given, and what it gives back. `answers/copies.ts` asks it.

export type CopyRequest = {
	env: Env;
	/** The public base address. */
	baseUrl: string;
	path: Readonly<Record<string, string>>;
	/** Whether the address has a query, even an empty one. */
	hasQuery: boolean;
	/** In ms. */
	realNow: number;
	/** Whether the service has failed to answer, so that a copy of any age is better than none. */
	failed: boolean;
	/** Keeps the Worker alive for this work after the answer. */
	afterwards(work: () => Promise<unknown>): void;
};

/** A body as the operation would answer it, and its entity tag. ABSENT: a look-up within the last seconds found nothing. */
export type Copied = { readonly body: string; readonly etag: string } | "ABSENT";
