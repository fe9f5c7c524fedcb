// Runs an operation's handler: gives it its commit, runs it again when what it read has changed, and turns its output into the
// answer.

import { CheckViolation, StaleWrite, type Write } from "../db/database";
import { type CommitOptions, commitUnder, type JobServices, type Services } from "../runtime/services";
import type { Caller } from "./access";
import { isRecordTaken, type Key, LostRace, recordCheck, recordOf } from "./idempotency";
import type { Answer } from "./idempotency-keys";
import { overQuota, QUOTA_CONSTRAINT, useOf } from "./limits";
import { type AnyOperation, Reply } from "./operation";

/** An answer: as the caller gets it now, and as a repeated call will get it. `recorded`: D1 has it, if the call had a key. */
export type Done = { answer: Answer; kept: Answer; recorded: boolean; headers: Record<string, string> };

export type Execution = {
	op: AnyOperation;
	/** Parsed path, query and body, with the caller and `ifMatch`. */
	input: { caller: Caller; ifMatch: string | undefined };
	/** The caller as limits count them. */
	identity: string;
	/** In the operation's home. */
	services: JobServices;
	key: Key | undefined;
};

const MAX_RUNS = 2;

/** Throws `Replay` when an earlier run of the same key has committed. */
export async function execute({ op, input, identity, services, key }: Execution): Promise<Done> {
	const { db, databases } = services;
	for (let run = 1; ; run++) {
		const commitment = new Commitment(op, identity, services, key);
		try {
			// The check of a caller whose home is in another database cannot ride with the handler's first read.
			await databases.runDeferredChecks(db);
			const output = await op.handle(input as never, commitment.services);
			await db.runDeferredCheck();
			return commitment.doneFor(output) ?? { ...finish(op, output), recorded: false };
		} catch (error) {
			// A refusal of the caller stands, whatever the checks in other databases would say.
			if (databases.isCheckFailure(error)) throw error;
			// A caller who must be refused, or whose call is done already, learns nothing about what else is wrong with the call.
			if (key && isRecordTaken(error)) db.deferCheck(recordCheck(db.orm, key, services.realNow));
			await databases.runDeferredChecks();
			if (!(error instanceof StaleWrite)) throw error;
			if (run === MAX_RUNS) throw new LostRace();
		}
	}
}

/** The one commit of one run of a handler. */
class Commitment {
	readonly #op: AnyOperation;
	readonly #identity: string;
	readonly #services: JobServices;
	readonly #key: Key | undefined;
	#committed: { output: unknown; done: Done } | undefined;

	constructor(op: AnyOperation, identity: string, services: JobServices, key: Key | undefined) {
		this.#op = op;
		this.#identity = identity;
		this.#services = services;
		this.#key = key;
	}

	/** What the handler works with. */
	get services(): Services {
		const { home, databases } = this.#services;
		return { ...this.#services, commit: this.#commitsTo(home, databases), commitsTo: this.#commitsTo };
	}

	/** Commits the writes together with the use of an exact limit and the idempotency record of the answer. */
	readonly #commitsTo: Services["commitsTo"] =
		(home) =>
		async <T>(writes: readonly Write[], output?: T, options?: CommitOptions) => {
			if (this.#committed) throw new Error(`${this.#op.id} commits twice`);
			const { databases, realNow, now } = this.#services;
			const { orm } = databases.at(home);
			// Where a repeated call looks for it.
			if (this.#key && databases.at(home) !== this.#services.db) throw new Error(`${this.#op.id} commits outside its home`);
			const done = finish(this.#op, output);
			const record = this.#key ? [recordOf(orm, this.#key, done.kept, realNow)] : [];
			const use = useOf(orm, this.#op, this.#identity, this.#services);
			try {
				await commitUnder(databases, home, [...writes, use], now, options, record);
			} catch (error) {
				throw error instanceof CheckViolation && error.constraint === QUOTA_CONSTRAINT ? overQuota(this.#op, this.#services) : error;
			}
			this.#committed = { output, done: { ...done, recorded: true } };
			return output as T;
		};

	/** The answer that was committed, when the handler returns the output that it committed. */
	doneFor(output: unknown): Done | undefined {
		return this.#committed && this.#committed.output === output ? this.#committed.done : undefined;
	}
}

function finish(op: AnyOperation, output: unknown): Omit<Done, "recorded"> {
	const reply = output instanceof Reply ? output : new Reply(output);
	const status = reply.status ?? op.status ?? (op.response ? 200 : 204);
	if (!op.response) return { answer: { status, body: null }, kept: { status, body: null }, headers: reply.headers };
	// Parsing drops every member that the schema does not name, so no column can leak.
	const body = op.response.parse(reply.body);
	const answer = { status, body: JSON.stringify(body) };
	const { shownOnce } = op;
	const kept = shownOnce ? { status, body: JSON.stringify(body, (name, value) => (shownOnce.includes(name) ? undefined : value)) } : answer;
	return { answer, kept, headers: reply.headers };
}
