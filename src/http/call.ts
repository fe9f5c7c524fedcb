// The way of one request through an operation: open, verify, limit, authorize, parse, look up, handle, record, answer. In this order, so
// that a caller who is refused learns nothing about the rules of the later steps, and refusals cost no more than calls.

import type { Context } from "hono";
import type { JobServices, Services } from "../runtime/services";
import { ApiError, LostRace } from "../shared/errors";
import type { Done, Draft } from "./answer";
import { answerFromCopy } from "./answers/copies";
import { codeOf, refusalOf, refuse } from "./answers/refusal";
import { type AppEnv, report, respond, type Seen } from "./answers/response";
import { type Caller, isPublic } from "./callers/access";
import { type Asking, credentialsOf } from "./callers/asking";
import {
	authorize,
	identityOf,
	identityOfSubject,
	OrganizationMismatch,
	pathByIds,
	refuseUnauthorized,
	type Subject,
	verify,
} from "./callers/authentication";
import { countFailure } from "./callers/failed-credentials";
import { execute } from "./execution";
import { type Key, onceFor, readKey } from "./idempotency/idempotency";
import { type Parsed, readBody, readInput } from "./input";
import { addressOf } from "./limits";
import { type AnyOperation, existsIn, homeFor, honoursIdempotencyKey, sessionsOf } from "./operation";
import type { Ports } from "./ports";

export const noSuchPath = () => new ApiError("NOT_FOUND", { description: "No operation has this path" });

/** One request for an operation. */
export class Call {
	readonly #op: AnyOperation;
	readonly #c: Context<AppEnv>;
	readonly #ports: Ports;
	readonly #requestId: string;
	/** What is known so far, for a refusal and for the log. */
	#services: JobServices | undefined;
	#limits: Record<string, string> = {};
	readonly #seen: Seen = {};

	constructor(op: AnyOperation, c: Context<AppEnv>, { ports, requestId }: { ports: Ports; requestId: string }) {
		this.#op = op;
		this.#c = c;
		this.#ports = ports;
		this.#requestId = requestId;
	}

