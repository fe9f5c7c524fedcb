// The tool that finds faults is sound: a plan is a line of text, and a design that is broken on purpose is noticed. The faults themselves
// are `npm run test:faults`.

import "./node";
import { describe, expect, it } from "vitest";
import { alone } from "../support/databases";
import { Laid, planWith } from "./campaign";
import { planOf, textOf } from "./plan";
import "./sabotage";

describe.runIf(alone)("a plan", () => {
	it("is a line of text that makes the same plan", () => {
		const setting = { op: "orderTransfer", homes: 3, outside: true, between: "blockPayee" } as const;
		const faults = [
			{ life: "call", at: 4, kind: "dies-after", what: "DB WRITE transfers" },
			{ life: "sweep+2m", at: 17, kind: "after" },
		] as const;
		const plan = planWith(setting, faults, true);
		expect(planOf(textOf(plan))).toEqual(plan);
		expect(() => planOf("draw call:1/explodes")).toThrow(/no kind of fault/);
	});

	it("says when its points are no longer those of the code", async () => {
		const plan = planOf("putAppSettings homes=1 call:1/before[DB WRITE something] call2:99/after");
		const outcome = await Laid.in(plan, (laid) => laid.run(plan));
		expect(outcome.misfits).toEqual([expect.stringMatching(/^call:1 is .*, no longer DB WRITE something$/), "call2:99 was not reached"]);
	});
});
