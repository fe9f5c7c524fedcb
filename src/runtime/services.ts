// What an operation or a job works with: built once for each request, queue batch and cron run.

import { Database, type Reader, StaleWrite, UniqueViolation, type Write } from "../db/database";
import type { Place } from "../db/places";
import { indexNamed, type UniqueColumns } from "../db/unique";
import { ApiError, type ErrorCode } from "../shared/errors";
import type { EventTypes } from "../shared/event-type";
import { uuidv7 } from "../shared/ids";
import type { Config } from "./config";
import type { Log } from "./log";
import type { Fetch, Providers, WebhookQueue } from "./ports";

export type CommitOptions = {
	/**
	 * What the violation of a UNIQUE index means, by the columns of the index: an error, or that another request wrote the row
	 * first (`STALE`), so that the handler runs again and finds that row.
	 */
	unique?: readonly (readonly [columns: UniqueColumns, meaning: ErrorCode | ApiError | "STALE"])[];
};

/**
 * What a handler works with. Its `db` reads and builds statements; only `commit` writes, because only `commit` adds the
 * idempotency record of the answer.
 */
export interface Services {
	readonly env: Env;
	readonly config: Config;
	readonly db: Reader;
	/** A session whose reads all go to the primary, where `db` may read from a replica. Both share one meter. */
	primary(): Reader;
	/** The service's clock, in ms: what is recorded, scheduled or expires goes by it. The sandbox can move it. */
	readonly now: number;
	/** Real time, in ms, for what callers and receivers share with us: tokens, signatures, idempotency, caches. */
	readonly realNow: number;
	newId(): string;
	readonly requestId: string;
	/** The request's own address. */
	readonly url: string;
	/** The client's address as Cloudflare reports it, for IPv6 its network; `unknown` when Cloudflare reports none. */
	readonly clientAddress: string;
	/** The public base address, for links and `url` fields. */
	readonly baseUrl: string;
	/** `iss` of the service's tokens. */
	readonly issuer: string;
	/**
	 * Commits all writes or none. In an operation the same batch records the answer made of `output`, which a repeated request
	 * gets; in a job it records nothing more. Returns `output`.
	 */
	commit(writes: readonly Write[]): Promise<undefined>;
	commit<T>(writes: readonly Write[], output: T, options?: CommitOptions): Promise<T>;
	/** The event types of all domains. */
	readonly eventTypes: EventTypes;
	/** The ports to the outside world. */
	readonly providers: Providers;
	/** Wakes the webhook consumer up. */
	readonly queue: WebhookQueue;
	/** Keeps the Worker alive for this work after the answer; logs its failure. */
	afterwards(work: Promise<unknown>): void;
	readonly log: Log;
}

/** What the cron, a queue consumer and other work outside an operation work with. No answer is recorded in its commits. */
export interface JobServices extends Services {
	readonly db: Database;
}

export type Edge = {
	env: Env;
	ctx: { waitUntil(promise: Promise<unknown>): void };
	url?: string;
	clientAddress?: string | undefined;
	requestId?: string;
	/** For reads: a bookmark, `first-unconstrained`, or by default `first-primary`. */
	constraint?: string;
	/** The database to work in; the directory when absent. */
	place?: Place;
	/** Makes every request that leaves the service; the platform's own when absent. */
	fetch?: Fetch;
};

/** The services of a job over this session. */
export const jobServices = (services: Omit<Services, "db" | "commit">, db: Database): JobServices => ({
	...services,
	db,
	async commit<T>(writes: readonly Write[], output?: T, options?: CommitOptions) {
		await commitUnder(db, writes, options);
		return output as T;
	},
});

/** The same services in a session of their own, for work beside the answer: its cost and its bookmark are not the request's. */
export const besideAnswer = (services: Services): JobServices => jobServices(services, new Database(services.env.DB, "first-primary"));

/**
 * The same services in the request's own session, for what must be committed whatever the answer will be, such as a spent try of
 * a one-time password. Such a commit carries no idempotency record, and it happens again when the handler runs again.
 */
export const apartFromAnswer = (services: Services): JobServices => jobServices(services, services.db as Database);

/** Commits, and says by `unique` what a violated UNIQUE index means. */
export async function commitUnder(db: Database, writes: readonly Write[], { unique = [] }: CommitOptions = {}): Promise<void> {
	// Named before the commit, so that columns without a UNIQUE index fail at every use and not only in a race.
	const meanings = new Map(unique.map(([columns, meaning]) => [indexNamed(columns), meaning]));
	try {
		await db.commit(writes);
	} catch (error) {
		const meaning = error instanceof UniqueViolation ? meanings.get(error.columns) : undefined;
		if (meaning === undefined) throw error;
		if (meaning === "STALE") throw new StaleWrite("stale write", { cause: error });
		throw typeof meaning === "string" ? new ApiError(meaning) : meaning;
	}
}

/** The same services at the present time: work that goes on beyond its request must not record the time at which it began. */
export function atPresent<S extends Services>(services: S): S {
	const realNow = Date.now();
	return atInstant(services, services.now + (realNow - services.realNow), realNow);
}

/** The same services with the service's clock at another instant. */
export const atInstant = <S extends Services>(services: S, now: number, realNow = services.realNow): S => ({
	...services,
	now,
	realNow,
	newId: () => uuidv7(now),
});
