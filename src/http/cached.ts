// What an operation that answers from memory is given, and what it gives back. `answers/cached.ts` asks it.

export type CacheRequest = {
	env: Env;
	path: Readonly<Record<string, string>>;
	/** Whether the address has a query, even an empty one. */
	hasQuery: boolean;
	/** In ms. */
	realNow: number;
	/** Whether the caller, who keeps the answer, asks for an answer that is no older than the request. */
	anew: boolean;
	/** Whether the service has failed to answer, so that an answer of any age is better than none. */
	failed: boolean;
};

/**
 * A body as the operation would answer it, its entity tag, and when (real time, ms) it was read, if that may be a while ago. ABSENT: a look-up
 * lately found nothing.
 */
export type Cached = { readonly body: string; readonly etag: string; readonly readAt?: number } | "ABSENT";
