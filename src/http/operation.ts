// An operation is a value: the router, the OpenAPI document, the test client and the contract tests all read it.

import type * as z from "zod";
import type { Services } from "../runtime/services";
import type { ErrorCode } from "../shared/errors";
import { type Access, type Caller, isPublic } from "./access";
import type { Limit } from "./limits";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Schemas = { path?: z.ZodType; query?: z.ZodType; body?: z.ZodType };
type Parsed<S extends Schemas> = { [K in keyof S & keyof Schemas]: S[K] extends z.ZodType ? z.output<S[K]> : never };
type Output<R extends z.ZodType | null> = R extends z.ZodType ? z.input<R> : undefined;

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

export interface Operation<C extends Caller = Caller, S extends Schemas = Schemas, R extends z.ZodType | null = z.ZodType | null> {
	readonly id: string;
	readonly method: Method;
	readonly path: `/${string}`;
	readonly summary: string;
	readonly description?: string;
	readonly access: Access<C>;
	readonly request: S;
	/** null: the operation answers without a body. */
	readonly response: R;
	/** Of success; 200 (204 without a body) unless named. */
	readonly status?: 200 | 201 | 202 | 204;
	/** What this operation can answer beside what its access, its input and idempotency already imply. */
	readonly errors?: readonly ErrorCode[];
	/** The code for bad input: the specification lists BAD_REQUEST for some operations and INVALID_TOKEN for one. */
	readonly badInput?: "INVALID_PARAMS" | "BAD_REQUEST" | "INVALID_TOKEN";
	readonly unexpected?: "INTERNAL_SERVER_ERROR" | "INTERNAL_ERROR";
	/** Every error carries `identifier` and `invalid_params`, as the specification says of branding and invoice financing. */
	readonly validationErrors?: boolean;
	/** Members of the answer that a replay leaves out. */
	readonly shownOnce?: readonly string[];
	/** false: `Idempotency-Key` is not honoured (public token operations). */
	readonly idempotent?: boolean;
	/** Where its reads may go: `unconstrained` to any replica; `primary` never to one; else by the client's bookmark. */
	readonly reads?: "unconstrained" | "primary";
	/** `no-store` unless named. */
	readonly cacheControl?: string;
	/** Environments in which it exists; elsewhere its path is 404. */
	readonly only?: readonly ("local" | "sandbox")[];
	/** A rate limit other than the usual one of its callers, or an exact one beside it. */
	readonly limit?: Limit;
	readonly deprecated?: boolean;
	/** `ifMatch`: the header, for `requireMatch`. */
	handle(input: Parsed<S> & { caller: C; ifMatch?: string | undefined }, services: Services): Promise<Output<R> | Reply<Output<R>>>;
}

/** Identity at run time; at compile time it infers `handle` from the schemas and the access beside it. */
export function operation<C extends Caller, S extends Schemas, R extends z.ZodType | null>(op: Operation<C, S, R>): Operation<C, S, R> {
	return op;
}

// biome-ignore lint/suspicious/noExplicitAny: the only place where operations of every shape meet
export type AnyOperation = Operation<any, any, any>;

export const badInputCode = (op: AnyOperation): ErrorCode => op.badInput ?? "INVALID_PARAMS";

export const honoursIdempotencyKey = (op: AnyOperation): boolean => op.method !== "GET" && op.idempotent !== false && !isPublic(op.access);

/** An app that is too old must still learn that it is, and look and sign in like itself while it says so. */
const UNGATED = /^\/(v1\/(platform\/)?app\/settings|v1\/branding\/|v1\/auth\/token\/refresh|\.well-known\/|openapi|docs|console|healthz)/;

/** Whether the app's version is looked at. */
export const isGated = (op: AnyOperation): boolean => !UNGATED.test(op.path);

/** Every error code that the operation can answer with. */
export function errorsOf(op: AnyOperation): ErrorCode[] {
	const codes = new Set<ErrorCode>(op.errors ?? []);
	if (!isPublic(op.access)) {
		for (const code of ["UNAUTHORISED", "FORBIDDEN"] as const) codes.add(code);
		// Two credentials at once are bad input to every operation that asks for one.
		codes.add(badInputCode(op));
	}
	if (op.access.organization?.from === "path") codes.add("NOT_FOUND");
	if (op.access.user && !op.access.user.waitingList) codes.add("WAITING_LIST");
	if (op.request.body || op.request.query || op.request.path) codes.add(badInputCode(op));
	if (honoursIdempotencyKey(op)) {
		for (const code of ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_IN_PROGRESS", "INVALID_STATE"] as const) codes.add(code);
		codes.add(badInputCode(op));
	}
	if (op.method !== "GET") codes.add("PAYLOAD_TOO_LARGE");
	if (isGated(op)) codes.add("UPGRADE_REQUIRED");
	codes.add("TOO_MANY_REQUESTS");
	codes.add(op.unexpected ?? "INTERNAL_SERVER_ERROR").add("SERVICE_UNAVAILABLE");
	return [...codes];
}
