// What the generated types are made of: requests' options, and what a call gives.

/** What is used of an `AbortSignal`, so that these types need no platform's. */
export interface Signal {
	readonly aborted: boolean;
	readonly reason: unknown;
	addEventListener(type: "abort", listener: () => void): void;
	removeEventListener(type: "abort", listener: () => void): void;
}

/** What every call takes. */
export interface Options {
	/** Ends the call, its waits included. */
	readonly signal?: Signal | undefined;
	/** Sent with this call, after those of the client. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A change. */
export interface Keyed {
	/** By default a new one for each call. Name one to make the same call again after a restart: it gets the first answer. */
	readonly idempotencyKey?: string | undefined;
}

/** A call that may be made for an organization. */
export interface Organizational {
	/** The acting organization: its id or slug. By default that of the client. */
	readonly organization?: string | undefined;
}

/** A read whose answer has an entity tag. */
export interface Tagged {
	/** The `ETag` of an answer that you have. While it is the same, `answer()` gives the status 304. */
	readonly ifNoneMatch?: string | undefined;
}

/** A change of a state that you have read. */
export interface Matched {
	/** The `ETag` of that state. If it is another by now, the change is refused. */
	readonly ifMatch?: string | undefined;
}

/** A list as text: each page a table. */
export interface Verbatim {
	readonly as: "text/csv" | "application/x-ndjson";
}

/** An answer as a text: a table, or a PDF file, which is ASCII. */
export interface Printed {
	readonly as: Verbatim["as"] | "application/pdf";
}

/** An answer with its status and headers. */
export interface Answer<Status extends number = number, Body = unknown> {
	readonly status: Status;
	readonly body: Body;
	readonly headers: { get(name: string): string | null };
}

/** A call under way: awaited, the body of its answer. It rejects with `ApiError`, `HeldError` or `ConnectionError`. */
export interface Call<Body, Given extends Answer = Answer<200, Body>> extends Promise<Body> {
	/** The whole answer: its status, body and headers. It rejects for refusals alone. */
	answer(): Promise<Given>;
}

/** A list: awaited, its first page; iterated, the rows of all pages, each of which is read when its first row is asked for. */
export interface List<Row, Body, Given extends Answer = Answer<200, Body>> extends Call<Body, Given>, AsyncIterable<Row> {}

/** A page of a list. */
export interface Page<Row> {
	data: Row[];
	links: {
		/** To send as `after`; null at the end. */
		next: string | null;
		/** To send as `before`; null on the first page. */
		prev: string | null;
	};
}
