// Every operation that changes something, in a world of its own: it refuses those whom it must without effect, answers ids of others like
// unknown ones, stays within its budget, searches by indexes alone, raises its events, writes in one database, and leaves its row of the
// audit trail for each kind of caller. `PRINT_BUDGETS=1` prints the tables of budgets and events as measured, with
// `--reporter=default`.

import { afterAll, describe, it } from "vitest";
import { operations } from "../support/domains";
import { title } from "../support/doors";
import { printMeasured } from "../support/log";
import { expectKept } from "./promises/kept";
import { measured, raised } from "./promises/permitted";

afterAll(() => printMeasured(() => [...measured.sort(), ...raised.sort()].join("\n")));

const tried = operations.filter((op) => op.method !== "GET").map((op) => [title(op), op] as const);

describe.each(tried)("%s", (_, op) => {
	it("serves its callers as promised, and nobody else", () => expectKept(op));
});
