// The documents claim nothing without proof: each test, file, command and name of code that they mention exists.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const documents = ["README.md", "SECURITY.md", "src/webhook-verify/README.md", ...readdirSync("docs").map((name) => `docs/${name}`)].filter(
	(file) => file.endsWith(".md"),
);
const text = (file: string): string => readFileSync(file, "utf8");
const quotedIn = (part: string): string[] => [...part.matchAll(/`([^`\n]+)`/g)].map(([, quoted = ""]) => quoted);

/** The cells of every table whose last column is headed `Test`. */
function claimsOf(file: string): { claim: string; names: string[] }[] {
	let inTable = false;
	return text(file)
		.split("\n")
		.flatMap((line) => {
			const cells = line.split("|").slice(1, -1);
			const last = cells.at(-1)?.trim() ?? "";
			if (!line.startsWith("|")) inTable = false;
			if (/^Tests?$/.test(last)) inTable = true;
			const isRow = inTable && !/^(Tests?|-+)$/.test(last) && !/^ \*\*.*\*\* $/.test(cells[0] ?? "");
			return isRow ? [{ claim: cells[0]?.trim() ?? "", names: quotedIn(last) }] : [];
		});
}

const tests = (names: readonly string[]) => names.filter((name) => !name.startsWith("npm run "));

describe.each(["docs/decisions.md", "docs/security.md"])("the table of %s", (file) => {
	const claims = claimsOf(file);

	it("names tests", () => {
		expect(claims.flatMap(({ names }) => tests(names)).length).toBeGreaterThan(50);
	});

	it.each(claims.map(({ claim, names }) => [claim, names] as const))("names a test that exists: %s", (_, names) => {
		// Of the threats some are said to be open.
		if (file === "docs/decisions.md") expect(names).not.toEqual([]);
		for (const name of tests(names)) {
			expect(
				[`test/${name}.test.ts`, `test/${name}.node.test.ts`].some((path) => existsSync(path)),
				name,
			).toBe(true);
		}
	});
});

const { scripts } = JSON.parse(text("package.json")) as { scripts: Record<string, string> };
const sources = [
	...readdirSync("src", { recursive: true, encoding: "utf8" }),
	...readdirSync("test", { recursive: true, encoding: "utf8" }),
];
const code = readdirSync("src", { recursive: true, encoding: "utf8" })
	.filter((name) => name.endsWith(".ts"))
	.map((name) => text(`src/${name}`))
	.join("\n");

describe.each(documents)("%s", (file) => {
	it("names commands that exist", () => {
		const named = [...text(file).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = ""]) => name);
		for (const name of named) expect(scripts).toHaveProperty([name]);
	});

	it("names files that exist", () => {
		const named = quotedIn(text(file)).filter((name) => /^\w[\w./-]*\.(ts|md|json|toml)$/.test(name));
		const known = (name: string) =>
			existsSync(name) ||
			sources.some((source) => source === name || source.endsWith(`/${name}`) || source.replace(/^domains\//, "") === name);
		expect(named.filter((name) => !known(name))).toEqual([]);
	});

	it("names functions that exist", () => {
		const called = quotedIn(text(file)).flatMap((name) => /^(?:\w+\.)*(\w+)\([^)]*\)$/.exec(name)?.[1] ?? []);
		expect(called.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
	});
});
