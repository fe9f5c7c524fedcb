// After each file, the plans of all statements that the service has sent in it are judged. Sorting is left to the contract tests: a
// sort costs as much as the rows that were found, and these the searches bound.

import { afterAll, expect } from "vitest";
import { isExcused } from "../contract/plans";
import { served } from "./sent";
import { planFaults } from "./statements";
import { emptyStorage } from "./storage";

afterAll(async () => {
	// A test reads or changes whole tables by the same sessions; the service has a condition in each statement.
	const sent = new Map([...served].filter(([statement]) => /\bwhere\b/i.test(statement)));
	served.clear();
	// Its last test may have left the database without a table.
	await emptyStorage();
	const faults = (await planFaults(sent)).filter((fault) => !fault.step.includes("TEMP B-TREE") && !isExcused(fault));
	expect(faults, "plans whose cost grows with a table: another index, or a line with its reason in test/contract/plans.ts").toEqual([]);
});
