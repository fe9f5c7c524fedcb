// What a request, a queue message or a cron run works with, built once for each of them at the edge.

import { Database, type Write } from "../db/database";
import type { ApiError, ErrorCode } from "../shared/errors";
import type { EventTypes } from "../shared/event-type";
import { uuidv7 } from "../shared/ids";
import type { Config } from "./config";
import type { Log } from "./log";
import type { Fetch, Providers, WebhookQueue } from "./ports";

export type CommitOptions = {
	/**
	 * What a violated UNIQUE index means, by the columns that SQLite names (`table.a, table.b`): an error, or `STALE` when
	 * another request came first, so that the handler runs once more and finds what that request wrote.
	 */
	unique?: { readonly [columns: string]: ErrorCode | ApiError | "STALE" };
};

export interface Services {
	readonly env: Env;
	readonly config: Config;
	readonly db: Database;
	/** A session whose reads all go to the primary, where `db` may read from a replica; metered together with it. */
	primary(): Database;
	/** The service's clock, in ms, for what is recorded, scheduled or expires. The sandbox can move it. */
	readonly now: number;
	/** Real time, in ms, for what other clocks measure too: tokens, signatures, idempotency, caches. */
	readonly realNow: number;
	newId(): string;
	readonly requestId: string;
	/** The request's own address. */
	readonly url: string;
	/** The client's address as Cloudflare saw it (for IPv6 its network); clients without one count as the same client. */
	readonly clientAddress: string;
	/** The public base address, for links and `url` fields. */
	readonly baseUrl: string;
	/** `iss` of the service's tokens. */
	readonly issuer: string;
	/** Commits all writes or none and, in the same batch, the answer that a replay of this request gets. Returns `output`. */
	commit<T>(writes: readonly Write[], output: T, options?: CommitOptions): Promise<T>;
	/** The event types of all domains. */
	readonly eventTypes: EventTypes;
	/** The ports to the outside world. */
	readonly providers: Providers;
	/** Wakes the webhook consumer up. */
	readonly queue: WebhookQueue;
	/** Continues after the answer; logs failures. */
	afterwards(work: Promise<unknown>): void;
	readonly log: Log;
}

export type Edge = {
	env: Env;
	ctx: { waitUntil(promise: Promise<unknown>): void };
	url?: string;
	clientAddress?: string | undefined;
	requestId?: string;
	/** For reads: a bookmark, `first-unconstrained`, or by default `first-primary`. */
	constraint?: string;
	/** Makes every request that leaves the service; the platform's own when absent. */
	fetch?: Fetch;
};

/** The same services with a database of their own, for work beside the answer: the request reports neither its cost nor its bookmark. */
export const besideAnswer = (services: Services): Services => ({ ...services, db: new Database(services.env.DB, "first-primary") });

/** The same services at the present time: work that outlives its request must not record when the request began. */
export function atPresent(services: Services): Services {
	const realNow = Date.now();
	return atInstant(services, services.now + (realNow - services.realNow), realNow);
}

/** The same services with the service's clock at another instant. */
export const atInstant = (services: Services, now: number, realNow = services.realNow): Services => ({
	...services,
	now,
	realNow,
	newId: () => uuidv7(now),
});
