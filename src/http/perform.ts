// What a request does once it is received: looks its key's earlier call up, runs the handler where the operation works, and records the
// answer.

import { type SQL, sql } from "drizzle-orm";
import type { Context } from "hono";
import { refuseIf } from "../db/guards";
import type { JobServices, Services } from "../runtime/services";
import { PURGE_HEADER, TAG_HEADER } from "../shared/cache-tags";
import { LostRace, ORGANIZATION_SUSPENDED, organizationSuspended } from "../shared/errors";
import type { Done } from "./answer";
import { refusalOf } from "./answers/refusal";
import type { AppEnv } from "./answers/response";
import type { Caller } from "./callers/access";
import { languageOf } from "./callers/account-states";
import type { Asking } from "./callers/asking";
import { authorize, NOT_FOR_OPERATORS, OrganizationMismatch, pathByIds, type Subject } from "./callers/authentication";
import type { CallerLookup } from "./callers/caller-lookup";
import { execute } from "./execution";
import { type Key, onceFor, readKey } from "./idempotency/idempotency";
import type { Parsed } from "./input";
import { type AnyOperation, homeFor, honoursIdempotencyKey } from "./operation";
import type { Ports } from "./ports";

/** A request whose caller is known, and whose input is parsed. */
export type Received = {
	readonly op: AnyOperation;
	readonly c: Context<AppEnv>;
	readonly ports: Ports;
	readonly requestId: string;
	readonly asking: Asking;
	readonly subject: Subject;
	/** The caller as exact limits and idempotency keys count them. */
	readonly identity: string;
	readonly parsed: Parsed;
};

/** Handles the request, and handles it again if the cached guess about the caller's acting organization was wrong. */
export async function perform(guess: Caller, received: Received): Promise<Done> {
	try {
		return await handle(guess, received);
	} catch (error) {
		if (!(error instanceof OrganizationMismatch)) throw error;
	}
	try {
		return await handle(await authorize(received.asking, received.subject), received);
	} catch (error) {
		throw error instanceof OrganizationMismatch ? new LostRace() : error;
	}
}

async function handle(caller: Caller, received: Received): Promise<Done> {
	const { op, c, asking, identity, parsed, requestId } = received;
	const input = { ...parsed.input, caller, ifMatch: c.req.header("if-match") };
	const services = asking.services.at(homeFor(op, input, asking.services.home));
	const key = await keyOf(caller, received, services);
	const refusal = refuseWhileSuspended(op, caller, services, asking.lookups);
	const run = { op: await asHeld(caller, received, services), input, sent: parsed.body, identity, services, key, refusal };
	const refused = (error: unknown) => {
		const locale = languageOf(received.subject, c.req.header("accept-language"), services.realNow);
		return refusalOf(op, { requestId, locale }, error);
	};
	const done = key ? await onceFor({ key, services, refused }, (turn) => execute({ ...run, turn })) : await execute(run);
	// Where the answer was known before a read, the deferred authorization check has not run yet.
	await services.databases.runDeferredChecks();
	return withPlaces(run.op, done);
}

/** The headers that say where the answer's resource is read, and what it is called where it is kept. */
function withPlaces({ location, keptAs, method }: AnyOperation, done: Done): Done {
	const { status, body } = done.answer;
	if ((!location && !keptAs) || status >= 300 || body === null) return done;
	const answered: unknown = JSON.parse(body);
	const headers = {
		...done.headers,
		...(location && { Location: location(answered) }),
		...(keptAs && { [method === "GET" ? TAG_HEADER : PURGE_HEADER]: keptAs(answered) }),
	};
	return { ...done, headers };
}

async function keyOf(caller: Caller, { op, c, asking, identity, parsed }: Received, services: JobServices): Promise<Key | undefined> {
	const header = honoursIdempotencyKey(op) ? c.req.header("idempotency-key") : undefined;
	if (header === undefined) return undefined;
	const path = await pathByIds(parsed.input.path ?? {}, caller, { ...asking, services });
	return readKey(header, { op, caller, identity, home: services.home, path, body: parsed.body });
}

/** The operation, or for an operator who needs a second one the operation that stores the call until that one decides. */
async function asHeld(caller: Caller, { op, ports, parsed }: Received, { config }: Services): Promise<AnyOperation> {
	const { operatorWrites } = op.access;
	if (caller?.kind !== "operator" || config.OPERATOR_PAIRS === "off" || op.method === "GET") return op;
	const way = typeof operatorWrites === "function" ? operatorWrites(parsed.body) : operatorWrites;
	if (way === "ALONE") return op;
	if (way !== "HELD" || !ports.holding) throw NOT_FOR_OPERATORS();
	return ports.holding(op, parsed.sent);
}

/**
 * What an organization's suspension refuses its keys and members: every write but those that what borrowers have needs. Refuses the call with
 * the first read, so that they learn nothing else, and returns what refuses each of its commits, because the suspension may come in between;
 * undefined for what no suspension refuses.
 */
function refuseWhileSuspended(op: AnyOperation, caller: Caller, { db }: JobServices, lookups: CallerLookup): SQL | undefined {
	if (op.method === "GET" || op.whileSuspended || (caller?.kind !== "key" && caller?.kind !== "member")) return undefined;
	const suspended = lookups.suspended(caller.organizationId);
	db.deferCheck({
		statements: [db.orm.all(sql`select ${suspended} as "suspended"`)],
		accept([rows]) {
			if ((rows as { suspended: number }[])[0]?.suspended) throw organizationSuspended();
		},
	});
	return refuseIf(suspended, ORGANIZATION_SUSPENDED);
}
