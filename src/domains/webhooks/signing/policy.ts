// The signatures of deliveries and their secrets. Every attempt is signed here, over exactly the bytes that are sent, in two schemes.
// The HMAC key of X-Service-Signature is the whole `whsec_...` string as text; that of Standard Webhooks is the decoded base64 after
// the prefix.

import { fromBase64, fromHex, toBase64, utf8 } from "../../../shared/bytes";
import { hmacSha256Hex, SIGNATURE_HEADER, webhookDigest } from "../../../webhook-verify/verify";

export const SECRET_PREFIX = "whsec_";
export const SECRET_BYTES = 32;
/** Normally one key; two while a receiver switches from the old one to the new one. */
export const MAX_ACTIVE_KEYS = 2;

const TAIL = 4;

/**
 * @param secrets the secrets of the active keys, newest first
 * @param now real time in ms, taken right before the request, because receivers do not know the sandbox clock
 */
export async function signatureHeader(secrets: readonly string[], body: Uint8Array, now: number): Promise<string> {
	const timestamp = String(Math.floor(now / 1000));
	const digests = await Promise.all(secrets.map((secret) => webhookDigest(secret, timestamp, body)));
	return [`t=${timestamp}`, ...digests.map((digest) => `v1=${digest}`)].join(",");
}

/**
 * The signature headers of one request: ours, and those of Standard Webhooks, which signs `<id>.<timestamp>.<body>`.
 *
 * @param secrets the secrets of the active keys, newest first
 * @param now as for `signatureHeader`
 */
export async function signatureHeaders(
	secrets: readonly string[],
	{ id, body }: { id: string; body: Uint8Array },
	now: number,
): Promise<Record<string, string>> {
	const timestamp = String(Math.floor(now / 1000));
	const signed = joined(utf8(`${id}.${timestamp}.`), body);
	const [own, ...standard] = await Promise.all([
		signatureHeader(secrets, body, now),
		...secrets.map((secret) => standardSignature(secret, signed)),
	]);
	return { [SIGNATURE_HEADER]: own, "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": standard.join(" ") };
}

async function standardSignature(secret: string, signed: Uint8Array<ArrayBuffer>): Promise<string> {
	// Older secrets are base64url, which this reads too.
	const key = fromBase64(secret.slice(SECRET_PREFIX.length));
	if (!key) throw new Error("a signing secret is not base64");
	return `v1,${toBase64(fromHex(await hmacSha256Hex(key, signed)))}`;
}

function joined(start: Uint8Array, end: Uint8Array): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(start.length + end.length);
	bytes.set(start);
	bytes.set(end, start.length);
	return bytes;
}

/** @param randomBytes 32 bytes from a cryptographic source */
export function mintSecret(randomBytes: Uint8Array): string {
	if (randomBytes.length !== SECRET_BYTES) throw new RangeError(`a secret needs ${SECRET_BYTES} random bytes`);
	return SECRET_PREFIX + toBase64(randomBytes);
}

/** The part of a secret that may be stored and shown in plain text, so that listing keys needs no decryption. */
export function secretTail(secret: string): string {
	return secret.slice(-TAIL);
}

export function maskedSecret(tail: string): string {
	return `${SECRET_PREFIX}...${tail}`;
}
