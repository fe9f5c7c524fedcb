// Makes the attempts of one claimed request: signs its bytes, sends them, and returns how the attempts ended. A request uses the URL, the
// headers and the keys that the claim has read.

import { listed } from "../../../runtime/log";
import { atPresent } from "../../../runtime/making-services";
import { ConnectionFailed, LOOKUP_CONNECTIONS } from "../../../runtime/ports";
import type { JobServices } from "../../../runtime/services";
import { judgeUrl } from "../../../shared/addresses";
import { utf8 } from "../../../shared/bytes";
import { BoundedCache } from "../../../shared/cache";
import { withDeadline } from "../../../shared/deadline";
import type { Keyring } from "../../../shared/keyring";
import type { Outcome } from "../../../shared/webhook-states";
import type { Ended } from "../attempts/end.policy";
import { connectionErrorBy, outcomeOfError, outcomeOfStatus, retryAfterMs, SLOW_MS } from "../attempts/policy";
import type { StaticHeaders } from "../endpoints/headers.policy";
import { AT_ATTEMPT } from "../endpoints/resolution.policy";
import { openHeaders } from "../endpoints/store";
import { isInTime } from "../signing/expiry.policy";
import { type Signer, signatureHeaders, signerOf } from "../signing/signer.crypto";
import { secretContext } from "../signing/store";
import { markSlow } from "./attempt.store";
import type { Claimed } from "./claim.store";
import { readResponseBody, shortened } from "./response-body.policy";
import { contentOf, endsIn, MAX_ANSWER_BYTES, type Sending } from "./sending.policy";

/** Endpoints that this isolate has just marked as slow, so that of many attempts hanging at once only one writes to D1. */
const markedSlow = new BoundedCache<true>(1_000, SLOW_MS);

/** The verdict on the addresses behind a URL: SEND if it may be called, otherwise the outcome of an attempt there. */
export type Judged = { next: "SEND" | Outcome; durationMs: number };

/** Looks up the host name of the URL. Undefined when slow receivers hold the connections that the look-up needs. Never rejects. */
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

/** How the attempts of one request ended. Empty after an internal error: then their claims expire. Never rejects. */
export async function attemptOnce(
	services: JobServices,
	sending: Sending<Claimed>,
	{ next, durationMs }: Judged,
): Promise<[Claimed, Ended][]> {
	const { first, deliveries } = sending;
	const about = {
		delivery_id: first.id,
		causes: listed(deliveries.map(({ cause }) => cause)),
		...(first.batchSize !== null && { deliveries: deliveries.length }),
	};
	try {
		const [ended, answer] = await (next === "SEND"
			? send(services, sending)
			: unread({ ...unanswered(next), durationMs, connectionError: "DNS" }));
		services.log.info("webhook attempt", {
			...about,
			webhook_id: first.webhookId,
			// The rest of an address often has the receiver's own token.
			host: new URL(first.url).host,
			outcome: ended.outcome,
			status: ended.responseStatus,
			duration_ms: ended.durationMs,
		});
		return endsIn(sending, ended, answer);
	} catch (error) {
		services.log.error("an attempt failed with an internal error", error, about);
		return [];
	}
}

/** How a request ended, with the text of the answer, which may name single deliveries of a batch. */
type Answered = readonly [ended: Ended, answer: string | null];

const unread = (ended: Ended): Answered => [ended, null];

const unanswered = (outcome: Outcome): Ended => ({ outcome, durationMs: null, responseStatus: null, responseBody: null });

const UNSIGNED = "The service could not sign the delivery; the endpoint did not receive it.";

async function send(services: JobServices, sending: Sending<Claimed>): Promise<Answered> {
	const opened = await open(services, sending.first);
	return opened ? request(services, sending, opened) : unread({ ...unanswered("INTERRUPTED"), durationMs: 0, failure: UNSIGNED });
}

/** The keys of an endpoint, and its decrypted headers. */
type Opened = { signers: readonly Signer[]; headers: StaticHeaders };

