/**
 * The X-Service-Signature header and its secrets. Every attempt is signed here, over exactly the bytes that are sent. The HMAC key is
 * the whole `whsec_...` string as text, including the prefix; it is never base64-decoded.
 */
import { toBase64Url } from "../../../shared/bytes";
import { webhookDigest } from "../../../webhook-verify/verify";

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

/** @param randomBytes 32 bytes from a cryptographic source */
export function mintSecret(randomBytes: Uint8Array): string {
	if (randomBytes.length !== SECRET_BYTES) throw new RangeError(`a secret needs ${SECRET_BYTES} random bytes`);
	return SECRET_PREFIX + toBase64Url(randomBytes);
}

/** The part of a secret that may be stored and shown in plain text, so that listing keys needs no decryption. */
export function secretTail(secret: string): string {
	return secret.slice(-TAIL);
}

export function maskedSecret(tail: string): string {
	return `${SECRET_PREFIX}...${tail}`;
}
