/**
 * Verifies that a webhook request came from this service. Copy this file: it has no imports and needs only Web Crypto
 * (Node 20, Workers, Deno, browsers). An unusable header is a refusal with a reason, never an exception.
 *
 * In a Worker:
 *
 * ```ts
 * export default {
 * 	async fetch(request, env) {
 * 		const body = await request.text();
 * 		const verdict = await verifyWebhook(request.headers.get(SIGNATURE_HEADER), body, [env.WEBHOOK_SECRET], Date.now() / 1000);
 * 		if (!verdict.valid) return new Response(verdict.reason, { status: 401 });
 * 		for (const delivery of deliveriesIn(body)) await process(delivery);
 * 		return new Response(null, { status: 204 });
 * 	},
 * };
 * ```
 *
 * In a Node http server:
 *
 * ```ts
 * createServer(async (request, response) => {
 * 	const chunks = [];
 * 	for await (const chunk of request) chunks.push(chunk);
 * 	const body = Buffer.concat(chunks);
 * 	const verdict = await verifyWebhook(request.headers["x-service-signature"], body, [process.env.WEBHOOK_SECRET], Date.now() / 1000);
 * 	response.writeHead(verdict.valid ? 204 : 401).end();
 * }).listen(8443);
 * ```
 */

export const SIGNATURE_HEADER = "X-Service-Signature";

/** What can be wrong with the header alone. */
export type HeaderRefusal = "MISSING_HEADER" | "MALFORMED_HEADER" | "MISSING_TIMESTAMP" | "INVALID_TIMESTAMP" | "MISSING_SIGNATURE";

export type Refusal = HeaderRefusal | "MALFORMED_SIGNATURE" | "TIMESTAMP_TOO_OLD" | "TIMESTAMP_IN_FUTURE" | "NO_SECRET" | "NO_MATCH";

/** `keyIndex` is the index, in `secrets`, of the first secret that matched. */
export type Verification = { valid: true; timestamp: number; keyIndex: number } | { valid: false; reason: Refusal };

export type WebhookBody = string | ArrayBuffer | ArrayBufferView;

/** `timestampText` is `t` as sent: the digest covers its exact digits, leading zeros too. */
export type ParsedSignature =
	| { valid: true; timestamp: number; timestampText: string; signatures: string[] }
	| { valid: false; reason: HeaderRefusal };

const DIGEST = /^[0-9a-f]{64}$/;
/** Made when it is used: some runtimes that only import this file have none. */
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Reads `t=<unix seconds>,v1=<hex>[,v1=<hex>...]` and ignores schemes other than `v1`. Takes any value and never throws. */
export function parseSignatureHeader(header: unknown): ParsedSignature {
	if (header === undefined || header === null || header === "") return { valid: false, reason: "MISSING_HEADER" };
	if (typeof header !== "string") return { valid: false, reason: "MALFORMED_HEADER" };

	const pairs = header.split(",").map((part) => /^([^=]+)=(.*)$/s.exec(part.trim()));
	if (pairs.includes(null)) return { valid: false, reason: "MALFORMED_HEADER" };
	const valuesOf = (name: string) => pairs.flatMap((pair) => (pair?.[1] === name ? (pair[2] ?? "") : []));
	const [timestampText, ...repeated] = valuesOf("t");
	const signatures = valuesOf("v1");
	if (timestampText === undefined) return { valid: false, reason: "MISSING_TIMESTAMP" };
	// With two timestamps it is unclear which one was signed. A proxy that joins two headers also ends up here.
	if (repeated.length > 0) return { valid: false, reason: "MALFORMED_HEADER" };
	const timestamp = Number(timestampText);
	if (!/^[0-9]+$/.test(timestampText) || !Number.isSafeInteger(timestamp)) return { valid: false, reason: "INVALID_TIMESTAMP" };
	if (signatures.length === 0) return { valid: false, reason: "MISSING_SIGNATURE" };
	return { valid: true, timestamp, timestampText, signatures };
}

/** The types of browsers refuse memory that may be shared. */
type Bytes = Uint8Array<ArrayBuffer>;

