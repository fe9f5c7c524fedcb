// `npm run check` refuses files in git that .gitignore names.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { trackedThoughIgnored } from "../../src/dev/tracked.ts";

let checkout: string;
const git = (...args: string[]) => execFileSync("git", args, { cwd: checkout, stdio: "pipe" });

beforeAll(() => {
	checkout = mkdtempSync(path.join(os.tmpdir(), "checkout-"));
	git("init", "-q");
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

it("the log of a tool is named once it is in git, and not while it only lies there", () => {
	for (const name of ["kept.ts", "isolate-1-v8.log", ".gitignore"]) writeFileSync(path.join(checkout, name), "*.log\n");
	git("add", ".");
	expect(trackedThoughIgnored(checkout)).toEqual([]);
	git("add", "--force", "isolate-1-v8.log");
	expect(trackedThoughIgnored(checkout)).toEqual(["isolate-1-v8.log"]);
});
