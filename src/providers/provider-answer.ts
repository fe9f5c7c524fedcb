// What a payment provider answered, whatever that means for money.

import type { Fetch } from "../runtime/ports";
import { SECOND_MS } from "../shared/time";

const TIMEOUT_MS = 20 * SECOND_MS;

/** NONE: it was asked, and nothing came back. `body`: undefined where it is no JSON. */
export type ProviderAnswer = { readonly kind: "NONE" } | { readonly kind: "ANSWER"; readonly status: number; readonly body: unknown };

/** Asks a provider, whose redirects are answers too. Never rejects. */
export async function askProvider(fetch: Fetch, url: string, init: RequestInit): Promise<ProviderAnswer> {
	try {
		const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
		const text = await response.text();
		return { kind: "ANSWER", status: response.status, body: jsonIn(text) };
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
