// Asks a mobile operator whether a number's SIM card was exchanged, by the SIM Swap API of CAMARA.

import * as z from "zod";
import type { Config } from "../runtime/config";
import type { Ask, SimSwap } from "../runtime/ports";

const TIMEOUT_MS = 5_000;
/** Ten days: the longest period that every implementation of the API must support. */
const MAX_AGE_HOURS = 240;

const Answer = z.object({ swapped: z.boolean() });

/** Undefined while it is not configured. */
export function simSwapBy({ SIM_SWAP_URL, SIM_SWAP_TOKEN }: Config, ask: Ask): SimSwap | undefined {
	if (!SIM_SWAP_URL || !SIM_SWAP_TOKEN) return undefined;
	return {
		async wasSwapped(phoneNumber) {
			try {
				const headers = { "Content-Type": "application/json", Authorization: `Bearer ${SIM_SWAP_TOKEN}` };
				const request = { method: "POST", headers, body: JSON.stringify({ phoneNumber, maxAge: MAX_AGE_HOURS }), timeoutMs: TIMEOUT_MS };
				return await ask(SIM_SWAP_URL, request, async (response) => {
					if (response.ok) return Answer.safeParse(await response.json()).data?.swapped;
					await response.body?.cancel();
					return undefined;
				});
			} catch {
				return undefined;
			}
		},
	};
}
