/**
 * The part of a receiver's response body that is kept. Surprising: nothing that happens to the body is a failure, since the
 * status alone decides the attempt; a body that stalls or breaks off is kept as far as it came.
 */
export const MAX_RESPONSE_BODY_BYTES = 1_024;

/**
 * The first 1,024 bytes as whole characters; the rest is cancelled unread. Null when there is no body. Never rejects.
 *
 * @param deadline the attempt's own signal: what has not come when it fires is not waited for
 */
export async function readResponseBody(body: ReadableStream<Uint8Array> | null, deadline: AbortSignal): Promise<string | null> {
	if (body === null || body.locked) return null;
	const reader = body.getReader();
	const kept = new Uint8Array(MAX_RESPONSE_BODY_BYTES);
	let length = 0;
	let ended = false;

	const expired = new Promise<"EXPIRED">((resolve) => {
		if (deadline.aborted) resolve("EXPIRED");
		else deadline.addEventListener("abort", () => resolve("EXPIRED"), { once: true });
	});
	try {
		while (length < kept.length) {
			const next = await Promise.race([reader.read(), expired]);
			if (next === "EXPIRED") break;
			if (next.done) {
				ended = true;
				break;
			}
			const part = next.value.subarray(0, kept.length - length);
			kept.set(part, length);
			length += part.length;
		}
	} catch {
		// The connection broke off: what came before is all there is.
	}
	// Not awaited: a source that stalls may stall in its cancellation too.
	if (!ended) reader.cancel().catch(() => {});
	return decode(kept.subarray(0, length), ended);
}

/** A character that our own cut has split is dropped; bytes that are no UTF-8 at all are replaced. */
function decode(bytes: Uint8Array, ended: boolean): string {
	const text = new TextDecoder("utf-8", { ignoreBOM: true, fatal: false }).decode(bytes, { stream: !ended });
	// A replacement takes three bytes where one was, so that binary data would be kept at three times its size.
	const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_RESPONSE_BODY_BYTES));
	return text.slice(0, read);
}
