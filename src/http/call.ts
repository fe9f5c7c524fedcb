// The way of one request through an operation: open, verify, limit, authorize, parse, perform (look up, handle, record), answer. In this
// order, so that a caller who is refused learns nothing about the rules of the later steps, and refusals cost no more than calls.

import type { Context } from "hono";
import { chosenLocale } from "../messages/texts";
import type { JobServices, Services } from "../runtime/services";
import { ApiError, writesAreOff } from "../shared/errors";
import type { Draft } from "./answer";
import { answerFromCache } from "./answers/cached";
import { codeOf, refuse } from "./answers/refusal";
import { type AppEnv, fromOf, report, respond, type Seen } from "./answers/response";
import { type Caller, isPublic } from "./callers/access";
import { languageOf } from "./callers/account-states";
import { type Asking, credentialsOf } from "./callers/asking";
import { authorize, identityOf, identityOfSubject, refuseUnauthorized, type Subject, verify } from "./callers/authentication";
import { countFailure } from "./callers/failed-credentials";
import { readBody, readInput } from "./input";
import { addressOf } from "./limits";
import { type AnyOperation, existsIn, sessionsOf } from "./operation";
import { perform } from "./perform";
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
	#subject: Subject;
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
		const cached = await this.#cached("FRESH");
		if (cached) return cached;
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
			this.#subject = subject;
			await this.#limit(subject, services);
			const caller = await authorize(asking, subject);
			const identity = await this.#identify(caller, subject);
			const parsed = readInput(this.#op, this.#c, bytes);
			const request = { op: this.#op, c: this.#c, ports: this.#ports, requestId: this.#requestId };
			const done = await perform(caller, { ...request, asking, subject, identity, parsed });
			return await respond(this.#c, this.#op, done);
		} catch (error) {
			await refuseUnauthorized(error, services);
			throw error;
		}
	}

	/** What the request works with: configuration, clock, databases. */
	async #open(): Promise<JobServices> {
		const { env, req, executionCtx } = this.#c;
		this.#seen.from = fromOf(req.raw);
		this.#services = await this.#ports.servicesFor({
			env,
			ctx: executionCtx,
			url: req.url,
			clientAddress: addressOf(req.raw),
			requestId: this.#requestId,
			locale: chosenLocale(req.header("accept-language")),
			sessions: sessionsOf(this.#op, req.header("x-d1-bookmark")),
		});
		if (!existsIn(this.#op, this.#services.config.ENVIRONMENT)) throw noSuchPath();
		if (this.#op.method !== "GET" && this.#services.config.WRITES === "off") throw writesAreOff();
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
		if (subject) {
			this.#seen.identity = identity;
			this.#see(subject);
		}
		this.#limits = (await this.#ports.limit?.({ request: this.#c.req.raw, op: this.#op, identity }, services)) ?? {};
	}

	/** The caller as exact limits and idempotency keys count them. */
	async #identify(caller: Caller, subject: Subject): Promise<string> {
		const identity = await identityOf(caller, subject);
		if (caller) {
			this.#seen.identity = identity;
			this.#see(caller);
		}
		return identity;
	}

	/** For the log: what the caller is, and for which organization. */
	#see(one: NonNullable<Subject | Caller>): void {
		this.#seen.caller = one.kind;
		if ("organizationId" in one && typeof one.organizationId === "string") this.#seen.organizationId = one.organizationId;
	}

	async #refusal(error: unknown): Promise<Draft> {
		const credentials = isPublic(this.#op.access) ? undefined : credentialsOf(this.#c, undefined);
		const refusal = this.#services ? await countFailure(error, credentials, this.#services) : error;
		this.#seen.code = codeOf(this.#op, refusal);
		const services = this.#services;
		const locale = services && languageOf(this.#subject, this.#c.req.header("accept-language"), services.realNow);
		const draft = refuse(this.#c, this.#op, { requestId: this.#requestId, error: refusal, services, locale });
		return (draft.status >= 500 && (await this.#cached("OF_ANY_AGE"))) || draft;
	}

	async #cached(wanted: "FRESH" | "OF_ANY_AGE"): Promise<Draft | undefined> {
		return this.#op.cached && answerFromCache(this.#op, this.#c, { requestId: this.#requestId, failed: wanted === "OF_ANY_AGE" });
	}
}
