// When a suspended endpoint is probed.

import { expect, it } from "vitest";
import { nextProbe } from "../../../../src/domains/webhooks/attempts/probes.policy";
import { HOUR_MS, MINUTE_MS } from "../../../../src/shared/time";

it("an endpoint is probed after 1, 5 and 15 minutes, then hourly up to 72 hours, whenever the last one was", () => {
	const probes: number[] = [];
	for (let at: number | null = 7; at !== null; at = nextProbe(7, at)) probes.push(at - 7);
	expect(probes.slice(0, 6)).toEqual([0, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS]);
	expect(probes).toHaveLength(1 + 3 + 72);
	expect(probes.at(-1)).toBe(72 * HOUR_MS);
	expect(nextProbe(0, 90 * MINUTE_MS)).toBe(2 * HOUR_MS);
});
