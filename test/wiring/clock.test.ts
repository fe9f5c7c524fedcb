// Two moves of the sandbox's clock at once both count.

import { expect, it } from "vitest";
import { sandboxClock } from "../../src/runtime/clock.table";
import { advanceClock } from "../../src/wiring/clock.operations";
import { call, expectOk } from "../support/client";
import { moveClock } from "../support/clock";
import { db, operatorToken } from "../support/factories";
import { beforeTrip } from "../support/loans";

it("moves on from where another call has moved it between read and commit", async () => {
	const as = await operatorToken();
	expectOk(await call(advanceClock, { as, body: { advance: "PT1M" } }));
	const vars = beforeTrip(3, () => moveClock(60_000));
	expectOk(await call(advanceClock, { as, body: { advance: "PT2M" }, vars }));
	expect(await db.select({ offsetMs: sandboxClock.offsetMs }).from(sandboxClock)).toEqual([{ offsetMs: 4 * 60_000 }]);
});
