// The secrets with which deliveries are signed (signer.crypto.ts).

import { toBase64 } from "../../../shared/bytes";

export { SIGNATURE_HEADER } from "../../../webhook-verify/verify";

export const SECRET_PREFIX = "whsec_";
export const SECRET_BYTES = 32;
/** Normally one key; two while a receiver switches from the old one to the new one. */
export const MAX_ACTIVE_KEYS = 2;

const TAIL = 4;

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
