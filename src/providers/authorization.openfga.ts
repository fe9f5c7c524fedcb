// OpenFGA as authorization provider, over its HTTP API. A caller waits 2 s for it at most, both tries together, and
// every answer but a well-formed one is a failure.

import * as z from "zod";
import type { Config } from "../runtime/config";
import type { Log } from "../runtime/log";
import { BoundedCache } from "../shared/cache";
import type { Permission } from "../shared/permissions";
import { AuthorizationFailure, type AuthorizationProvider, type Decision, type Question, type Resource } from "./authorization";

export const TIMEOUT_MS = 2_000;
const allowed = new BoundedCache<true>(5_000, 30_000);
const denied = new BoundedCache<true>(5_000, 5_000);

const Answer = z.object({ allowed: z.boolean() });

export function openFga(config: Config, realNow: number, log: Log): AuthorizationProvider {
	return {
		name: "openfga",
		async check(question) {
			const { subject, permission, resource, write } = question;
			const key = JSON.stringify([subject.userId, permission, resource.type, objectOf(resource)]);
			if (!write && allowed.get(key, realNow)?.fresh) return "ALLOW";
			if (!write && denied.get(key, realNow)?.fresh) return "DENY";
			try {
				const decision = await ask(config, question);
				const [told, other] = decision === "ALLOW" ? [allowed, denied] : [denied, allowed];
				other.delete(key);
				told.set(key, true, realNow);
				return decision;
			} catch (error) {
				log.error("authorization provider failed", error, {
					provider: "openfga",
					reason: error instanceof AuthorizationFailure ? error.message : "unforeseen",
				});
				throw error;
			}
		},
	};
}

async function ask(config: Config, question: Question): Promise<Decision> {
	const { OPENFGA_URL, OPENFGA_STORE_ID, OPENFGA_MODEL_ID, OPENFGA_TOKEN } = config;
	if (!OPENFGA_URL || !OPENFGA_STORE_ID || !OPENFGA_MODEL_ID) throw new AuthorizationFailure("not configured");
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	const request = {
		method: "POST",
		headers: { "Content-Type": "application/json", ...(OPENFGA_TOKEN !== undefined && { Authorization: `Bearer ${OPENFGA_TOKEN}` }) },
		body: JSON.stringify({
			tuple_key: {
				user: `user:${question.subject.userId}`,
				relation: relationOf(question.permission),
				object: objectOf(question.resource),
			},
			authorization_model_id: OPENFGA_MODEL_ID,
			...(question.write && { consistency: "HIGHER_CONSISTENCY" }),
		}),
		// The token is for this address and none that it may point to.
		redirect: "manual",
		signal,
	} as const;
	const url = `${OPENFGA_URL.replace(/\/+$/, "")}/stores/${encodeURIComponent(OPENFGA_STORE_ID)}/check`;
	const first = await attempt(url, request);
	const response = first.again && !signal.aborted ? await attempt(url, request) : first;
	if (signal.aborted) throw new AuthorizationFailure("timed out");
	if (response.again) throw new AuthorizationFailure(response.reason);
	const answer = Answer.safeParse(await response.json().catch(() => undefined));
	if (signal.aborted) throw new AuthorizationFailure("timed out");
	if (!answer.success) throw new AuthorizationFailure("malformed answer");
	return answer.data.allowed ? "ALLOW" : "DENY";
}

type Attempt = { again: true; reason: string } | { again: false; json(): Promise<unknown> };

/** Says whether another try may help: no answer, or one that only tells of a bad moment. */
async function attempt(url: string, request: RequestInit): Promise<Attempt> {
	let response: Response;
	try {
		response = await fetch(url, request);
	} catch {
		return { again: true, reason: "unreachable" };
	}
	if (response.status === 200) return { again: false, json: () => response.json() };
	await response.body?.cancel();
	const reason = `status ${response.status}`;
	if (response.status >= 500 || response.status === 429) return { again: true, reason };
	throw new AuthorizationFailure(reason);
}

/** `org:financing.merchants:read` is the relation `financing_merchants_read`: colons and dots are not for names there. */
export const relationOf = (permission: Permission): string => permission.replace(/^org:/, "").replaceAll(/[^a-z]/g, "_");

/** Encoded, so that no id of a stranger's choosing reads as another object or as a set of users. */
const objectOf = ({ type, id }: Resource): string => `${type}:${encodeURIComponent(id)}`;
