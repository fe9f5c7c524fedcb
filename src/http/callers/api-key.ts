// The format of API keys: the ids of the organization and of the key, 24 secret bytes, and a keyed checksum. The checksum shows
// without a look-up that this service made the key, so made-up keys never reach D1. Whether a key is valid is decided by its hash.

import { fromBase64, fromHex, toBase64Url, toHex } from "../../shared/bytes";
import { uuidOfHex } from "../../shared/ids";
import type { Keyring } from "../../shared/keyring";

const API_KEY = /^(sk_([\w-]{75}))([\w-]{11})$/;

export async function mintApiKey(keyring: Keyring, organizationId: string, keyId: string): Promise<string> {
	const ids = fromHex(`${organizationId}${keyId}`.replaceAll("-", ""));
	const secret = crypto.getRandomValues(new Uint8Array(24));
	const bytes = new Uint8Array(ids.length + secret.length);
	bytes.set(ids);
	bytes.set(secret, ids.length);
	const text = `sk_${toBase64Url(bytes)}`;
	return `${text}${await keyring.check("api-key", text)}`;
}

/** The ids in a key that this service made; undefined for every other text. */
export async function readApiKey(keyring: Keyring, key: string): Promise<{ organizationId: string; keyId: string } | undefined> {
	const [, text = "", body = "", checksum = ""] = API_KEY.exec(key) ?? [];
	const bytes = fromBase64(body);
	if (bytes?.length !== 56 || !(await keyring.verifyCheck("api-key", text, checksum))) return undefined;
	return { organizationId: uuidOfHex(toHex(bytes.subarray(0, 16))), keyId: uuidOfHex(toHex(bytes.subarray(16, 32))) };
}