	/** The answer to the request, a refusal included. Never rejects. */
	async answer(): Promise<Draft> {
		const copy = await this.#copy("FRESH");
		if (copy) return copy;
		const draft = await this.#steps().catch((error: unknown) => this.#refusal(error));
		Object.assign(draft.headers, this.#limits);
		if (this.#services) await report(this.#op, draft, this.#services, this.#seen);
		return draft;
	}

	async #steps(): Promise<Draft> {
		const services = await this.#open();
		const bytes = await this.#read(services);
		const credentials = credentialsOf(this.#c, bytes);
		const asking: Asking = { access: this.#op.access, credentials, services, lookups: this.#ports.callerLookup };
		try {
			const subject = await verify(asking);
			await this.#limit(subject, services);
			const caller = await authorize(asking, subject);
			const identity = await this.#identify(caller, subject);
			const parsed = readInput(this.#op, this.#c, bytes);
			return await respond(this.#c, this.#op, await this.#perform(caller, { asking, subject, identity, parsed }));
		} catch (error) {
			await refuseUnauthorized(error, services);
			throw error;
		}
	}

	/** What the request works with: configuration, clock, databases. */
	async #open(): Promise<JobServices> {
		const { env, req, executionCtx } = this.#c;
		this.#services = await this.#ports.servicesFor({
			env,
			ctx: executionCtx,
			url: req.url,
			clientAddress: addressOf(req.raw),
			requestId: this.#requestId,
			sessions: sessionsOf(this.#op, req.header("x-d1-bookmark")),
		});
		if (!existsIn(this.#op, this.#services.config.ENVIRONMENT)) throw noSuchPath();
		return this.#services;
	}

	/** The body, if it is not too large, of a client that need not upgrade. */
	async #read(services: Services): Promise<Uint8Array | undefined> {
		const { raw } = this.#c.req;
		const bytes = this.#op.method === "GET" ? undefined : await readBody(raw);
		await this.#ports.gate?.(raw, this.#op, services);
		return bytes;
	}

	/** Counts the call for the subject of its credentials, whether or not they may make it. */
	async #limit(subject: Subject, services: Services): Promise<void> {
		const identity = await identityOfSubject(subject);
		if (subject) this.#seen.identity = identity;
		this.#limits = (await this.#ports.limit?.({ request: this.#c.req.raw, op: this.#op, identity }, services)) ?? {};
	}

	/** The caller as exact limits and idempotency keys count them. */
	async #identify(caller: Caller, subject: Subject): Promise<string> {
		const identity = await identityOf(caller, subject);
		if (caller) this.#seen.identity = identity;
		if (caller && "organizationId" in caller) this.#seen.organizationId = caller.organizationId;
		return identity;
	}

	/** Handles the request, and handles it again if the cached guess about the caller's acting organization was wrong. */
	async #perform(guess: Caller, received: Received): Promise<Done> {
		try {
			return await this.#handle(guess, received);
		} catch (error) {
			if (!(error instanceof OrganizationMismatch)) throw error;
		}
		try {
			return await this.#handle(await authorize(received.asking, received.subject), received);
		} catch (error) {
			throw error instanceof OrganizationMismatch ? new LostRace() : error;
		}
	}

	/** Looks the key's earlier call up, runs the handler where the operation works, and records its answer. */
	async #handle(caller: Caller, received: Received): Promise<Done> {
		const { asking, identity, parsed } = received;
		const input = { ...parsed.input, caller, ifMatch: this.#c.req.header("if-match") };
		const services = asking.services.at(homeFor(this.#op, input, asking.services.home));
		const key = await this.#key(caller, received, services);
		const op = await this.#asHeld(caller, parsed, services);
		const execution = { op, input, sent: parsed.body, identity, services, key };
		const refused = (error: unknown) => refusalOf(this.#op, this.#requestId, error);
		const done = key ? await onceFor({ key, services, refused }, () => execute(execution)) : await execute(execution);
		// A replay skips the handler, so the deferred authorization check has not run yet.
		await services.databases.runDeferredChecks();
		return located(op, done);
	}

	/** The operation, or for an operator who needs a second one the operation that stores the call until that one decides. */
	async #asHeld(caller: Caller, parsed: Parsed, { config }: Services): Promise<AnyOperation> {
		const { operatorWrites } = this.#op.access;
		if (caller?.kind !== "operator" || config.OPERATOR_PAIRS === "off" || this.#op.method === "GET") return this.#op;
		const way = typeof operatorWrites === "function" ? operatorWrites(parsed.body) : operatorWrites;
		if (way === "ALONE") return this.#op;
		if (way !== "HELD" || !this.#ports.holding) throw new ApiError("FORBIDDEN");
		return this.#ports.holding(this.#op, parsed.sent);
	}

	async #key(caller: Caller, { asking, identity, parsed }: Received, services: JobServices): Promise<Key | undefined> {
		const header = honoursIdempotencyKey(this.#op) ? this.#c.req.header("idempotency-key") : undefined;
		if (header === undefined) return undefined;
		const path = await pathByIds(parsed.input.path ?? {}, caller, { ...asking, services });
		return readKey(header, { op: this.#op, caller, identity, home: services.home, path, body: parsed.body });
	}

	async #refusal(error: unknown): Promise<Draft> {
		const credentials = isPublic(this.#op.access) ? undefined : credentialsOf(this.#c, undefined);
		const refusal = this.#services ? await countFailure(error, credentials, this.#services) : error;
		this.#seen.code = codeOf(this.#op, refusal);
		const draft = refuse(this.#c, this.#op, { requestId: this.#requestId, error: refusal, services: this.#services });
		return (draft.status >= 500 && (await this.#copy("OF_ANY_AGE"))) || draft;
	}

	async #copy(wanted: "FRESH" | "OF_ANY_AGE"): Promise<Draft | undefined> {
		return this.#op.copy && answerFromCopy(this.#op, this.#c, { requestId: this.#requestId, failed: wanted === "OF_ANY_AGE" });
	}
}

function located({ location }: AnyOperation, done: Done): Done {
	const { status, body } = done.answer;
	if (!location || status >= 300 || body === null) return done;
	return { ...done, headers: { ...done.headers, Location: location(JSON.parse(body)) } };
}

/** What has been received of a request once it is parsed. */
type Received = { readonly asking: Asking; readonly subject: Subject; readonly identity: string; readonly parsed: Parsed };
