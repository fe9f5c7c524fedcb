// What a payment provider answered, with any meaning for money.

import type { Ask } from "../runtime/ports";
import { SECOND_MS } from "../shared/time";

const TIMEOUT_MS = 20 * SECOND_MS;

/** NONE: it was asked, and nothing came back. `body`: undefined where it is no JSON. */
export type ProviderAnswer = { readonly kind: "NONE" } | { readonly kind: "ANSWER"; readonly status: number; readonly body: unknown };

/** Asks a provider, whose redirects are answers too. Never rejects. */
export async function askProvider(ask: Ask, url: string, init: RequestInit): Promise<ProviderAnswer> {
	try {
		return await ask(url, { ...init, timeoutMs: TIMEOUT_MS }, async (response) => ({
			kind: "ANSWER",
			status: response.status,
			body: jsonIn(await response.text()),
		}));
	} catch {
		return { kind: "NONE" };
	}
}

function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
