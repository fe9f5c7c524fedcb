// Looks up in whose name a payee's account is: the embedded answer of the sandbox, or an outside service over HTTP.

import * as z from "zod";
import type { Config } from "../runtime/config";
import type { Ask, NameLookup } from "../runtime/ports";

const TIMEOUT_MS = 5_000;

const Answer = z.union([
	z.object({ known: z.literal(true), name: z.string().trim().min(1).max(140).nullable() }),
	z.object({ known: z.literal(false) }),
]);

/** Undefined while it is not configured. */
export function nameLookupBy({ NAME_LOOKUP_URL, NAME_LOOKUP_TOKEN, DISBURSER }: Config, ask: Ask): NameLookup | undefined {
	if (!NAME_LOOKUP_URL || !NAME_LOOKUP_TOKEN) {
		if (DISBURSER !== "sandbox") return undefined;
		return { kind: "embedded", lookUp: ({ accountHolderName }) => ({ known: true, name: accountHolderName ?? "Sandbox Holder" }) };
	}
	return {
		kind: "remote",
		async lookUp({ type, identifier }) {
			try {
				const headers = { "Content-Type": "application/json", Authorization: `Bearer ${NAME_LOOKUP_TOKEN}` };
				const request = { method: "POST", headers, body: JSON.stringify({ type, identifier }), timeoutMs: TIMEOUT_MS };
				return await ask(NAME_LOOKUP_URL, request, async (response) => {
					if (response.ok) return Answer.safeParse(await response.json()).data;
					await response.body?.cancel();
					return undefined;
				});
			} catch {
				return undefined;
			}
		},
	};
}
