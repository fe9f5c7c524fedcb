// The work that falls due after every change, in one world that has seen all of them. Nothing scans a table or sorts its rows, so the work
// costs the same however many rows there are.
// @module-tag thorough

import { expect, it } from "vitest";
import { cron } from "../support/cron";
import { expectErrors } from "../support/log";
import { recordingStatements } from "../support/statements";
import { testEnv } from "../support/storage";
import { givenAllChanges } from "./all-changes";
import { unexcused } from "./promises/permitted";

it("the work that falls due after all changes is found by indexes alone", async () => {
	expectErrors("a receipt of a payout is that of another one");
	await givenAllChanges();
	const { vars, sent } = recordingStatements();
	for (let known = -1; sent.size > known; ) {
		known = sent.size;
		await cron({ ...testEnv, ...vars });
	}
	expect(await unexcused(sent)).toEqual([]);
});
