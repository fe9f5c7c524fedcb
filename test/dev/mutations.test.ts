// At most a minute of `npm run mutations`, with another sample of the guards for every state of the sources.

import { execFile } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { HELD } from "../mutations/accepted.ts";

const MAIN = path.join(import.meta.dirname, "../mutations/main.ts");

it("notices every guard of the sample that is taken out", { timeout: 600_000 }, async () => {
	const ended = Promise.withResolvers<string>();
	execFile(process.execPath, [MAIN, "--sample", "--jobs", "1", ...HELD], (_, stdout, stderr) => ended.resolve(stdout + stderr));
	expect(await ended.promise).toMatch(/: [1-9]\d* guards, 0 survivors.*\n0 survivors\n$/);
});
