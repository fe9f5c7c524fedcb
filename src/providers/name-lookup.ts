// Looks up in whose name a payee's account is: the embedded answer of the sandbox, or an outside service over HTTP.

import * as z from "zod";
import type { Config } from "../runtime/config";
import type { Fetch, NameLookup } from "../runtime/ports";

const TIMEOUT_MS = 5_000;

const Answer = z.union([
	z.object({ known: z.literal(true), name: z.string().trim().min(1).max(140).nullable() }),
	z.object({ known: z.literal(false) }),
]);

/** Undefined while it is not configured. */
export function nameLookupBy({ NAME_LOOKUP_URL, NAME_LOOKUP_TOKEN, DISBURSER }: Config, fetch: Fetch): NameLookup | undefined {
	if (!NAME_LOOKUP_URL || !NAME_LOOKUP_TOKEN) {
		if (DISBURSER !== "sandbox") return undefined;
		return { kind: "embedded", lookUp: ({ accountHolderName }) => ({ known: true, name: accountHolderName ?? "Sandbox Holder" }) };
	}
	return {
		kind: "remote",
		async lookUp({ type, identifier }) {
			try {
				const response = await fetch(NAME_LOOKUP_URL, {
					method: "POST",
					headers: { "Content-Type": "application/json", Authorization: `Bearer ${NAME_LOOKUP_TOKEN}` },
					body: JSON.stringify({ type, identifier }),
					redirect: "manual",
					signal: AbortSignal.timeout(TIMEOUT_MS),
				});
				if (!response.ok) {
					await response.body?.cancel();
					return undefined;
				}
				return Answer.safeParse(await response.json()).data;
			} catch {
				return undefined;
			}
		},
	};
}
