// The format of API keys. The ids in a key are unverified until its hash is compared.

import { fromBase64, fromHex, toBase64Url, toHex } from "../shared/bytes";
import { uuidOfHex } from "../shared/ids";

const API_KEY = /^sk_([\w-]{75})$/;

/**
 * Makes an API key. It carries the ids of its organization and of itself before its 24 secret bytes, so that a
 * request can read what belongs to the organization together with the key.
 */
export function mintApiKey(organizationId: string, keyId: string): string {
	const ids = fromHex(`${organizationId}${keyId}`.replaceAll("-", ""));
	const secret = crypto.getRandomValues(new Uint8Array(24));
	const bytes = new Uint8Array(ids.length + secret.length);
	bytes.set(ids);
	bytes.set(secret, ids.length);
	return `sk_${toBase64Url(bytes)}`;
}

/** The ids that a key claims; undefined when the text is not a key. */
export function readApiKey(key: string): { organizationId: string; keyId: string } | undefined {
	const bytes = fromBase64(API_KEY.exec(key)?.[1] ?? "");
	if (bytes?.length !== 56) return undefined;
	return { organizationId: uuidOfHex(toHex(bytes.subarray(0, 16))), keyId: uuidOfHex(toHex(bytes.subarray(16, 32))) };
}
