// What a handler, a job and the code between them work with, and what each may commit.

import type { SQL, SQLWrapper } from "drizzle-orm";
import type { Database, Reader, Results, Statement, Write } from "../db/database";
import type { Databases, Sessions } from "../db/databases";
import type { Reserve } from "../db/names";
import type { Place } from "../db/places";
import type { UniqueColumns } from "../db/unique";
import type { MessageKey } from "../messages/catalogue";
import type { ApiError, WordlessCode } from "../shared/errors";
import type { EventTypes } from "../shared/event-type";
import type { Json } from "../shared/json";
import type { Locale } from "../shared/locale";
import type { Config } from "./config";
import type { Connections } from "./connections";
import type { Log } from "./log";
import type { Fetch, Providers, WebhookQueue } from "./ports";

export type CommitOptions = {
	/** Names that the directory must hold first: in the same commit where it is the same database, else in a commit before it. */
	reserve?: Reserve;
	/**
	 * What the violation of a UNIQUE index means, by the columns of the index: an error, or that another request wrote the row
	 * first (`STALE`), so that the handler runs again and finds that row.
	 */
	unique?: readonly (readonly [columns: UniqueColumns, meaning: WordlessCode | ApiError | "STALE"])[];
	/** What it means that the commit would exceed a window of amounts that it adds to; `STALE`: the handler decides again. */
	overQuota?: ApiError | "STALE" | undefined;
	/** What the refusal of a trigger means, by the reason that it raises. */
	triggers?: Readonly<Record<string, WordlessCode | ApiError>>;
	/** What the audit row names in addition to the ids in the path; the last is the entity. */
	about?: { readonly [name: string]: string };
	/** An organization in whose trail the change stands too: that which an operator has changed without acting for it. */
	trail?: string;
};

/**
 * What all code may work with: it reads and builds writes, and commits nothing. Three further types decide who may commit, and what a
 * commit carries in addition to its writes: a handler has `HandlerServices`, code for another home `Elsewhere`, a job `JobServices`.
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
	/** The same services in the home of this id, or in this home: its database and its new ids. */
	at(home: string | number): Services;
	/** The same services once in each database, the directory first. */
	everywhere(): readonly Services[];
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
	/** The caller's language, by `Accept-Language`; undefined where it names no language that there are texts in. */
	readonly locale: Locale | undefined;
	/** The public base address, for links and `url` fields. */
	readonly baseUrl: string;
	/** `iss` of the service's tokens. */
	readonly issuer: string;
	/** The event types of all domains, whose modules it loads. */
	eventTypes(): Promise<EventTypes>;
	/** The operation with this id, for a call of it that was held; it loads the modules of all domains. */
	heldOperation(id: string): Promise<HeldOperation | undefined>;
	/** The accounts that somebody's number and mail guard; only the domains above know them. */
	readonly guarded: GuardedAccounts;
	/** Who reads messages, and from whom they come; only the domains above know lenders. */
	readonly lenders: Lenders;
	/** The ports to the outside world. */
	readonly providers: Providers;
	/** The connections that this invocation may hold open. */
	readonly connections: Connections;
	/** Wakes the webhook consumer up. */
	readonly queue: WebhookQueue;
	/**
	 * Does work for which the answer does not wait, and keeps the Worker alive for it; logs its failure. The work has databases of its
	 * own, because its cost and its bookmark are not the request's. `this`: to call it without its object does not compile.
	 */
	afterwards(this: Services, work: (job: JobServices) => Promise<unknown>): void;
	readonly log: Log;
}

export interface GuardedAccounts {
	/** Whether the user has an activated current account, or has had a loan; in their home. */
	find(userId: string): Statement & { readonly _: { readonly result: { guards: number }[] } };
	/** As a condition of a commit there: neither. */
	hasNone(userId: string): SQL;
}

export interface Lenders {
	/** A `MessageReader` as JSON, as a subquery in the home of the user; null for nobody. */
	readerOf(userId: SQLWrapper): SQL<string | null>;
}