/** Undefined when decryption fails or no secret is left: the service's failure, not the endpoint's. */
async function open(services: JobServices, attempt: Claimed): Promise<Opened | undefined> {
	try {
		const [signers, headers] = await Promise.all([openSigners(services, attempt), openHeaders(services, attempt)]);
		return signers.length > 0 ? { signers, headers } : undefined;
	} catch (error) {
		services.log.error("what an endpoint keeps sealed cannot be decrypted", error, { webhook_id: attempt.webhookId });
		return undefined;
	}
}

async function request(services: JobServices, sending: Sending<Claimed>, opened: Opened): Promise<Answered> {
	const { first: attempt } = sending;
	const slow = setTimeout(() => {
		if (attempt.isSlow || markedSlow.get(attempt.webhookId, Date.now())?.fresh) return;
		markedSlow.set(attempt.webhookId, true, Date.now());
		services.afterwards((job) => job.commit([markSlow(job, attempt)]));
	}, SLOW_MS);
	try {
		return await withDeadline(attempt.timeoutMs, (deadline) => exchange(services, sending, opened, deadline));
	} finally {
		clearTimeout(slow);
	}
}

/** One request and its response. */
async function exchange(
	services: JobServices,
	sending: Sending<Claimed>,
	{ signers, headers }: Opened,
	deadline: AbortSignal,
): Promise<Answered> {
	const content = contentOf(sending, services.newId());
	const body = utf8(content.body);
	const signatures = await signatureHeaders(signers, { id: content.id, body }, Date.now());
	const began = Date.now();
	try {
		const response = await services.providers.webhookSender.send({
			url: sending.first.url,
			headers: { ...headers, "Content-Type": "application/json", ...signatures, ...content.headers },
			body,
			signal: deadline,
		});
		const durationMs = Date.now() - began;
		const read = await readResponseBody(response.body, deadline, sending.first.batchSize === null ? undefined : MAX_ANSWER_BYTES);
		const ended = {
			outcome: outcomeOfStatus(response.status),
			durationMs,
			responseStatus: response.status,
			responseBody: read && shortened(read),
			retryAfterMs: retryAfterMs(response.status, response.headers.get("Retry-After"), Date.now()),
		};
		return [ended, read];
	} catch (error) {
		const failure = error instanceof ConnectionFailed ? error.message : undefined;
		return unread({
			outcome: outcomeOfError(error),
			connectionError: error instanceof ConnectionFailed ? error.kind : connectionErrorBy(String(error)),
			durationMs: Date.now() - began,
			responseStatus: null,
			responseBody: null,
			failure,
		});
	}
}

/** Those of the keys that are still active, newest first: a key may have expired since the claim. */
async function openSigners(services: JobServices, { organizationId, webhookId, keys: claimed }: Claimed): Promise<Signer[]> {
	const { now } = atPresent(services);
	const keys = claimed.filter((key) => isInTime(key, now));
	const opened = await Promise.all(
		keys.map(({ id, sealedSecret }) => openSigner(services, secretContext({ organizationId, webhookId, keyId: id }), sealedSecret)),
	);
	const signers = opened.filter((signer) => signer !== undefined);
	if (signers.length < keys.length) services.log.info("a signing key cannot be decrypted", { webhook_id: webhookId });
	return signers;
}

const SIGNER_KEPT_MS = 10_000;

/** What attempts have just signed with, by what is stored of it: most attempts at an endpoint come together. The secrets' texts are not kept. */
const signersInUse = new BoundedCache<{ readonly by: Keyring; readonly signer: Signer }>(1_000, SIGNER_KEPT_MS);

/** Undefined when the secret cannot be decrypted. */
async function openSigner({ config: { keyring } }: JobServices, context: string, sealedSecret: string): Promise<Signer | undefined> {
	const stored = `${context}\n${sealedSecret}`;
	const known = signersInUse.get(stored, Date.now());
	if (known?.fresh && known.value.by === keyring) return known.value.signer;
	const secret = await keyring.open("webhook-secret", context, sealedSecret);
	if (secret === undefined) return undefined;
	const signer = await signerOf(secret);
	signersInUse.set(stored, { by: keyring, signer }, Date.now());
	return signer;
}
