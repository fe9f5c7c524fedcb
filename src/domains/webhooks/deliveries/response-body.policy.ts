// Reads the part of a receiver's response body that is stored. The status alone decides the attempt, so no problem with the body
// makes it fail; a body that stalls or breaks off is stored as far as it arrived.

export const MAX_RESPONSE_BODY_BYTES = 1_024;

/**
 * The first 1,024 bytes, or `most`, as whole characters; the rest is cancelled unread. Null when there is no body. Never rejects.
 *
 * @param deadline the attempt's signal: reading stops when it fires
 */
export async function readResponseBody(
	body: ReadableStream<Uint8Array> | null,
	deadline: AbortSignal,
	most = MAX_RESPONSE_BODY_BYTES,
): Promise<string | null> {
	if (body === null || body.locked) return null;
	const reader = body.getReader();
	const kept = new Uint8Array(most);
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
		// The connection broke off: keep what has arrived.
	}
	// Not awaited, because the cancellation of a stalled source may stall too.
	if (!ended) reader.cancel().catch(() => {});
	return shortened(decode(kept.subarray(0, length), ended), most);
}

/** Drops a character that the cut at the limit split, and replaces bytes that are not valid UTF-8. */
function decode(bytes: Uint8Array, ended: boolean): string {
	return new TextDecoder("utf-8", { ignoreBOM: true, fatal: false }).decode(bytes, { stream: !ended });
}

/** The first bytes of a text. It may have more bytes than the body it was read from, because a replacement character takes three. */
export function shortened(text: string, most = MAX_RESPONSE_BODY_BYTES): string {
	const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most));
	return text.slice(0, read);
}
