// Makes one attempt of a delivery that is claimed: signs its bytes, sends them, and says how it ended. Between the claim and the request
// nothing is awaited but the signature, so what a request uses is what the claim has read.

import { atPresent } from "../../../runtime/making-services";
import { ConnectionFailed, LOOKUP_CONNECTIONS } from "../../../runtime/ports";
import type { JobServices } from "../../../runtime/services";
import { judgeUrl } from "../../../shared/addresses";
import { utf8 } from "../../../shared/bytes";
import { BoundedCache } from "../../../shared/cache";
import { withDeadline } from "../../../shared/deadline";
import type { Outcome } from "../../../shared/webhook-states";
import type { Ended } from "../attempts/end.policy";
import { connectionErrorBy, outcomeOfError, outcomeOfStatus, retryAfterMs, SLOW_MS } from "../attempts/policy";
import type { StaticHeaders } from "../endpoints/headers.policy";
import { AT_ATTEMPT } from "../endpoints/resolution.policy";
import { openHeaders } from "../endpoints/store";
import { isInTime } from "../signing/expiry.policy";
import { signatureHeaders } from "../signing/policy";
import { secretContext } from "../signing/store";
import { markSlow } from "./attempt.store";
import type { Claimed } from "./claim.store";
import { readResponseBody } from "./response-body.policy";

/** Endpoints that this isolate has just marked as slow, so that of many attempts hanging at once only one writes to D1. */
const markedSlow = new BoundedCache<true>(1_000, SLOW_MS);

/** What the addresses behind a URL say: whether it may be called, or what an attempt there has led to instead. */
export type Judged = { next: "SEND" | Outcome; durationMs: number };

/** Looks the URL's name up. Undefined when slow receivers hold the connections that this takes. Never rejects. */
export async function judge({ config, providers, connections }: JobServices, url: string): Promise<Judged | undefined> {
	const began = Date.now();
	const judged = (next: Judged["next"]): Judged => ({ next, durationMs: Date.now() - began });
	const verdict = judgeUrl(url, { allowedPorts: config.WEBHOOK_ALLOWED_PORTS, allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS });
	if (!verdict.ok) return judged("BLOCKED_ADDRESS");
	if (verdict.kind !== "name") return judged("SEND");
	if (!(await connections.take(LOOKUP_CONNECTIONS, SLOW_MS))) return undefined;
	try {
		return judged(AT_ATTEMPT[await providers.nameResolver.judge(verdict.hostname)]);
	} finally {
		connections.give(LOOKUP_CONNECTIONS);
	}
}

/**
 * How the attempt ended; undefined when it broke, which leaves its claim to expire. Never rejects.
 *
 * @param onSlow called when the endpoint has not answered for two seconds
 */
export async function attemptOnce(
	services: JobServices,
	attempt: Claimed,
	{ next, durationMs }: Judged,
	onSlow: () => void,
): Promise<Ended | undefined> {
	try {
		const ended =
			next === "SEND" ? await send(services, attempt, onSlow) : { ...unanswered(next), durationMs, connectionError: "DNS" as const };
		services.log.info("webhook attempt", {
			delivery_id: attempt.id,
			url: attempt.url,
			outcome: ended.outcome,
			status: ended.responseStatus,
			duration_ms: ended.durationMs,
		});
		return ended;
	} catch (error) {
		services.log.error("an attempt failed with an internal error", error, { delivery_id: attempt.id });
		return undefined;
	}
}

const unanswered = (outcome: Outcome): Ended => ({ outcome, durationMs: null, responseStatus: null, responseBody: null });

const UNSIGNED = "The service could not sign the delivery; the endpoint did not receive it.";

async function send(services: JobServices, attempt: Claimed, onSlow: () => void): Promise<Ended> {
	const opened = await open(services, attempt);
	return opened ? request(services, attempt, opened, onSlow) : { ...unanswered("INTERRUPTED"), durationMs: 0, failure: UNSIGNED };
}

/** What an endpoint keeps sealed, opened. */
type Opened = { secrets: readonly string[]; headers: StaticHeaders };

/** Undefined when it cannot be decrypted: our failure, not the endpoint's. */
async function open(services: JobServices, attempt: Claimed): Promise<Opened | undefined> {
	try {
		const [secrets, headers] = await Promise.all([openSecrets(services, attempt), openHeaders(services, attempt)]);
		return secrets.length > 0 ? { secrets, headers } : undefined;
	} catch (error) {
		services.log.error("what an endpoint keeps sealed cannot be decrypted", error, { webhook_id: attempt.webhookId });
		return undefined;
	}
}

async function request(services: JobServices, attempt: Claimed, opened: Opened, onSlow: () => void): Promise<Ended> {
	const slow = setTimeout(() => {
		onSlow();
		if (attempt.isSlow || markedSlow.get(attempt.webhookId, Date.now())?.fresh) return;
		markedSlow.set(attempt.webhookId, true, Date.now());
		services.afterwards((job) => job.commit([markSlow(job, attempt)]));
	}, SLOW_MS);
	try {
		return await withDeadline(attempt.timeoutMs, (deadline) => exchange(services, attempt, opened, deadline));
	} finally {
		clearTimeout(slow);
	}
}

/** One request and its response. */
async function exchange(services: JobServices, attempt: Claimed, { secrets, headers }: Opened, deadline: AbortSignal): Promise<Ended> {
	const body = utf8(attempt.body);
	const signatures = await signatureHeaders(secrets, { id: attempt.id, body }, Date.now());
	const began = Date.now();
	try {
		const response = await services.providers.webhookSender.send({
			url: attempt.url,
			headers: {
				...headers,
				"Content-Type": "application/json",
				...signatures,
				"X-Service-Event-Type": attempt.eventType,
				"X-Service-Delivery-Id": attempt.id,
				...(attempt.afterFailed !== null && { "X-Service-After-Failed": attempt.afterFailed }),
			},
			body,
			signal: deadline,
		});
		const durationMs = Date.now() - began;
		return {
			outcome: outcomeOfStatus(response.status),
			durationMs,
			responseStatus: response.status,
			responseBody: await readResponseBody(response.body, deadline),
			retryAfterMs: retryAfterMs(response.status, response.headers.get("Retry-After"), Date.now()),
		};
	} catch (error) {
		const failure = error instanceof ConnectionFailed ? error.message : undefined;
		return {
			outcome: outcomeOfError(error),
			connectionError: error instanceof ConnectionFailed ? error.kind : connectionErrorBy(String(error)),
			durationMs: Date.now() - began,
			responseStatus: null,
			responseBody: null,
			failure,
		};
	}
}

/** Those of the active keys, newest first. One may have expired since the claim. */
async function openSecrets(services: JobServices, { organizationId, webhookId, keys: claimed }: Claimed): Promise<string[]> {
	const { config, log } = services;
	const { now } = atPresent(services);
	const keys = claimed.filter((key) => isInTime(key, now));
	const opened = await Promise.all(
		keys.map(({ id, sealedSecret }) =>
			config.keyring.open("webhook-secret", secretContext({ organizationId, webhookId, keyId: id }), sealedSecret),
		),
	);
	const secrets = opened.filter((secret) => secret !== undefined);
	if (secrets.length < keys.length) log.info("a signing key cannot be decrypted", { webhook_id: webhookId });
	return secrets;
}
