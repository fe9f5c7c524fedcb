// An operation is a value. The router, the OpenAPI document, the test client and the contract tests all read it.

import type * as z from "zod";
import { readBookmarks, type Sessions } from "../db/databases";
import type { Committed, HandlerServices, Services } from "../runtime/services";
import { type ErrorCode, type Reason, SUB_CODES } from "../shared/errors";
import { homeOf } from "../shared/ids";
import type { Cached, CacheRequest } from "./cached";
import { type Access, type Caller, isPublic } from "./callers/access";
import type { Limit } from "./limit";
import type { Sheet } from "./sheet";

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof METHODS)[number];
/** Any schema. The compiler takes several times longer to compare a schema with `z.ZodType`, which has all its methods. */
export type Schema = z.core.SomeType;
export type Schemas = { path?: Schema; query?: Schema; body?: Schema };
type Parsed<S extends Schemas> = { [K in keyof S & keyof Schemas]: S[K] extends Schema ? z.output<S[K]> : never };
type Output<R extends Schema | null> = R extends Schema ? z.input<R> : undefined;

/** An answer whose status or headers differ from what the operation declares. */
export class Reply<B> {
	readonly body: B;
	readonly status: number | undefined;
	readonly headers: Record<string, string>;
	constructor(body: B, options: { status?: number; headers?: Record<string, string> } = {}) {
		this.body = body;
		this.status = options.status;
		this.headers = options.headers ?? {};
	}
}

type Answer<T> = T | Reply<T>;

/**
 * Where an operation works: in the directory; in every database, for lists that `readPage` merges; or in the home of the id (or in the
 * home) that its input names, undefined for the directory.
 */
export type Home<C extends Caller, S extends Schemas> =
	| "directory"
	| "everywhere"
	// Through a method type, because operations of all shapes meet in one list.
	| { of(input: Parsed<S> & { caller: C }): string | number | undefined }["of"];

