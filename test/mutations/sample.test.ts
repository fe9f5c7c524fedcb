// At most a minute of `npm run mutations`, with other guards for every commit.

import { execFile } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";

const MAIN = path.join(import.meta.dirname, "main.ts");

it("notices every guard of the sample that is taken out", { timeout: 900_000 }, async () => {
	const ended = Promise.withResolvers<string>();
	execFile(process.execPath, [MAIN, "--sample", "--jobs", "1"], (_, stdout, stderr) => ended.resolve(stdout + stderr));
	expect(await ended.promise).toMatch(/: [1-9]\d* guards, 0 survivors[\s\S]*\n0 survivors\n$/);
});
