// Makes delivery attempts: claim, check the address, send, record the outcome. An outcome waits up to 100 ms for others
// to share its commit, but never longer for a receiver that has not responded.

import { ConnectionFailed, type Lane, LOOKUP_CONNECTIONS } from "../../../runtime/ports";
import { atPresent, type JobServices } from "../../../runtime/services";
import { judgeUrl } from "../../../shared/addresses";
import { utf8 } from "../../../shared/bytes";
import { BoundedCache } from "../../../shared/cache";
import type { Outcome } from "../../../shared/webhook-states";
import type { StaticHeaders } from "../endpoints/headers.policy";
import { AT_ATTEMPT } from "../endpoints/resolution.policy";
import { openHeaders } from "../endpoints/store";
import { isInTime } from "../signing/expiry.policy";
import { signatureHeaders } from "../signing/policy";
import { secretContext } from "../signing/store";
import { countEnds } from "../statistics/store";
import { type Begun, type Claimed, claim, type Ended, endAttempt, markSlow } from "./attempt.store";
import { connectionErrorBehind, connectionErrorBy, outcomeOfError, outcomeOfStatus, retryAfterMs } from "./policy";
import { readResponseBody } from "./response-body.policy";

/** Cloudflare allows six open connections in an invocation, DNS look-ups included. */
export const ATTEMPTS_AT_ONCE = Math.floor(6 / LOOKUP_CONNECTIONS);

const GROUP_WAIT_MS = 100;
/** An endpoint that takes longer counts as failing: its next first attempts go to the RETRY lane. */
const SLOW_MS = 2_000;
/** Endpoints that this isolate has just marked as slow, so that of many attempts hanging at once only one writes to D1. */
const markedSlow = new BoundedCache<true>(1_000, SLOW_MS);
const STORAGE_RETRIES_MS = [100, 400, 1_600];

/**
 * Makes one attempt for each of the deliveries that is due. Claims only as many as it can attempt at once. Resolves when all are
 * claimed, with two promises: `ended` resolves when all attempts have ended, `endedOrSlow` when each has ended or turned out slow.
 * Rejects when a claim fails; attempts already claimed continue.
 *
 * @param onClaimed called with the ids of each claim after D1 has stored it
 */
export async function startAttempts(
	services: JobServices,
	ids: readonly string[],
	lane: Lane | undefined,
	onClaimed: (ids: readonly string[]) => void = () => {},
): Promise<{ ended: Promise<void>; endedOrSlow: Promise<void> }> {
	const recorder = new Recorder(services);
	const underWay = new Set<Promise<void>>();
	const endedOrSlow: Promise<void>[] = [];
	const waiting = [...new Set(ids)];
	while (waiting.length > 0) {
		if (underWay.size >= ATTEMPTS_AT_ONCE) await Promise.race(underWay);
		const next = waiting.splice(0, ATTEMPTS_AT_ONCE - underWay.size);
		const claimed = await claim(atPresent(services), next, lane);
		onClaimed(next);
		for (const attempt of claimed) {
			const slow = Promise.withResolvers<void>();
			const run = carryOut(services, attempt, recorder, slow.resolve).finally(() => underWay.delete(run));
			underWay.add(run);
			endedOrSlow.push(Promise.race([run, slow.promise]));
		}
	}
	return { ended: Promise.all(underWay).then(() => {}), endedOrSlow: Promise.all(endedOrSlow).then(() => {}) };
}

/** Never rejects: one that breaks leaves its claim to expire and nobody else waiting. */
async function carryOut(services: JobServices, attempt: Claimed, recorder: Recorder, onSlow: () => void): Promise<void> {
	recorder.began();
	let ended: Ended | undefined;
	try {
		ended = await send(services, attempt, onSlow);
		const { outcome, responseStatus, durationMs } = ended;
		services.log.info("webhook attempt", {
			delivery_id: attempt.id,
			url: attempt.url,
			outcome,
			status: responseStatus,
			duration_ms: durationMs,
		});
	} catch (error) {
		services.log.error("an attempt failed with an internal error", error, { delivery_id: attempt.id });
	}
	await recorder.record(attempt, ended);
}

