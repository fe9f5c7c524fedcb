// The lock file must list the packages of every platform: npm may leave some out when it writes the file, and then `npm ci`
// fails elsewhere.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";

const lockFile = z.object({
	packages: z.record(
		z.string(),
		z.object({
			dependencies: z.record(z.string(), z.string()).default({}),
			optionalDependencies: z.record(z.string(), z.string()).default({}),
		}),
	),
});

test("the lock file contains every package that its packages depend on, for every platform", () => {
	const lock = lockFile.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
	const names = new Set(Object.keys(lock.packages).map((key) => key.split("node_modules/").at(-1)));
	const missing = Object.values(lock.packages).flatMap((entry) =>
		[...Object.keys(entry.dependencies), ...Object.keys(entry.optionalDependencies)].filter((name) => !names.has(name)),
	);
	expect(missing).toEqual([]);
});
