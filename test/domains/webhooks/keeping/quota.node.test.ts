// When an organization that holds many deliveries needs attention.

import { expect, it } from "vitest";
import { crowdedStateOf } from "../../../../src/domains/webhooks/keeping/quota.policy";
import type { CrowdedState, StorageLevel } from "../../../../src/shared/storage-levels";

const of = (held: number, level: StorageLevel = "AMPLE", most = false, state: CrowdedState | null = null) =>
	crowdedStateOf({ held, quota: 100, most, state }, level);

it("an organization needs attention near its quota, until far less is used", () => {
	expect([79, 80, 99, 100, 150].map((held) => of(held))).toEqual([null, "NEARING", "NEARING", "REACHED", "REACHED"]);
	expect([69, 70, 99].map((held) => of(held, "AMPLE", false, "REACHED"))).toEqual([null, "NEARING", "NEARING"]);
});

it("where the database makes no deliveries each does, and where it fills up the one with the most", () => {
	expect(of(1, "CLOSED", false)).toBe("CLOSED");
	expect(of(100, "CLOSED", true)).toBe("CLOSED");
	expect([of(1, "FILLING", true), of(1, "SHORT", true), of(1, "SHORT", false), of(85, "SHORT", true)]).toEqual([
		"FILLING",
		"SHORT",
		null,
		"NEARING",
	]);
	expect(of(1, "AMPLE", true, "CLOSED")).toBeNull();
});
