// Runs an operation's handler: gives it its commit, runs it again when what it read has changed, and turns its output into the
// answer. Here each commit of an operation gets what it must carry: the guard of the facts that it was decided on, the use of a limit,
// the idempotency record, the audit row.

import { type SQL, sql } from "drizzle-orm";
import { CheckViolation, type Database, type Results, StaleWrite, type Write } from "../db/database";
import { orStaleUnless } from "../db/guards";
import { ALWAYS } from "../db/prebuilt";
import { QUOTA_CONSTRAINT } from "../db/rate-windows.table";
import { Landed } from "../db/transient";
import { commitUnder, servicesIn } from "../runtime/making-services";
import {
	type CommitOptions,
	Committed,
	type HandlerServices,
	type HeldOperation,
	type JobServices,
	type RegardlessOptions,
} from "../runtime/services";
import { LostRace } from "../shared/errors";
import type { Json } from "../shared/json";
import type { Done } from "./answer";
import { project } from "./answers/projection";
import { spotCheck } from "./answers/spot-check";
import { auditOf } from "./audit/audit";
import type { Caller } from "./callers/access";
import { isRecordTaken, type Key, recordCheck, recordOf, sealedOf, type Turn } from "./idempotency/idempotency";
import { parseAgain } from "./input";
import { overQuota, useOf } from "./limits";
import { type AnyOperation, Reply } from "./operation";

export type Execution = {
	op: AnyOperation;
	/** Parsed path, query and body, with the caller and `ifMatch`. */
	input: { caller: Caller; ifMatch: string | undefined; path?: Record<string, unknown> };
	/** The JSON body as sent. */
	sent: Json | undefined;
	/** The caller as limits count them. */
	identity: string;
	/** In the operation's home. */
	services: JobServices;
	key: Key | undefined;
	/** Of a call with a key: nothing is committed before it is taken. */
	turn?: Turn;
	/** Refuses a commit while the caller's organization is suspended. */
	refusal: SQL | undefined;
};

const MAX_RUNS = 2;

/** Throws `Replay` when an earlier run of the same key has committed. */
export async function execute(execution: Execution): Promise<Done> {
	const { op, input, services, key } = execution;
	const { db, databases } = services;
	const trail: Trail = { left: false };
	for (let run = 1; ; run++) {
		const commitment = new Commitment(execution, trail);
		try {
			// Checks in other databases cannot be part of the handler's first read.
			await databases.runDeferredChecks(db);
			db.keepFacts();
			const output = await op.handle(input as never, commitment.services);
			await db.runDeferredCheck();
			const done = commitment.doneFor(output);
			spotCheck(op, replyOf(output instanceof Committed ? output.output : output).body, done.answer.body, services.log);
			return done;
		} catch (error) {
			// The caller is refused already, so the checks in other databases are not needed.
			if (databases.isCheckFailure(error)) throw error;
			// A caller who must be refused, or whose call is done already, learns nothing about what else is wrong with the call.
			if (key && isRecordTaken(error)) db.deferCheck(recordCheck(key, services.realNow));
			await databases.runDeferredChecks();
			if (!(error instanceof StaleWrite)) throw error;
			if (run === MAX_RUNS) throw new LostRace();
		}
	}
}

/** Whether the audit row of the call is written: a call has one row, however often its handler runs. */
type Trail = { left: boolean };

/** The one commit of one run of a handler. */
class Commitment {
	readonly #execution: Execution;
	readonly #trail: Trail;
	#done: Done | undefined;

	constructor(execution: Execution, trail: Trail) {
		this.#execution = execution;
		this.#trail = trail;
	}

	/** What the handler works with. */
	get services(): HandlerServices {
		const { services } = this.#execution;
		return servicesIn(services, services.databases, services.home, (home) => ({
			commit: <T>(writes: readonly Write[], output: T, options?: CommitOptions) => this.#commit(home, writes, { output, options }),
			commitRegardless: <const W extends readonly Write[]>(writes: W, options?: RegardlessOptions) =>
				this.#commitRegardless(home, writes, options),
			moveTo(this: HandlerServices, there: string | number) {
				return this.at(there);
			},
		})) as HandlerServices;
	}

