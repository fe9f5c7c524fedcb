// Asks a mobile operator whether a number's SIM card was exchanged, by the SIM Swap API of CAMARA.

import * as z from "zod";
import type { Config } from "../runtime/config";
import type { Fetch, SimSwap } from "../runtime/ports";

const TIMEOUT_MS = 5_000;
/** Ten days: the longest period that every implementation of the API must support. */
const MAX_AGE_HOURS = 240;

const Answer = z.object({ swapped: z.boolean() });

/** Undefined while it is not configured. */
export function simSwapBy({ SIM_SWAP_URL, SIM_SWAP_TOKEN }: Config, fetch: Fetch): SimSwap | undefined {
	if (!SIM_SWAP_URL || !SIM_SWAP_TOKEN) return undefined;
	return {
		async wasSwapped(phoneNumber) {
			try {
				const response = await fetch(SIM_SWAP_URL, {
					method: "POST",
					headers: { "Content-Type": "application/json", Authorization: `Bearer ${SIM_SWAP_TOKEN}` },
					body: JSON.stringify({ phoneNumber, maxAge: MAX_AGE_HOURS }),
					redirect: "manual",
					signal: AbortSignal.timeout(TIMEOUT_MS),
				});
				if (!response.ok) {
					await response.body?.cancel();
					return undefined;
				}
				return Answer.safeParse(await response.json()).data?.swapped;
			} catch {
				return undefined;
			}
		},
	};
}