/** The reader of a message. */
export type MessageReader = {
	readonly locale: Locale | null;
	readonly lender: string | null;
	readonly lenderLocale: Locale | null;
	/** The lender's own texts. */
	readonly texts: { readonly [L in Locale]?: { readonly [K in MessageKey]?: string } } | null;
};

/** An operation as an approved call of it is run. */
export interface HeldOperation {
	/** The input of its handler; undefined if the operation no longer takes what was sent. */
	inputOf(sent: { readonly path: Json; readonly query: Json; readonly body?: Json | undefined }): object | undefined;
	run(input: object, services: HandlerServices): Promise<unknown>;
	/** The body of the answer that the handler's output makes; null for none. */
	answerOf(output: unknown): Json;
}

/** What a handler works with in another home than its own, and what code works with that handlers and jobs share. */
export interface Elsewhere extends Services {
	at(home: string | number): Elsewhere;
	everywhere(): readonly Elsewhere[];
	/**
	 * Commits what holds for every answer: a try of a one-time password that was spent, a payment that has happened, a row handed over to
	 * another home. It carries no idempotency record, and happens again when the handler runs again, so the writes must be such that a
	 * second time does no harm. Returns the result of each write that is a statement.
	 */
	commitRegardless<const W extends readonly Write[]>(writes: W, options?: RegardlessOptions): Promise<Results<W>>;
}

export type RegardlessOptions = CommitOptions & {
	/** What the call has done by this commit, as it would answer it: the commit leaves the audit row, which no later one repeats. */
	audited?: {
		answer: unknown;
		/** Leaves it only if this holds once the writes are made. */
		when?: SQL;
	};
};

/** What a handler works with. */
export interface HandlerServices extends Elsewhere {
	/**
	 * Commits all writes or none, and with them the answer made of `output`, which a repeated request gets. A handler commits so once,
	 * and returns what it gets.
	 */
	commit<T>(writes: readonly Write[], output: T, options?: CommitOptions): Promise<Committed<T>>;
	/**
	 * The same services in a home that only the handler's reads have found. Not for calls with an idempotency key, whose record is looked
	 * for in the operation's home.
	 */
	moveTo(home: string | number): HandlerServices;
}

/** The output of a handler, after the commit that holds its answer. Only that commit makes one. */
export class Committed<T> {
	readonly #output: T;
	constructor(output: T) {
		this.#output = output;
	}
	get output(): T {
		return this.#output;
	}
}

/** The databases as handlers see them. */
export interface Readers {
	/** The database of names and reference data. The same object as `db` when both are one database. */
	readonly directory: Reader;
	/** Whether the directory is the only database, and so holds everything. */
	readonly alone: boolean;
	at(home: number): Reader;
	/** A home for what has none yet, by default in the default region. */
	deal(region?: string): number;
	/** Where organizations may be, the default first; none where all databases are in one region. */
	readonly regions: readonly string[];
	/** The region of the database that holds this home. */
	regionAt(home: number): string | undefined;
	/** The first home of the database that holds this home. */
	firstHomeAt(home: number): number;
}

/** What the cron, a queue consumer and other work outside an operation work with: there is no answer that a commit could carry. */
export interface JobServices extends Elsewhere {
	readonly db: Database;
	readonly databases: Databases;
	at(home: string | number): JobServices;
	everywhere(): readonly JobServices[];
	/** Commits all writes or none. Returns the result of each write that is a statement. */
	commit<const W extends readonly Write[]>(writes: W, options?: CommitOptions): Promise<Results<W>>;
}

export type Edge = {
	env: Env;
	ctx: { waitUntil(promise: Promise<unknown>): void };
	url?: string;
	clientAddress?: string | undefined;
	requestId?: string;
	locale?: Locale | undefined;
	/** Where reads go; by default to the primaries. */
	sessions?: Sessions;
	/** The database to work in; the directory when absent. */
	place?: Place;
	/** Makes every request that leaves the service; the platform's own when absent. */
	fetch?: Fetch;
};