	/** Commits the writes together with the use of an exact limit, the audit row and the idempotency record of the answer. */
	async #commit<T>(home: number, writes: readonly Write[], { output, options }: Given<T>): Promise<Committed<T>> {
		const { op, identity, key, turn, services, refusal } = this.#execution;
		await turn?.taken();
		if (this.#done) throw new Error(`${op.id} commits twice`);
		const { databases, realNow } = services;
		const { orm } = databases.at(home);
		// A repeated call looks for the record in the operation's home.
		if (key && databases.at(home) !== services.db) throw new Error(`${op.id} commits outside its home`);
		const { body, ...done } = finish(op, output);
		const record = key ? [recordOf(key, done.kept, realNow), ...(await sealedOf(key, done.answer.body, services))] : [];
		const use = useOf(orm, op, identity, services);
		const audit =
			isEmpty(writes) && !options?.reserve ? [] : await this.#audit(home, body, { about: options?.about, trail: options?.trail });
		try {
			const first = refusal && !isEmpty(writes) ? [...record, refusal] : record;
			const unchanged = isEmpty(writes) ? [] : unchangedIn(databases.at(home));
			await commitUnder(services, { home, writes: [...unchanged, ...writes, use, ...audit], first }, options);
		} catch (error) {
			if (error instanceof CheckViolation && error.constraint === QUOTA_CONSTRAINT) throw overQuota(op, identity, services);
			// Done, and its answer is known. The sweep does what would have followed the commit.
			if (!(error instanceof Landed)) throw error;
		}
		this.#done = { ...done, recorded: true };
		return new Committed(output);
	}

	async #commitRegardless<const W extends readonly Write[]>(
		home: number,
		writes: W,
		{ audited, ...options }: RegardlessOptions = {},
	): Promise<Results<W>> {
		const { op, turn, services, refusal } = this.#execution;
		await turn?.taken();
		const first = refusal && !isEmpty(writes) ? [refusal] : [];
		if (!audited) return commitUnder(services, { home, writes, first }, options);
		const audit = await this.#audit(home, finish(op, audited.answer).body, { when: audited.when ?? ALWAYS });
		// After the writes, because `when` may depend on what they have done.
		const results: readonly unknown[] = await commitUnder(services, { home, writes: [...writes, ...audit], first }, options);
		return results.slice(0, writes.length) as Results<W>;
	}

	async #audit(
		home: number,
		answer: unknown,
		more: { when?: SQL; about?: CommitOptions["about"]; trail?: string | undefined },
	): Promise<Write[]> {
		if (this.#trail.left) return [];
		const { op, input, sent, services } = this.#execution;
		const committed = () => {
			this.#trail.left = true;
		};
		return auditOf({ op, caller: input.caller, path: input.path, sent }, services, { home, answer, ...more, committed });
	}

	/** The answer: what was committed, or what the handler returned without a commit. */
	doneFor(returned: unknown): Done {
		const { op } = this.#execution;
		if (this.#done) {
			if (!(returned instanceof Committed)) throw new Error(`${op.id} commits one answer and returns another`);
			return this.#done;
		}
		const { body: _, ...unrecorded } = finish(op, returned);
		return { ...unrecorded, recorded: false };
	}
}

type Given<T> = { output: T; options: CommitOptions | undefined };

/** Each fact that the handler has read must still hold. One statement demands all of them, before the writes change what they are about. */
function unchangedIn(db: Database): Write[] {
	const facts = db.takeFacts();
	return facts.length === 0
		? []
		: [
				orStaleUnless(
					sql.join(
						facts.map((fact) => sql`(${fact})`),
						sql` and `,
					),
				),
			];
}

const isEmpty = (writes: readonly Write[]): boolean => writes.every((write) => "statements" in write && write.statements.length === 0);

const replyOf = (output: unknown): Reply<unknown> => (output instanceof Reply ? output : new Reply(output));

/** `body`: the answer's, parsed. */
function finish(op: AnyOperation, output: unknown): Omit<Done, "recorded"> & { body: unknown } {
	const reply = replyOf(output);
	const status = reply.status ?? op.status ?? (op.response ? 200 : 204);
	if (!op.response) return { answer: { status, body: null }, kept: { status, body: null }, headers: reply.headers, body: null };
	const body = project(op.response, reply.body);
	const answer = { status, body: JSON.stringify(body) };
	const { shownOnce } = op;
	const kept = shownOnce ? { status, body: JSON.stringify(body, (name, value) => (shownOnce.includes(name) ? undefined : value)) } : answer;
	return { answer, kept, headers: reply.headers, body };
}

/** The operation, for running a call of it that was approved. */
export const heldFrom = (op: AnyOperation): HeldOperation => ({
	inputOf: (sent) => parseAgain(op, sent),
	run: (input, services) => op.handle(input as never, services),
	answerOf: (output) => finish(op, output).body as Json,
});
