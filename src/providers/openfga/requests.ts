// The requests to OpenFGA's HTTP API. Both tries together take 2 s at most, and every answer but a well-formed one is a failure.

import * as z from "zod";
import type { Config } from "../../runtime/config";
import type { Log } from "../../runtime/log";
import { AuthorizationFailure, type Fetch, type Resource } from "../../runtime/ports";
import { sha256Hex } from "../../shared/bytes";
import { parseJson } from "../../shared/json";
import { textWithin } from "../bounded-text";

const TIMEOUT_MS = 2_000;
const MAX_REFUSAL_BYTES = 4_096;

/** Logs a failure, with what the provider said of it. */
export async function logged<T>(log: Log, asked: Promise<T>): Promise<T> {
	try {
		return await asked;
	} catch (error) {
		const { message, said } = error instanceof AuthorizationFailure ? error : new AuthorizationFailure("unexpected");
		log.error("authorization provider failed", error, { provider: "openfga", reason: message, ...said });
		throw error;
	}
}

/** What the store answers; undefined where that is not JSON. */
export async function answerTo(
	what: "check" | "batch-check" | "write",
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
		// The token is for this address, not for an address to which it redirects.
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

export const saying = (code: string, message: string): AuthorizationFailure["said"] => ({
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
 * The resource in OpenFGA. A merchant's id is its lender's own text: the lender's id before it separates two lenders that use the same one,
 * and its digest reads as no other object, with any characters and any length.
 */
export const objectOf = async (resource: Resource): Promise<string> =>
	resource.type === "merchant"
		? `merchant:${resource.organizationId}/${await sha256Hex(resource.id)}`
		: `organization:${encodeURIComponent(resource.id)}`;