async function send(services: JobServices, attempt: Claimed, onSlow: () => void): Promise<Ended> {
	const { config } = services;
	const began = Date.now();
	const failed = (outcome: Outcome): Ended => ({ outcome, durationMs: Date.now() - began, responseStatus: null, responseBody: null });

	const verdict = judgeUrl(attempt.url, {
		allowedPorts: config.WEBHOOK_ALLOWED_PORTS,
		allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
	});
	if (!verdict.ok) return failed("BLOCKED_ADDRESS");
	if (verdict.kind === "name") {
		const next = AT_ATTEMPT[await services.providers.nameResolver.judge(verdict.hostname)];
		if (next !== "SEND") return { ...failed(next), connectionError: "DNS" };
	}
	const [secrets, headers] = await Promise.all([openSecrets(services, attempt), openHeaders(services, attempt)]);
	if (secrets.length === 0) throw new Error("no signing key is active and can be decrypted");
	return request(services, attempt, { secrets, headers }, onSlow);
}

/** What an endpoint keeps sealed, opened. */
type Opened = { secrets: readonly string[]; headers: StaticHeaders };

async function request(services: JobServices, attempt: Claimed, { secrets, headers }: Opened, onSlow: () => void): Promise<Ended> {
	const body = utf8(attempt.body);
	const signatures = await signatureHeaders(secrets, { id: attempt.id, body }, Date.now());
	const deadline = AbortSignal.timeout(attempt.timeoutMs);
	const slow = setTimeout(() => {
		onSlow();
		const { webhookId } = attempt;
		if (markedSlow.get(webhookId, Date.now())?.fresh) return;
		markedSlow.set(webhookId, true, Date.now());
		services.afterwards(services.commit([markSlow(services, webhookId)]));
	}, SLOW_MS);
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
			},
			body,
			signal: deadline,
		});
		const durationMs = Date.now() - began;
		return {
			outcome: outcomeOfStatus(response.status),
			connectionError: connectionErrorBehind(response),
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
	} finally {
		clearTimeout(slow);
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

/** Records the ends of attempts in D1: one commit for those that end within 100 ms of each other. */
class Recorder {
	readonly #services: JobServices;
	#underWay = 0;
	#group: { attempts: [Begun, Ended][]; full: () => void; done: Promise<void> } | undefined;

	constructor(services: JobServices) {
		this.#services = services;
	}

	began(): void {
		this.#underWay++;
	}

	/** Without an end, nothing is recorded and the claim expires. */
	async record(attempt: Begun, ended: Ended | undefined): Promise<void> {
		this.#underWay--;
		const group = ended ? this.#join(attempt, ended) : this.#group;
		// No other attempt is running, so there is nothing to wait for.
		if (this.#underWay === 0) group?.full();
		await group?.done;
	}

	#join(attempt: Begun, ended: Ended) {
		if (!this.#group) {
			const { promise, resolve } = Promise.withResolvers<void>();
			const attempts: [Begun, Ended][] = [];
			const done = Promise.race([promise, scheduler.wait(GROUP_WAIT_MS)]).then(() => {
				this.#group = undefined;
				return recordEnds(this.#services, attempts);
			});
			this.#group = { attempts, full: resolve, done };
		}
		this.#group.attempts.push([attempt, ended]);
		return this.#group;
	}
}

/**
 * Commits the ends of attempts together, or each on its own when that fails, so that one bad record does not affect the others. Safe
 * to repeat: an end is stored once. Never rejects; an attempt whose end cannot be stored becomes INTERRUPTED when its claim expires.
 */
export async function recordEnds(services: JobServices, attempts: readonly [Begun, Ended][]): Promise<void> {
	const commit = async (some: readonly [Begun, Ended][]) => {
		const present = atPresent(services);
		await present.commit([...countEnds(present, some), ...some.flatMap(([attempt, ended]) => endAttempt(present, attempt, ended))]);
	};
	try {
		return await commit(attempts);
	} catch (error) {
		services.log.error("outcomes of attempts could not be stored; retrying", error);
	}
	await Promise.all(
		attempts.map(async ([attempt, ended]) => {
			for (const delayMs of STORAGE_RETRIES_MS) {
				try {
					await scheduler.wait(delayMs);
					return await commit([[attempt, ended]]);
				} catch (error) {
					services.log.error("the outcome of an attempt could not be stored", error, { delivery_id: attempt.id, outcome: ended.outcome });
				}
			}
		}),
	);
}
