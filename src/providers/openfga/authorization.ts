// OpenFGA as authorization provider: its decisions, which an isolate remembers for seconds.

import * as z from "zod";
import type { Config } from "../../runtime/config";
import type { Log } from "../../runtime/log";
import { AuthorizationFailure, type AuthorizationProvider, type Decision, type Fetch, type Question } from "../../runtime/ports";
import { BoundedCache } from "../../shared/cache";
import { relationOf } from "../../shared/permissions";
import { answerTo, logged, objectOf, saying } from "./requests";

const allowed = new BoundedCache<true>(5_000, 30_000);
const denied = new BoundedCache<true>(5_000, 5_000);

const Answer = z.object({ allowed: z.boolean() });
const Answers = z.object({ result: z.record(z.string(), z.union([Answer, z.object({ error: z.object({ message: z.string() }) })])) });

export function openFga(config: Config, fetch: Fetch, realNow: number, log: Log): AuthorizationProvider {
	const keyOf = ({ subject, permission, resource }: Question) => JSON.stringify([subject.userId, permission, resource]);
	const known = (question: Question): Decision | undefined => {
		if (question.write) return undefined;
		const key = keyOf(question);
		if (allowed.get(key, realNow)?.fresh) return "ALLOW";
		return denied.get(key, realNow)?.fresh ? "DENY" : undefined;
	};
	const remember = (question: Question, decision: Decision): Decision => {
		const key = keyOf(question);
		const [remembered, other] = decision === "ALLOW" ? [allowed, denied] : [denied, allowed];
		other.delete(key);
		remembered.set(key, true, realNow);
		return decision;
	};
	return {
		name: "openfga",
		async check(question) {
			return known(question) ?? remember(question, await logged(log, ask(config, fetch, question)));
		},
		async checkMerchants({ merchantIds, organizationId, ...about }) {
			const questions = merchantIds.map((id): Question => ({ ...about, resource: { type: "merchant", id, organizationId } }));
			const decisions = new Map(questions.map((question) => [question, known(question)]));
			const unknown = questions.filter((question) => decisions.get(question) === undefined);
			const most = config.OPENFGA_CHECKS_PER_REQUEST;
			const portions = Array.from({ length: Math.ceil(unknown.length / most) }, (_, at) => unknown.slice(at * most, (at + 1) * most));
			const decided = await logged(log, Promise.all(portions.map((portion) => askAll(config, fetch, portion))));
			for (const [question, decision] of decided.flat()) decisions.set(question, remember(question, decision));
			return [...decisions.values()].every((decision) => decision === "ALLOW") ? "ALLOW" : "DENY";
		},
	};
}

async function ask(config: Config, fetch: Fetch, question: Question): Promise<Decision> {
	const about = { tuple_key: await tupleOf(question), ...consistencyOf(question) };
	const answer = Answer.safeParse(await answerTo("check", about, { config, fetch }));
	if (!answer.success) throw new AuthorizationFailure("malformed answer");
	return decisionOf(answer.data);
}

/** Asks several questions of one kind in one request. */
async function askAll(config: Config, fetch: Fetch, questions: readonly Question[]): Promise<(readonly [Question, Decision])[]> {
	const [only, ...others] = questions;
	if (only && others.length === 0) return [[only, await ask(config, fetch, only)]];
	const checks = await Promise.all(
		questions.map(async (question, at) => ({ tuple_key: await tupleOf(question), correlation_id: String(at) })),
	);
	const answers = Answers.safeParse(await answerTo("batch-check", { checks, ...(only && consistencyOf(only)) }, { config, fetch }));
	if (!answers.success) throw new AuthorizationFailure("malformed answer");
	return questions.map((question, at) => {
		const answer = answers.data.result[at];
		if (!answer) throw new AuthorizationFailure("malformed answer");
		if ("error" in answer) throw new AuthorizationFailure("one of several checks failed", saying("batch_check", answer.error.message));
		return [question, decisionOf(answer)];
	});
}

const decisionOf = ({ allowed }: z.output<typeof Answer>): Decision => (allowed ? "ALLOW" : "DENY");

const consistencyOf = ({ write }: Question) => (write ? { consistency: "HIGHER_CONSISTENCY" } : {});

const tupleOf = async ({ subject, permission, resource }: Question) => ({
	user: `user:${subject.userId}`,
	relation: relationOf(permission),
	object: await objectOf(resource),
});