export interface Operation<C extends Caller = Caller, S extends Schemas = Schemas, R extends Schema | null = Schema | null> {
	readonly id: string;
	readonly method: Method;
	readonly path: `/${string}`;
	readonly summary: string;
	readonly description?: string;
	readonly access: Access<C>;
	/** By default the home of the acting organization, else that of the user. Operations that others may call must name one. */
	readonly home?: Home<C, S>;
	readonly request: S;
	/** true: the body, an array, may also be sent as NDJSON, one item a line. */
	readonly ndjson?: boolean;
	/** true: the body may also be sent as a form (`application/x-www-form-urlencoded`), as some providers report. */
	readonly form?: boolean;
	/** null: answers have no body. */
	readonly response: R;
	/** The status of success; by default 200, or 204 without a body. */
	readonly status?: 200 | 201 | 202 | 204;
	/** Other statuses of success with the same body, each with what it means. */
	readonly otherStatuses?: Readonly<Partial<Record<200 | 201 | 202, string>>>;
	/**
	 * true: the rows of its `data`, or of the list of this name, are also answered as CSV or NDJSON, where `Accept` asks for that. A function
	 * writes the CSV in a form of its own.
	 */
	readonly tabular?: true | "entries" | Sheet;
	/** The body as a PDF file in ASCII, where `Accept` asks for that. */
	readonly printed?: (body: unknown) => Promise<string>;
	/** Where the answer's resource is read: the `Location` of every success, a repeated call's included. */
	readonly location?: (body: unknown) => string;
	/** What its answer is called where it is kept near readers; of a change, what that makes out of date there. */
	readonly keptAs?: (body: unknown) => string;
	/** Error codes in addition to those that access, input and idempotency imply. */
	readonly errors?: readonly ErrorCode[];
	/** Its own reasons of refusals, in addition to the codes and the faults of input. */
	readonly reasons?: readonly Reason[];
	/** Statuses with which it also answers errors that have another status in the catalogue. */
	readonly otherErrorStatuses?: Readonly<Partial<Record<ErrorCode, number>>>;
	/** The code for bad input, where the specification does not list INVALID_PARAMS. */
	readonly badInput?: ErrorCode;
	/** The code for failures of the service, where the specification does not list INTERNAL_SERVER_ERROR. */
	readonly unexpected?: ErrorCode;
	/** Every error carries `identifier` and `invalid_params`, where the specification requires it. */
	readonly validationErrors?: boolean;
	/** Members of the answer that a replay leaves out once the ten minutes are over for which they are kept sealed. */
	readonly shownOnce?: readonly string[];
	/** false: ignores `Idempotency-Key`. Public operations always do. */
	readonly idempotent?: boolean;
	/** Where reads go: `unconstrained` to any replica, `primary` to none, by default to replicas that have reached the client's bookmark. */
	readonly reads?: "unconstrained" | "primary";
	/** Only of a public operation, whose successes caches may keep; by default nobody keeps an answer. */
	readonly cacheControl?: string;
	/** Environments in which the operation exists; elsewhere its path is 404. */
	readonly only?: readonly ("local" | "sandbox")[];
	/** A rate limit instead of the usual one of its callers, or an exact one in addition. Public operations that are not GET must name one. */
	readonly limit?: Limit;
	/** false: serves app versions that must upgrade too, because apps need the operation to learn that. */
	readonly gated?: boolean;
	/** true: keys and members of a suspended organization may write by it, because what borrowers have goes on. Reads they always may. */
	readonly whileSuspended?: true;
	/** Every answer says since when (ms) the operation is deprecated, when (ms) its path goes away, and which path replaces it. */
	readonly deprecated?: { readonly since: number; readonly sunset: number; readonly successor: `/${string}` };
	/** true: every answer has the CORS headers by which scripts of any website may call the operation. */
	readonly cors?: boolean;
	/**
	 * Answers from memory where it can; otherwise undefined, and the operation is served as usual. If that fails, it is called again
	 * for an answer of any age. Never rejects.
	 */
	readonly cached?: (request: CacheRequest) => Promise<Cached | undefined>;
	/** Throws `InvalidInput` for what no handler could accept, before a call is held. The handler judges it again. */
	judge?(input: Parsed<S>, services: Services): Promise<void>;
	/**
	 * Does the work. Four rules hold for every handler:
	 *
	 * 1. It reads first. The check whether the caller is blocked, on the waiting list or without the permission is deferred to the
	 *    first `services.db.read` or `services.commit`, so everything before that happens for refused callers too. A handler
	 *    that must act without reading calls `services.db.runDeferredCheck()` first.
	 * 2. It may run twice: when the rows that it read changed before its commit, it runs again from the start.
	 * 3. It commits its answer once, through `services.commit`, and returns what that gives. A commit is in one home; only `reserve` adds
	 *    the directory. It is stale unless every `fact` that the handler has read is as it was. A write that holds for every answer, or that another home must have first, goes through `commitRegardless`.
	 * 4. Effects outside D1 (messages, queues, requests that change something) follow the commit: in `committed` of a write or after
	 *    `services.commit`, or through `services.afterwards` where the answer need not wait. An effect that must come before it, such as a permit of a Durable Object, is given back when the commit fails.
	 *
	 * `ifMatch` is the header, for `requireMatch`.
	 */
	handle(
		input: Parsed<S> & { caller: C; ifMatch?: string | undefined },
		services: HandlerServices,
	): Promise<Answer<Output<R>> | Committed<Answer<Output<R>>>>;
}

/** The home that the operation works in for this input. */
export function homeFor(op: AnyOperation, input: { caller: Caller }, directory: number): number {
	const { caller } = input;
	const named = typeof op.home === "function" ? op.home(input as never) : op.home === undefined ? homeOfCaller(caller) : directory;
	return typeof named === "string" ? homeOf(named) : (named ?? directory);
}

