// What an operation or a job works with: built once for each request, queue batch and cron run.

import type { SQL } from "drizzle-orm";
import { type Database, type Reader, StaleWrite, TriggerViolation, UniqueViolation, type Write } from "../db/database";
import { Databases, type Sessions } from "../db/databases";
import { type Reserve, reserveThenCommit } from "../db/names";
import { type Place, placesOf } from "../db/places";
import { indexNamed, type UniqueColumns } from "../db/unique";
import { ApiError, type ErrorCode } from "../shared/errors";
import type { EventTypes } from "../shared/event-type";
import { homeOf, uuidv7 } from "../shared/ids";
import type { Config } from "./config";
import type { Log } from "./log";
import type { Fetch, Providers, WebhookQueue } from "./ports";

export type CommitOptions = {
	/** Names that the directory must hold first: in the same commit where it is the same database, else in a commit before it. */
	reserve?: Reserve;
	/**
	 * What the violation of a UNIQUE index means, by the columns of the index: an error, or that another request wrote the row
	 * first (`STALE`), so that the handler runs again and finds that row.
	 */
	unique?: readonly (readonly [columns: UniqueColumns, meaning: ErrorCode | ApiError | "STALE"])[];
	/** What the refusal of a trigger means, by the reason that it raises. */
	triggers?: Readonly<Record<string, ErrorCode>>;
};

/**
 * What a handler works with. Its `db` reads and builds statements; only `commit` writes, because only `commit` adds the
 * idempotency record of the answer.
 */
export interface Services {
	readonly env: Env;
	readonly config: Config;
	/** The database of the home that the operation works in. */
	readonly db: Reader;
	/** That home: new ids carry it. */
	readonly home: number;
	/** The databases of all homes. */
	readonly databases: Readers;
	/** The same services in the home of this id, or in this home: its database, its new ids, and `commit` there. */
	at<S extends Services>(this: S, home: string | number): S;
	/** The same services once in each database, the directory first. */
	everywhere<S extends Services>(this: S): readonly S[];
	/** The database of this home with all reads from the primary, where `db` may read from a replica. Both share one meter. */
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
	/**
	 * Commits a part of what the call changes before its answer is known, if `when` holds within that commit. In an operation it
	 * leaves the audit row of the call, made of `output`, so that no later commit of the call needs to.
	 */
	commitAhead(writes: readonly Write[], output: unknown, when?: SQL): Promise<void>;
	/** Makes the commits to a home: in an operation they record the answer, in a job they record nothing more. */
	readonly commitsTo: (home: number, databases: Readers) => Pick<Services, "commit" | "commitAhead">;
	/** The event types of all domains, whose modules it loads. */
	eventTypes(): Promise<EventTypes>;
	/** The ports to the outside world. */
	readonly providers: Providers;
	/** Wakes the webhook consumer up. */
	readonly queue: WebhookQueue;
	/** Keeps the Worker alive for this work after the answer; logs its failure. */
	afterwards(work: Promise<unknown>): void;
	readonly log: Log;
}

/** The databases as handlers see them. */
export interface Readers {
	/** The database of names and reference data. The same object as `db` when both are one database. */
	readonly directory: Reader;
	/** Whether the directory is the only database, and so holds everything. */
	readonly alone: boolean;
	at(home: number): Reader;
	/** A home for what has none yet. */
	deal(): number;
	/** The first home of the database that holds this home. */
	firstHomeAt(home: number): number;
}

/** What the cron, a queue consumer and other work outside an operation work with. No answer is recorded in its commits. */
export interface JobServices extends Services {
	readonly db: Database;
	readonly databases: Databases;
}

export type Edge = {
	env: Env;
	ctx: { waitUntil(promise: Promise<unknown>): void };
	url?: string;
	clientAddress?: string | undefined;
	requestId?: string;
	/** Where reads go; by default to the primaries. */
	sessions?: Sessions;
	/** The database to work in; the directory when absent. */
	place?: Place;
	/** Makes every request that leaves the service; the platform's own when absent. */
	fetch?: Fetch;
};

type Placed = "db" | "home" | "databases" | "newId" | "at" | "everywhere" | "primary" | "commit" | "commitAhead" | "commitsTo";

/** The services of a job in a home of these databases. */
export const jobServices = (services: Omit<Services, Placed>, databases: Databases, home: number): JobServices => ({
	...services,
	...placed(services.now, databases, home, jobCommits(services)),
	databases,
	at<S extends Services>(this: S, place: string | number): S {
		const there = typeof place === "number" ? place : homeOf(place);
		if (there === this.home) return this;
		return { ...this, ...placed(this.now, this.databases as Databases, there, this.commitsTo) };
	},
	everywhere<S extends Services>(this: S): readonly S[] {
		return (this.databases as Databases).homes.map((each) => this.at(each));
	},
	primary(this: Services) {
		return (this.databases as Databases).primaryAt(this.home);
	},
});

const placed = (now: number, databases: Databases, home: number, commitsTo: Services["commitsTo"]) => ({
	home,
	db: databases.at(home),
	newId: () => uuidv7(now, home),
	commitsTo,
	...commitsTo(home, databases),
});

const jobCommits =
	({ now }: Pick<Services, "now">): Services["commitsTo"] =>
	(home, databases) => ({
		async commit<T>(writes: readonly Write[], output?: T, options?: CommitOptions) {
			await commitUnder(databases as Databases, home, writes, now, options);
			return output as T;
		},
		commitAhead: (writes) => commitUnder(databases as Databases, home, writes, now),
	});

/** The same services with databases of their own, for work beside the answer: its cost and its bookmark are not the request's. */
export const besideAnswer = (services: Services): JobServices =>
	jobServices(services, new Databases(placesOf(services.env)), services.home);

/**
 * The same services with the request's own databases, for what must be committed whatever the answer will be, such as a spent try
 * of a one-time password. Such a commit carries no idempotency record, and it happens again when the handler runs again.
 */
export const apartFromAnswer = (services: Services): JobServices => jobServices(services, services.databases as Databases, services.home);

/** Commits in a home, `first` before all other writes there, and says by `unique` what a violated UNIQUE index means. */
export async function commitUnder(
	databases: Databases,
	home: number,
	writes: readonly Write[],
	now: number,
	{ reserve = { names: [] }, unique = [], triggers = {} }: CommitOptions = {},
	first: readonly Write[] = [],
): Promise<void> {
	// Named before the commit, so that columns without a UNIQUE index fail at every use and not only in a race.
	const meanings = new Map(unique.map(([columns, meaning]) => [indexNamed(columns), meaning]));
	try {
		await reserveThenCommit(databases.directory, databases.at(home), reserve, { first, writes }, now);
	} catch (error) {
		const refused = error instanceof TriggerViolation ? triggers[error.reason] : undefined;
		if (refused) throw new ApiError(refused);
		const meaning = error instanceof UniqueViolation ? meanings.get(error.columns) : undefined;
		if (meaning === undefined) throw error;
		if (meaning === "STALE") throw new StaleWrite("stale write", { cause: error });
		throw typeof meaning === "string" ? new ApiError(meaning) : meaning;
	}
}

/** The same services at the current time: work that goes on beyond its request must not record the time at which it began. */
export function atPresent<S extends Services>(services: S): S {
	const realNow = Date.now();
	return atInstant(services, services.now + (realNow - services.realNow), realNow);
}

/** The same services with the service's clock at another instant. */
export const atInstant = <S extends Services>(services: S, now: number, realNow = services.realNow): S => ({
	...services,
	now,
	realNow,
	newId: () => uuidv7(now, services.home),
});
