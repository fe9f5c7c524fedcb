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
import { BoundedCache } from "../shared/cache";
import type { Permission } from "../shared/permissions";

const TIMEOUT_MS = 2_000;
const allowed = new BoundedCache<true>(5_000, 30_000);
const denied = new BoundedCache<true>(5_000, 5_000);

const Answer = z.object({ allowed: z.boolean() });

export function openFga(config: Config, fetch: Fetch, realNow: number, log: Log): AuthorizationProvider {
	return {
		name: "openfga",
		async check(question) {
			const { subject, permission, resource, write } = question;
			const key = JSON.stringify([subject.userId, permission, resource.type, objectOf(resource)]);
			if (!write && allowed.get(key, realNow)?.fresh) return "ALLOW";
			if (!write && denied.get(key, realNow)?.fresh) return "DENY";
			try {
				const decision = await ask(config, fetch, question);
				const [remembered, other] = decision === "ALLOW" ? [allowed, denied] : [denied, allowed];
				other.delete(key);
				remembered.set(key, true, realNow);
				return decision;
			} catch (error) {
				log.error("authorization provider failed", error, {
					provider: "openfga",
					reason: error instanceof AuthorizationFailure ? error.message : "unexpected",
				});
				throw error;
			}
		},
	};
}

async function ask(config: Config, fetch: Fetch, question: Question): Promise<Decision> {
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
		// The token is for this address, not for one that it redirects to.
		redirect: "manual",
		signal,
	} as const;
	const url = `${OPENFGA_URL.replace(/\/+$/, "")}/stores/${encodeURIComponent(OPENFGA_STORE_ID)}/check`;
	const first = await attempt(fetch, url, request);
	const response = first.again && !signal.aborted ? await attempt(fetch, url, request) : first;
	if (signal.aborted) throw new AuthorizationFailure("timed out");
	if (response.again) throw new AuthorizationFailure(response.reason);
	const answer = Answer.safeParse(await response.json().catch(() => undefined));
	if (signal.aborted) throw new AuthorizationFailure("timed out");
	if (!answer.success) throw new AuthorizationFailure("malformed answer");
	return answer.data.allowed ? "ALLOW" : "DENY";
}

type Attempt = { again: true; reason: string } | { again: false; json(): Promise<unknown> };

/** `again`: another try may help, because there was no answer, or a temporary failure. */
async function attempt(fetch: Fetch, url: string, request: RequestInit): Promise<Attempt> {
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

/** `org:financing.merchants:read` is the relation `financing_merchants_read`: OpenFGA allows no colons and dots in names. */
export const relationOf = (permission: Permission): string => permission.replace(/^org:/, "").replaceAll(/[^a-z]/g, "_");

/** Encoded, so that no id reads as another object or as a set of users. */
const objectOf = ({ type, id }: Resource): string => `${type}:${encodeURIComponent(id)}`;