/** Lower-case hex HMAC-SHA256 of `<timestamp>.<body>`. The key is the whole secret, `whsec_` included, as UTF-8. */
export async function webhookDigest(secret: string, timestamp: string, body: WebhookBody): Promise<string> {
	const start = encode(`${timestamp}.`);
	const bytes = bytesOf(body);
	const signed = new Uint8Array(start.length + bytes.length);
	signed.set(start);
	signed.set(bytes, start.length);
	return hmacSha256Hex(encode(secret), signed);
}

export async function hmacSha256Hex(key: Uint8Array, text: Uint8Array): Promise<string> {
	const imported = await crypto.subtle.importKey("raw", key as Bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
	const digest = new Uint8Array(await crypto.subtle.sign("HMAC", imported, text as Bytes));
	return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Accepts the request when a `v1` entry is the digest under one of `secrets` and `t` is within the tolerance, past or future.
 *
 * @param header value of `X-Service-Signature`, as the framework gives it
 * @param body the request's raw body; JSON that was parsed and serialised again has other bytes and does not match
 * @param secrets the secrets to accept; during a rotation the new and the old one
 * @param now unix seconds, `Date.now() / 1000`
 */
export async function verifyWebhook(
	header: string | readonly string[] | null | undefined,
	body: WebhookBody,
	secrets: readonly string[],
	now: number,
	toleranceSeconds = 300,
): Promise<Verification> {
	const parsed = parseSignatureHeader(header);
	if (!parsed.valid) return parsed;
	const { timestamp, timestampText } = parsed;

	const signatures = parsed.signatures.filter((signature) => DIGEST.test(signature));
	if (signatures.length === 0) return { valid: false, reason: "MALFORMED_SIGNATURE" };

	// Written as !(a <= b), so that NaN as now or tolerance refuses.
	const age = Math.floor(now) - timestamp;
	if (!(age <= toleranceSeconds)) return { valid: false, reason: "TIMESTAMP_TOO_OLD" };
	if (!(-age <= toleranceSeconds)) return { valid: false, reason: "TIMESTAMP_IN_FUTURE" };

	// Anyone can compute a digest under the empty key, or under "null": an unset variable must not let requests in.
	const given: readonly unknown[] = Array.isArray(secrets) ? secrets : [];
	if (!given.some(isSecret)) return { valid: false, reason: "NO_SECRET" };

	let keyIndex = -1;
	for (const [index, secret] of given.entries()) {
		if (!isSecret(secret)) continue;
		const expected = await webhookDigest(secret, timestampText, body);
		for (const signature of signatures) {
			if (equalDigests(expected, signature) && keyIndex === -1) keyIndex = index;
		}
	}
	return keyIndex === -1 ? { valid: false, reason: "NO_MATCH" } : { valid: true, timestamp, keyIndex };
}

/** Checked in spite of the types: a secret often comes from a variable that may not be set. */
const isSecret = (secret: unknown): secret is string => typeof secret === "string" && secret !== "";

/** What happened, in a request of its own or as one of a batch. */
export type WebhookDelivery = {
	/** The same in every attempt: of two deliveries with one id the second needs only a 2xx answer. */
	readonly delivery_id: string;
	readonly event_type: string;
	readonly payload_version: number;
	readonly sent_at: string;
	readonly organization_id: string;
	readonly data: unknown;
};

/**
 * The deliveries of a request that is verified: one, or those of a batch. To get some of a batch again, answer 2xx with
 * `{"failed": ["<delivery_id>"]}`.
 */
export function deliveriesIn<Delivery = WebhookDelivery>(body: WebhookBody): Delivery[] {
	const value = JSON.parse(new TextDecoder().decode(bytesOf(body)));
	return Array.isArray(value.deliveries) ? value.deliveries : [value];
}

/** Compares two hex digests of 64 characters in constant time. */
export function equalDigests(a: string, b: string): boolean {
	let difference = a.length ^ b.length;
	for (let i = 0; i < 64; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
	return difference === 0;
}

function bytesOf(body: WebhookBody): Uint8Array {
	if (typeof body === "string") return encode(body);
	if (body instanceof ArrayBuffer) return new Uint8Array(body);
	if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
	// Converted to a string, a parsed object would become "[object Object]" and never match.
	throw new TypeError("verifyWebhook needs the raw body, not parsed JSON");
}
