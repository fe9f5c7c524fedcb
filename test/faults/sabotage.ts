// Plans notice what is broken on purpose.

import { describe, expect, it } from "vitest";
import { alone } from "../support/databases";
import { drawingReferences, noticed, without } from "./sabotaged";

describe.runIf(alone)("a broken design that", () => {
	it("keeps no record of an answer is noticed", async () => {
		expect(await noticed("createPayee", without("idempotency_records"), /payees has besides/)).toMatch(/payees has besides/);
	});

	it("makes an instruction again each time it is sent is noticed", async () => {
		expect(await noticed("draw", drawingReferences, /different bodies/)).toMatch(/different bodies/);
	});
});

describe.runIf(!alone)("a broken design that", () => {
	it("owes other homes no message is noticed", async () => {
		expect(await noticed("updateOrganization", without("home_messages"), /organizations differs/)).toMatch(/organizations differs/);
	});
});
