// The signatures of deliveries. Every attempt is signed here, over exactly the bytes that are sent, in two schemes.
// The HMAC key of X-Service-Signature is the whole `whsec_...` string as text; that of Standard Webhooks is the decoded base64 after
// the prefix.

import { fromBase64, toBase64, toHex, utf8 } from "../../../shared/bytes";
import { SECRET_PREFIX, SIGNATURE_HEADER } from "./policy";

/** A secret as the keys of the two schemes, which give it away to nobody. */
export type Signer = { readonly own: CryptoKey; readonly standard: CryptoKey };

export async function signerOf(secret: string): Promise<Signer> {
	// Older secrets are base64url, which this reads too.
	const standard = fromBase64(secret.slice(SECRET_PREFIX.length));
	if (!standard) throw new Error("a signing secret is not base64");
	return { own: await imported(utf8(secret)), standard: await imported(standard) };
}

const imported = (key: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
	crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

const digest = async (key: CryptoKey, start: string, body: Uint8Array): Promise<Uint8Array> =>
	new Uint8Array(await crypto.subtle.sign("HMAC", key, joined(utf8(start), body)));

/**
 * @param signers of the active keys, newest first
 * @param now real time in ms, taken right before the request, because receivers do not know the sandbox clock
 */
export async function signatureHeader(signers: readonly Pick<Signer, "own">[], body: Uint8Array, now: number): Promise<string> {
	const timestamp = secondsOf(now);
	const digests = await Promise.all(signers.map(({ own }) => digest(own, `${timestamp}.`, body)));
	return [`t=${timestamp}`, ...digests.map((each) => `v1=${toHex(each)}`)].join(",");
}

/**
 * The signature headers of one request: ours, and those of Standard Webhooks, which signs `<id>.<timestamp>.<body>`.
 *
 * @param signers of the active keys, newest first
 * @param now as for `signatureHeader`
 */
export async function signatureHeaders(
	signers: readonly Signer[],
	{ id, body }: { id: string; body: Uint8Array },
	now: number,
): Promise<Record<string, string>> {
	const timestamp = secondsOf(now);
	const [own, ...standard] = await Promise.all([
		signatureHeader(signers, body, now),
		...signers.map((signer) => digest(signer.standard, `${id}.${timestamp}.`, body)),
	]);
	const signatures = standard.map((each) => `v1,${toBase64(each)}`);
	return { [SIGNATURE_HEADER]: own, "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

const secondsOf = (now: number): string => String(Math.floor(now / 1000));

function joined(start: Uint8Array, end: Uint8Array): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(start.length + end.length);
	bytes.set(start);
	bytes.set(end, start.length);
	return bytes;
}
