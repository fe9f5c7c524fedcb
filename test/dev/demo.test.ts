// The demo over the stand-in for Daraja: the loan that it plays is paid out and repaid as the stand-in's books say, which it checks itself.

import { execFile } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { repository } from "../../src/dev/service.ts";

const demo = (...args: string[]) =>
	new Promise<string>((resolve) => {
		execFile(process.execPath, [path.join(repository, "tools/demo.ts"), ...args], (_, stdout, stderr) => resolve(stdout + stderr));
	});

it("the demo runs a loan over the stand-in for Daraja, in three databases", { timeout: 240_000 }, async () => {
	const printed = await demo("--with", "daraja", "--databases", "2");
	expect(printed).toContain("ok  the payout has its receipt");
	expect(printed).toContain("Done: a loan was paid out from the lender's shortcode and repaid to it");
	expect(await demo("--with", "nobody")).toMatch(/no stand-in for nobody/);
});
