/**
 * The X-Service-Signature header, and the secrets behind it. Every attempt is signed here and nowhere else, over the bytes
 * that are sent. Surprising: the HMAC key is the whole `whsec_...` string, its prefix included, and is never decoded.
 */
import { toBase64Url } from "../../../shared/bytes";
import { webhookDigest } from "../../../webhook-verify/verify";

export const SECRET_PREFIX = "whsec_";
export const SECRET_BYTES = 32;
/** One key normally, two while a receiver moves from the old one to the new. */
export const MAX_ACTIVE_KEYS = 2;

const TAIL = 4;

/**
 * @param secrets those of the active keys, newest first
 * @param now unix milliseconds of real time, taken right before the request: the receiver knows no sandbox clock
 */
export async function signatureHeader(secrets: readonly string[], body: Uint8Array, now: number): Promise<string> {
	const timestamp = String(Math.floor(now / 1000));
	const digests = await Promise.all(secrets.map((secret) => webhookDigest(secret, timestamp, body)));
	return [`t=${timestamp}`, ...digests.map((digest) => `v1=${digest}`)].join(",");
}

/** @param randomBytes 32 bytes from a cryptographic source */
export function mintSecret(randomBytes: Uint8Array): string {
	if (randomBytes.length !== SECRET_BYTES) throw new RangeError(`a secret is made of ${SECRET_BYTES} random bytes`);
	return SECRET_PREFIX + toBase64Url(randomBytes);
}

/** The part of a secret that may be stored and shown in the clear, so that no list ever decrypts. */
export function secretTail(secret: string): string {
	return secret.slice(-TAIL);
}

export function maskedSecret(tail: string): string {
	return `${SECRET_PREFIX}...${tail}`;
}
