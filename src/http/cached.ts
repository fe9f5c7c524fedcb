// What an operation that answers from a cache is given, and what it gives back. `answers/cached.ts` asks it.

export type CacheRequest = {
	env: Env;
	/** The public base address. */
	baseUrl: string;
	path: Readonly<Record<string, string>>;
	/** Whether the address has a query, even an empty one. */
	hasQuery: boolean;
	/** In ms. */
	realNow: number;
	/** Whether the service has failed to answer, so that an answer of any age is better than none. */
	failed: boolean;
	/** Keeps the Worker alive for this work after the answer. */
	afterwards(work: () => Promise<unknown>): void;
};

/** A body as the operation would answer it, and its entity tag. ABSENT: a look-up within the last seconds found nothing. */
export type Cached = { readonly body: string; readonly etag: string } | "ABSENT";
