// Two kills under load; `npm run bench -- kills` makes ten.

import { expect, it } from "vitest";
import { surviveKills } from "../../bench/kills.ts";

it("loses or doubles no answered write, no money and no event when it is killed under load", { timeout: 300_000 }, async () => {
	const { writes, cutOff, events, ...rest } = await surviveKills({ kills: 2, seed: 14, tell: () => {} });
	for (const write of writes) expect(write).toEqual({ what: write.what, answered: expect.any(Number), lost: 0, doubled: 0 });
	for (const { what, answered } of writes) expect(answered, what).toBeGreaterThan(0);
	expect(cutOff).toBeGreaterThan(0);
	expect(events).toBeGreaterThan(0);
	expect(rest).toMatchObject({ disagreeing: [], misdelivered: 0, unreceived: 0, outOfOrder: 0 });
});
