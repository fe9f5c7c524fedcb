// docs/security.md claims no defence without a test: each file and command that it names exists.

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const rows = (readFileSync("docs/security.md", "utf8").split("## Threats")[1] ?? "")
	.split("\n")
	.filter((line) => line.startsWith("| ") && !/^\| (Threat|Risk|Asset|Caller) /.test(line))
	.map((line) =>
		line
			.split("|")
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
const claims = rows.flatMap(([threat = "", , test = ""]) =>
	[...test.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => [threat, name] as const),
);
const tests = claims.filter(([, name]) => !name.startsWith("npm run "));

describe("the table of threats", () => {
	it("names tests", () => {
		expect(tests.length).toBeGreaterThan(50);
	});

	it.each(tests)("names a test that exists against: %s (%s)", (_, name) => {
		expect(
			[`test/${name}.test.ts`, `test/${name}.node.test.ts`].some((file) => existsSync(file)),
			name,
		).toBe(true);
	});

	it("names commands that exist", () => {
		const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
		for (const [, name] of claims.filter((claim) => !tests.includes(claim))) expect(scripts).toHaveProperty(name.split(" ")[2] ?? "");
	});
});
