// The claim of a data directory, raced for by processes that only claim.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";

const repository = path.resolve(import.meta.dirname, "../..");
const state = mkdtempSync(path.join(os.tmpdir(), "claimed-"));
afterAll(() => rmSync(state, { recursive: true, force: true }));

const script = `import { claim } from "./src/dev/claim.ts";
const claimed = claim(process.argv[1]);
console.log("holder" in claimed ? "refused" : "claimed");
if (!("holder" in claimed)) setInterval(() => claimed, 1_000);
`;

function claimant() {
	const child = spawn(process.execPath, ["--input-type=module", "--eval", script, state], {
		cwd: repository,
		stdio: ["ignore", "pipe", "inherit"],
	});
	return { child, ended: once(child, "exit"), said: once(child.stdout, "data").then(([said]) => String(said).trim()) };
}

it("a claim is given to one of several processes, again and again, also after SIGKILL", async () => {
	for (let round = 0; round < 3; round++) {
		const all = Array.from({ length: 4 }, claimant);
		try {
			const said = await Promise.all(all.map((one) => one.said));
			expect(said.toSorted()).toEqual(["claimed", "refused", "refused", "refused"]);
		} finally {
			for (const { child } of all) child.kill("SIGKILL");
			await Promise.all(all.map(({ ended }) => ended));
		}
	}
});
