// Sends to the receiver of alerts and of the heartbeat, and asks Analytics Engine what was measured.

import * as z from "zod";
import type { Config } from "../runtime/config";
import type { Ask, Pager } from "../runtime/ports";

const TIMEOUT_MS = 5_000;

const Measured = z.object({ data: z.array(z.record(z.string(), z.unknown())) });

async function demandSuccess(response: Response): Promise<void> {
	await response.body?.cancel();
	if (!response.ok) throw new Error(`answered ${response.status}`);
}

/** Undefined where nobody is notified. */
export function pagerBy({ ALERT_URL, HEARTBEAT_URL, METRICS_URL, METRICS_TOKEN, METRICS_DATASET }: Config, ask: Ask): Pager | undefined {
	if (!ALERT_URL && !HEARTBEAT_URL) return undefined;
	return {
		async send(notice) {
			if (!ALERT_URL) return;
			const headers = { "Content-Type": "application/json" };
			await ask(ALERT_URL, { method: "POST", headers, body: JSON.stringify(notice), timeoutMs: TIMEOUT_MS }, demandSuccess);
		},
		async beat() {
			if (HEARTBEAT_URL) await ask(HEARTBEAT_URL, { method: "GET", timeoutMs: TIMEOUT_MS }, demandSuccess);
		},
		async measured(query) {
			if (!METRICS_URL || !METRICS_DATASET) return undefined;
			const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
			const request = { method: "POST", headers, body: query.replaceAll("{dataset}", METRICS_DATASET), timeoutMs: TIMEOUT_MS };
			return ask(METRICS_URL, request, async (response) => {
				if (response.ok) return Measured.parse(await response.json()).data;
				await response.body?.cancel();
				throw new Error(`answered ${response.status}`);
			});
		},
	};
}
