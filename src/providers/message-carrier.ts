// What a provider of messages does with one, in the words of the service.

import type { Ask, MessageCost, OutgoingMessage } from "../runtime/ports";

/**
 * TAKEN: it will send it. REFUSED: nobody can send it to this recipient. NOT_TAKEN: it certainly does not send it, and another may.
 * UNKNOWN: it may have taken it.
 */
export type Carried =
	| { readonly outcome: "TAKEN"; readonly reference: string | null; readonly cost: MessageCost | null }
	| { readonly outcome: "REFUSED" | "NOT_TAKEN" | "UNKNOWN" };

export interface MessageCarrier {
	readonly provider: string;
	carries(message: Pick<OutgoingMessage, "channel" | "recipient">): boolean;
	carry(message: OutgoingMessage): Promise<Carried>;
}

const TIMEOUT_MS = 5_000;

/** The status and the JSON body of the provider's answer; undefined without a readable one. */
export async function answerOf(
	ask: Ask,
	url: string,
	headers: Readonly<Record<string, string>>,
	body: string | URLSearchParams,
): Promise<{ readonly status: number; readonly body: unknown } | undefined> {
	try {
		const form = typeof body === "string" ? "application/json" : "application/x-www-form-urlencoded";
		const request = { method: "POST", headers: { Accept: "application/json", "Content-Type": form, ...headers }, body: String(body) };
		return await ask(url, { ...request, timeoutMs: TIMEOUT_MS }, async (response) => {
			const text = await response.text();
			return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : null };
		});
	} catch {
		return undefined;
	}
}

/** What a refusal of the whole request means: by 4xx the provider did nothing, by anything else it may have done it. */
export const refusalBy = (status: number): Carried => ({ outcome: status >= 400 && status < 500 ? "NOT_TAKEN" : "UNKNOWN" });
