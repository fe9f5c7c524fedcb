// What a request, a queue message or a cron run works with, built once for each of them at the edge.

import { type Config, ConfigurationError, configuration } from "./config";
import { Meter, Session, type Write } from "./db/session";
import { clockOffset } from "./domains/sandbox/clock";
import type { ApiError, ErrorCode } from "./http/errors";
import { type Log, logger } from "./log";
import type { AuthorizationProvider } from "./providers/authorization";
import { embedded } from "./providers/authorization.embedded";
import { openFga } from "./providers/authorization.openfga";
import { uuidv7 } from "./shared/ids";

export type CommitOptions = {
	/**
	 * What a violated UNIQUE index stands for, by the columns SQLite names (`table.a, table.b`): an error, or that somebody
	 * else came first (`STALE`), so that the handler runs once more and finds what he made.
	 */
	unique?: { readonly [columns: string]: ErrorCode | ApiError | "STALE" };
};

export interface Services {
	readonly env: Env;
	readonly config: Config;
	readonly db: Session;
	/** A session whose reads all go to the primary, where `db` may read from a replica; metered together with it. */
	primary(): Session;
	/** The service's clock, in ms: what is recorded, scheduled or expires goes by it. The sandbox can move it. */
	readonly now: number;
	/** Real time, in ms, for what callers and receivers share with us: tokens, signatures, idempotency, caches. */
	readonly realNow: number;
	newId(): string;
	readonly requestId: string;
	/** The request's own address. */
	readonly url: string;
	/** Where the client calls from, as Cloudflare saw it (of IPv6 the network); all who come by no such way count as one. */
	readonly clientAddress: string;
	/** The public base address, for links and `url` fields. */
	readonly baseUrl: string;
	/** `iss` of the service's tokens. */
	readonly issuer: string;
	/** Commits all writes or none and, in the same batch, the answer that a replay of this request gets. Returns `output`. */
	commit<T>(writes: readonly Write[], output: T, options?: CommitOptions): Promise<T>;
	/** Decides what members may do for their organizations. */
	readonly authorization: AuthorizationProvider;
	/**
	 * Decides what users may do for single merchants. `name` is the `resource_access_provider` of the issuer that
	 * signed the caller's token. A check rejects when the provider cannot tell, which answers 500: let it pass through.
	 */
	resourceAccess(name: AuthorizationProvider["name"]): AuthorizationProvider;
	/** Goes on after the answer; failures are logged. */
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
};

/** Throws `ConfigurationError`. */
export async function servicesFor({
	env,
	ctx,
	url,
	clientAddress = "unknown",
	requestId = crypto.randomUUID(),
	constraint = "first-primary",
}: Edge): Promise<Services> {
	const config = await configuration(env);
	const log = logger({ request_id: requestId });
	const realNow = Date.now();
	const offset = await clockOffset(env.DB, config.ENVIRONMENT).catch(() => {
		// Out of reach, or the migrations were never applied to it.
		throw new ConfigurationError(["DB"]);
	});
	const now = realNow + offset;
	const meter = new Meter();
	const db = new Session(env.DB, constraint, meter);
	const authorizationBy = (name: AuthorizationProvider["name"]) => (name === "openfga" ? openFga(config, realNow, log) : embedded(db));
	const local = "http://localhost";
	return {
		env,
		config,
		db,
		primary: () => new Session(env.DB, "first-primary", meter),
		now,
		realNow,
		newId: () => uuidv7(now),
		requestId,
		url: url ?? local,
		clientAddress,
		baseUrl: config.BASE_URL ?? (url ? new URL(url).origin : local),
		issuer: config.ENVIRONMENT === "local" ? local : (config.BASE_URL ?? local),
		async commit(writes, output) {
			await db.commit(writes);
			return output;
		},
		authorization: authorizationBy(config.AUTHORIZATION_PROVIDER),
		resourceAccess: authorizationBy,
		afterwards(work) {
			ctx.waitUntil(work.catch((error: unknown) => log.error("background work failed", error)));
		},
		log,
	};
}

/**
 * The same services over a session of their own, for what goes on beside the answer: neither its cost nor its bookmark is the
 * request's.
 */
export const besideAnswer = (services: Services): Services => ({ ...services, db: new Session(services.env.DB, "first-primary") });

/** The same services a while later: what runs on beyond its request must not record the time when it began. */
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
