// The drill of restoring, as `npm run restore -- --drill` does it.

import { expect, it } from "vitest";
import { drill } from "../../tools/restore/drill.ts";
import { reportOn } from "../../tools/restore.ts";

it("makes a service that was killed under traffic of its backup, with the same rows and figures", { timeout: 300_000 }, async () => {
	const drilled = await drill({ users: 200, trafficMs: 4_000, tell: () => {} });
	for (const line of reportOn(drilled)) console.log(line);
	expect(drilled).toMatchObject({ different: [], disagreeing: [] });
	expect(drilled.figures).toBeGreaterThan(0);
	expect(drilled.answered).toBeGreaterThan(0);
	expect(drilled.made.files).toBeGreaterThan(1);
	expect(drilled.lostMs).toBeLessThan(60_000);
});
