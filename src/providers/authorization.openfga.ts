// OpenFGA as authorization provider, over its HTTP API. Both tries together take 2 s at most, and every answer but a
// well-formed one is a failure.

import * as z from "zod";
import type { Config } from "../runtime/config";
import type { Log } from "../runtime/log";
import {
	AuthorizationFailure,
	type AuthorizationProvider,
	type Decision,
	type Fetch,
	type Question,
	type Resource,
} from "../runtime/ports";
import { sha256Hex } from "../shared/bytes";
import { BoundedCache } from "../shared/cache";
import { parseJson } from "../shared/json";
import { relationOf } from "../shared/permissions";
import { textWithin } from "./bounded-text";

const TIMEOUT_MS = 2_000;
/** How many checks a server takes in one request, unless it is told otherwise (`--max-checks-per-batch-check`). */
const BATCH = 50;
const MAX_REFUSAL_BYTES = 4_096;
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
	const logged = async <T>(asked: Promise<T>): Promise<T> => {
		try {
			return await asked;
		} catch (error) {
			const { message, said } = error instanceof AuthorizationFailure ? error : new AuthorizationFailure("unexpected");
			log.error("authorization provider failed", error, { provider: "openfga", reason: message, ...said });
			throw error;
		}
	};
	return {
		name: "openfga",
		async check(question) {
			return known(question) ?? remember(question, await logged(ask(config, fetch, question)));
		},
		async checkMerchants({ merchantIds, organizationId, ...about }) {
			const questions = merchantIds.map((id): Question => ({ ...about, resource: { type: "merchant", id, organizationId } }));
			const decisions = new Map(questions.map((question) => [question, known(question)]));
			const unknown = questions.filter((question) => decisions.get(question) === undefined);
			const portions = Array.from({ length: Math.ceil(unknown.length / BATCH) }, (_, at) => unknown.slice(at * BATCH, (at + 1) * BATCH));
			const decided = await logged(Promise.all(portions.map((portion) => askAll(config, fetch, portion))));
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

/** What the store answers; undefined where that is not JSON. */
async function answerTo(
	what: "check" | "batch-check",
	about: object,
	{ config, fetch }: { config: Config; fetch: Fetch },
): Promise<unknown> {
	const { OPENFGA_URL, OPENFGA_STORE_ID, OPENFGA_MODEL_ID, OPENFGA_TOKEN } = config;
	if (!OPENFGA_URL || !OPENFGA_STORE_ID || !OPENFGA_MODEL_ID) throw new AuthorizationFailure("not configured");
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	const began = performance.now();
	const request = {
		method: "POST",
		headers: { "Content-Type": "application/json", ...(OPENFGA_TOKEN !== undefined && { Authorization: `Bearer ${OPENFGA_TOKEN}` }) },
		body: JSON.stringify({ ...about, authorization_model_id: OPENFGA_MODEL_ID }),
		// The token is for this address, not for one that it redirects to.
		redirect: "manual",
		signal,
	} as const;
	const url = `${OPENFGA_URL.replace(/\/+$/, "")}/stores/${encodeURIComponent(OPENFGA_STORE_ID)}/${what}`;
	let response = await attempt(fetch, url, request);
	if (response.again && !signal.aborted && performance.now() - began + response.afterMs < TIMEOUT_MS) {
		if (response.afterMs > 0) await scheduler.wait(response.afterMs);
		response = await attempt(fetch, url, request);
	}
	if (signal.aborted) throw new AuthorizationFailure("timed out");
	if (response.again) throw response.failure;
	const answer = await response.json().catch(() => undefined);
	if (signal.aborted) throw new AuthorizationFailure("timed out");
	return answer;
}

type Attempt = { again: true; afterMs: number; failure: AuthorizationFailure } | { again: false; json(): Promise<unknown> };

/** `again`: another try may help after `afterMs`, because there was no answer, or a temporary failure. */
async function attempt(fetch: Fetch, url: string, request: RequestInit): Promise<Attempt> {
	let response: Response;
	try {
		response = await fetch(url, request);
	} catch {
		return { again: true, afterMs: 0, failure: new AuthorizationFailure("unreachable") };
	}
	if (response.status === 200) return { again: false, json: () => response.json() };
	const failure = new AuthorizationFailure(`status ${response.status}`, await saidBy(response));
	if (response.status < 500 && response.status !== 429) throw failure;
	const seconds = Number(response.headers.get("retry-after") ?? 0);
	return { again: true, afterMs: Number.isFinite(seconds) ? Math.max(0, seconds) * 1_000 : 0, failure };
}

const saying = (code: string, message: string): AuthorizationFailure["said"] => ({
	provider_code: code,
	provider_message: message.replaceAll(/\b(user|organization|merchant):\S+/g, "$1:…").slice(0, 300),
});

const Refusal = z.object({ code: z.string().max(100), message: z.string() });

/** What the provider says is wrong, such as an unknown store or relation, without the ids that some of its texts repeat. */
async function saidBy(response: Response): Promise<AuthorizationFailure["said"]> {
	try {
		const { code, message } = Refusal.parse(parseJson((await textWithin(MAX_REFUSAL_BYTES, response)) ?? ""));
		return saying(code, message);
	} catch {
		return undefined;
	}
}

/**
 * The resource in OpenFGA. A merchant's id is its lender's own text: the lender's id before it keeps two lenders apart that use the same
 * one, and its digest reads as no other object, whatever characters it has and however long it is.
 */
export const objectOf = async (resource: Resource): Promise<string> =>
	resource.type === "merchant"
		? `merchant:${resource.organizationId}/${await sha256Hex(resource.id)}`
		: `organization:${encodeURIComponent(resource.id)}`;