/** Where the reads of a request go. Writes decide on what the primary says; a client's bookmark only serves reads. */
export function sessionsOf(op: AnyOperation, bookmarks: string | undefined): Sessions {
	if (op.method !== "GET" || op.reads === "primary") return { constraint: "first-primary" };
	return { constraint: op.reads === "unconstrained" ? "first-unconstrained" : "first-primary", bookmarks: readBookmarks(bookmarks) };
}

/** The id of the organization that the caller acts for, else of the user. */
export function homeOfCaller(caller: Caller): string | undefined {
	if (!caller) return undefined;
	if ("organizationId" in caller) return caller.organizationId;
	return "userId" in caller ? caller.userId : undefined;
}

/** Identity at run time; at compile time it infers the types of `handle` from the schemas and the access. */
export function operation<C extends Caller, S extends Schemas, R extends Schema | null>(op: Operation<C, S, R>): Operation<C, S, R> {
	return op;
}

// biome-ignore lint/suspicious/noExplicitAny: the only place where operations of every shape meet
export type AnyOperation = Operation<any, any, any>;

export const badInputCode = (op: Pick<AnyOperation, "badInput">): ErrorCode => op.badInput ?? "INVALID_PARAMS";

export const honoursIdempotencyKey = (op: AnyOperation): boolean => op.method !== "GET" && op.idempotent !== false && !isPublic(op.access);

/** Every status of success that the operation can answer with, each with what it means. */
export const successesOf = (op: AnyOperation): ReadonlyMap<number, string> =>
	new Map([
		[op.status ?? (op.response ? 200 : 204), op.summary],
		...Object.entries(op.otherStatuses ?? {}).map(([status, meaning]) => [Number(status), meaning] as const),
	]);

/** Whether its 200 carries an entity tag, so that a client which names that tag gets 304. */
export const isTagged = (op: AnyOperation): boolean => op.method === "GET" && successesOf(op).has(200);

/** Whether the operation exists in this environment. */
export const existsIn = ({ only }: Pick<AnyOperation, "only">, environment: string): boolean =>
	only === undefined || only.some((one) => one === environment);

/** Whether an operator's call may wait for a second operator. */
export const mayBeHeld = ({ access: { operatorWrites } }: Pick<AnyOperation, "access">): boolean =>
	operatorWrites === "HELD" || typeof operatorWrites === "function";

/** Every error code that the operation can answer with. */
export function errorsOf(op: AnyOperation): ErrorCode[] {
	const codes = new Set<ErrorCode>(op.errors ?? []);
	if (!isPublic(op.access)) {
		for (const code of ["UNAUTHORISED", "FORBIDDEN"] as const) codes.add(code);
		// Two credentials together are bad input to every operation that asks for one.
		codes.add(badInputCode(op));
	}
	if (op.access.organization?.from === "path") codes.add("NOT_FOUND");
	if (mayBeHeld(op)) codes.add("APPROVAL_PENDING");
	if (op.access.user && !op.access.user.waitingList) codes.add("WAITING_LIST");
	if (op.request.body || op.request.query || op.request.path) codes.add(badInputCode(op));
	if (honoursIdempotencyKey(op)) {
		for (const code of ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_IN_PROGRESS", "INVALID_STATE"] as const) codes.add(code);
		codes.add(badInputCode(op));
	}
	if (op.method !== "GET") codes.add("PAYLOAD_TOO_LARGE");
	if (op.gated !== false) codes.add("UPGRADE_REQUIRED");
	codes.add("TOO_MANY_REQUESTS");
	codes.add(op.unexpected ?? "INTERNAL_SERVER_ERROR").add("SERVICE_UNAVAILABLE");
	return [...codes];
}

/** Every reason that the operation can refuse with. */
export const reasonsOf = (op: AnyOperation): ReadonlySet<string> =>
	new Set([...errorsOf(op), ...SUB_CODES, ...(isPublic(op.access) ? [] : ["USER_BLOCKED"]), ...(op.reasons ?? [])]);
