// Posts an instruction to a provider, signed by the webhook scheme with the secret that both know.

import type { Ask } from "../runtime/ports";
import { SIGNATURE_HEADER, webhookDigest } from "../webhook-verify/verify";

const TIMEOUT_MS = 10_000;

/** `secret`: undefined leaves the signature out. */
export type SignedPost = { url: string; secret: string | undefined; reference: string; body: string; realNow: number };

/** Answers that are about the instruction itself: repeating it cannot help. All others may be temporary. */
const REFUSALS: readonly number[] = [409, 422];

/** TAKEN: the provider answered 2xx. REFUSED: it will never do what the instruction says. Never rejects. */
export async function postSigned(
	ask: Ask,
	{ url, secret, reference, body, realNow }: SignedPost,
): Promise<"TAKEN" | "REFUSED" | "UNKNOWN"> {
	const timestamp = String(Math.floor(realNow / 1000));
	const signature: Record<string, string> =
		secret === undefined ? {} : { [SIGNATURE_HEADER]: `t=${timestamp},v1=${await webhookDigest(secret, timestamp, body)}` };
	try {
		const headers = { "Content-Type": "application/json", "Idempotency-Key": reference, ...signature };
		return await ask(url, { method: "POST", headers, body, timeoutMs: TIMEOUT_MS }, async (response) => {
			await response.body?.cancel();
			if (response.ok) return "TAKEN";
			return REFUSALS.includes(response.status) ? "REFUSED" : "UNKNOWN";
		});
	} catch {
		return "UNKNOWN";
	}
}
