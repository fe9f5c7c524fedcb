// In workerd, because over Node's the same plans run in the other files here. Over the real bindings some of them come to what they come to
// there: so what stands there for D1 and Durable Objects is true.

import "./workerd";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { alone } from "../support/databases";
import { Laid, singles, told } from "./campaign";
import { some, usual } from "./choice";
import { noticed, without } from "./sabotaged";
import { forgetWorld } from "./world";

/** What moves money, and what a key protects. */
const OPERATIONS = ["orderTransfer", "applyForLoan", "recordRepayment", "repayFromWallet", "reportDisbursement@failed", "createPayee"];

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["Date"] });
	vi.spyOn(Math, "random").mockReturnValue(0.37);
	for (const level of ["log", "error"] as const) vi.spyOn(console, level).mockReturnValue();
	forgetWorld();
});

describe.runIf(alone)("a fault over the real bindings", () => {
	it.each(OPERATIONS)("leaves what the call leaves without it: %s", async (op) => {
		const setting = { op, homes: 1, outside: true, between: undefined } as const;
		await Laid.in(setting, async (laid) => {
			expect(await laid.fault()).toBeUndefined();
			const plans = some(singles(setting, "call", await laid.called(), usual));
			expect(plans.length).toBeGreaterThan(2);
			for (const plan of plans) {
				const outcome = await laid.run(plan);
				expect(outcome.problems, told(plan, outcome)).toEqual([]);
			}
		});
	});

	it("is noticed where no record of an answer is kept", async () => {
		expect(await noticed("createPayee", without("idempotency_records"), /payees has besides/)).toMatch(/payees has besides/);
	});
});
