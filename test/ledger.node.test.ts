// The ledger of promises: what its check finds, in planted lines, sources and histories.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { changesIn, faultsOf, followed, lostOf, moved, promiseOf } from "../src/dev/ledger-lines.ts";
import { nameOf, testsIn } from "../src/dev/test-titles.ts";
import { BUDGETS } from "./contract/budgets.ts";

// Each line behind a bar, so that the check takes none of them for a test of this file.
const SOURCE = `
|describe("a wallet", () => {
|	it("pays once", async () => {});
|
|	it.each<[string, number]>([
|		["a", given("first", 1)],
|	])(
|		"refuses %s", () => {});
|	// it("commented out", () => {});
|	it.skip("skipped", () => {});
|	it(\`is \${kind ? "open" : "closed"}\`, () => {});
|});
|
|describe.skipIf(!alone).each(operations.map((op) => [title(op), op] as const))("%s", (_, op) => {
|	it("says \\"no\\"", { timeout: 1 }, () => {});
|	it("pays twice", () => {});
|});
|
|describe.skip("nothing", () => {
|	it("pays never", () => {});
|});
|
|it.runIf(alone)("pays twice", () => expect(it("pays in vain")).toBe(1));
`.replaceAll(/^\|/gm, "");

const sources = {
	tests: new Map([
		["domains/wallet", testsIn(SOURCE)],
		["domains/other", testsIn('it("moved here", () => {});\nit("in both", () => {});')],
		["domains/third", testsIn('it("in both", () => {});')],
	]),
	textOf: (file: string) => ({ "test/rows.ts": 'draw: { cost: [2, 61, 21] },\n"a law"' })[file],
};

const ledger = (...lines: string[]): string => `# Header\n\n${lines.map((line) => `${line}\n`).join("")}`;
const PAYS_ONCE = "money.once | A wallet pays once. | domains/wallet › pays once";

describe("the tests of a source", () => {
	it("have the titles of their describes, and are neither skipped nor comments", () => {
		expect(testsIn(SOURCE).map(({ titles }) => titles)).toEqual([
			["a wallet", "pays once"],
			["a wallet", "refuses %s"],
			["a wallet", `is \${kind ? "open" : "closed"}`],
			["%s", 'says "no"'],
			["%s", "pays twice"],
			["pays twice"],
		]);
	});

	it("are named without the project in which they run", () => {
		const files = [
			"test/a/b.test.ts",
			"test/a/b.node.test.ts",
			"test/a/b.workerd.test.ts",
			"test/a/b.ts",
			"test/a/apply.operations.test.ts",
		];
		expect(files.map(nameOf)).toEqual(["a/b", "a/b", "a/b", "a/b", "a/apply.operations"]);
	});
});

describe("a line of the ledger", () => {
	it("has an id, a sentence, a place, a row and what it replaces", () => {
		expect(promiseOf("budget.draw | Draws are cheap. | a/b › c › d | in test/rows.ts: draw: { | replaces x.y, x.z")).toEqual({
			id: "budget.draw",
			sentence: "Draws are cheap.",
			place: { file: "a/b", titles: ["c", "d"] },
			row: { file: "test/rows.ts", text: "draw: {" },
			replaces: ["x.y", "x.z"],
		});
		expect(promiseOf("budget.draw | Draws are cheap. | given up: they are not")?.place).toBeUndefined();
	});

	it.each([
		"money.once | A wallet pays once.",
		"money.once | A wallet pays once. | domains/wallet",
		"money.once | A wallet pays once. | given up: ",
		"money.once | A wallet pays once. | domains/wallet › pays once | something else",
		"once | A wallet pays once. | domains/wallet › pays once",
		"| A wallet pays once. | domains/wallet › pays once",
	])("of another form is a fault: %s", (line) => {
		expect(faultsOf(ledger(line), sources)).toEqual([expect.stringContaining("has not the form")]);
	});
});

describe("a ledger", () => {
	it("has no fault where each line has its test and its row", () => {
		const lines = [
			"budget.draw | Draws are cheap. | domains/wallet › a wallet › refuses %s | in test/rows.ts: draw: {",
			'money.no | A wallet says no. | domains/wallet › says "no"',
			PAYS_ONCE,
			"money.twice | A wallet pays twice. | given up: it never should",
		];
		expect(faultsOf(ledger(...lines), sources)).toEqual([]);
	});

	it.each([
		["a file that is gone", "domains/gone › pays once now", "there is no test file domains/gone. Put the test back, or write the place"],
		["a test that is gone", "domains/wallet › pays thrice", 'test/domains/wallet has no test "pays thrice". Put the test back'],
		["a test that is skipped", "domains/wallet › skipped", 'test/domains/wallet has no test "skipped"'],
		["a describe in the place of a test", "domains/wallet › a wallet", 'has no test "a wallet"'],
		["a test that has moved", "domains/wallet › moved here", "but test/domains/other has. If it has moved there, run: npm run ledger"],
		["two tests of one title", "domains/wallet › pays twice", "Write the title of its describe before it"],
		["a row that is gone", "domains/wallet › pays once | in test/rows.ts: lend: {", "test/rows.ts has no lend: {. Put it back"],
		["a table that is gone", "domains/wallet › pays once | in test/gone.ts: draw: {", "test/gone.ts has no draw: {."],
	])("names the promise and what to do for %s", (_, place, told) => {
		const [fault, ...more] = faultsOf(ledger(`money.x | A wallet pays. | ${place}`), sources);
		expect(more).toEqual([]);
		expect(fault).toContain("money.x: A wallet pays.\n");
		expect(fault).toContain(told);
	});

	it("has each id once, in order, and no line of a promise that another has replaced", () => {
		expect(faultsOf(ledger(PAYS_ONCE, PAYS_ONCE), sources)).toEqual([expect.stringContaining("money.once: two lines have this id")]);
		expect(faultsOf(ledger(PAYS_ONCE, PAYS_ONCE.replace("once", "early")), sources)).toEqual([expect.stringContaining("sorted")]);
		const replacing = PAYS_ONCE.replace("money.once", "money.one").concat(" | replaces money.once");
		expect(faultsOf(ledger(PAYS_ONCE, replacing), sources)).toEqual([expect.stringContaining("money.one replaces it")]);
	});

	it("follows a test to the only file that has it, and is sorted", () => {
		const lines = ["b.y | Y. | domains/gone › moved here", "a.z | Z. | domains/wallet › in both", "a.x | X. | domains/wallet › pays once"];
		expect(followed(ledger(...lines), sources)).toBe(
			ledger("a.x | X. | domains/wallet › pays once", "a.z | Z. | domains/wallet › in both", "b.y | Y. | domains/other › moved here"),
		);
	});

	it("keeps of two lines that a merge has left the one whose test is there", () => {
		const [old, other] = [PAYS_ONCE.replace("› pays once", "› paid once"), PAYS_ONCE.replace("A wallet", "It")];
		expect(followed(ledger(old, PAYS_ONCE, PAYS_ONCE), sources)).toBe(ledger(PAYS_ONCE));
		expect(followed(ledger(other, PAYS_ONCE), sources)).toBe(ledger(other, PAYS_ONCE));
	});

	it("follows a test whose title alone is another", () => {
		const wallet = (title: string, paid = "1", more = "") => `describe("a wallet", () => {
	it("${title}", async () => {
		expect(paid).toBe(${paid});
	});
${more}
	it.each([
		["twice", 2],
	])(
		"is ${title} by %s",
		() => {},
	);
});
`;
		const before = new Map([["domains/gone", testsIn(wallet("as it was"))]]);
		const now = (source: string) => ({ tests: new Map([["domains/wallet", testsIn(source)]]), textOf: () => undefined });
		const lines = ledger("a.x | X. | domains/gone › as it was", "a.y | Y. | domains/gone › is as it was by %s");
		expect(followed(lines, now(wallet("new")), before)).toBe(
			ledger("a.x | X. | domains/wallet › new", "a.y | Y. | domains/wallet › is new by %s"),
		);
		// Not to a test that asserts another thing, nor to one of two.
		expect(followed(lines, now(wallet("new", "2")), before)).toBe(
			ledger("a.x | X. | domains/gone › as it was", "a.y | Y. | domains/wallet › is new by %s"),
		);
		const twin = '\tit("twin", async () => {\n\t\texpect(paid).toBe(1);\n\t});\n';
		expect(followed(lines, now(wallet("new", "1", twin)), before)).toContain("domains/gone › as it was\n");
	});

	it("has another place for a test or a file that was renamed", () => {
		const before = ledger("a.x | X. | a/b › c | in test/rows.ts: d", "a.y | Y. | a/b › c more", "a.z | Z. | a/bc › c");
		expect(moved(before, "a/b › c", "e › f")).toBe(before.replace("a/b › c | in", "e › f | in"));
		expect(moved(before, "a/b", "e")).toBe(before.replaceAll("a/b ›", "e ›"));
	});
});

describe("the history of a ledger", () => {
	const log = `commit 3333333 (refactor: tidy)

diff --git a/test/ledger.txt b/test/ledger.txt
--- a/test/ledger.txt
+++ b/test/ledger.txt
@@ -3 +2,0 @@
-money.gone | Nobody pays twice. | domains/wallet › pays twice
commit 2222222 (feat: reword)

@@ -3 +3 @@
-money.gone | Nobody pays. | domains/wallet › pays twice
+money.gone | Nobody pays twice. | domains/wallet › pays twice
commit 1111111 (test: the ledger)

@@ -0,0 +3 @@
+# Header
+money.gone | Nobody pays. | domains/wallet › pays twice
+${PAYS_ONCE}
`;

	it("names the commit that took a line, with what the line promised last", () => {
		expect(lostOf(ledger(PAYS_ONCE), changesIn(log))).toEqual([
			"money.gone: Nobody pays twice.\n  3333333 (refactor: tidy) took its line. Put the line back, or let the one that stands for it now end with: | replaces money.gone",
		]);
	});

	it("reports a line that is gone before any commit", () => {
		const [, ...earlier] = changesIn(log);
		expect(lostOf(ledger(PAYS_ONCE), earlier)).toEqual([expect.stringContaining("its line is gone, in no commit yet.")]);
	});

	it("asks for nothing where a line replaces the missing line, itself or through another replaced line", () => {
		const replacing = (id: string, gone: string) => `${id} | A wallet pays once. | domains/wallet › pays once | replaces ${gone}`;
		expect(lostOf(ledger(PAYS_ONCE, replacing("money.one", "money.gone")), changesIn(log))).toEqual([]);
		const longer = `commit 5555555 (refactor: again)\n\n-${replacing("money.one", "money.gone")}\n${log}`;
		expect(lostOf(ledger(PAYS_ONCE, replacing("money.two", "money.one")), changesIn(longer))).toEqual([]);
		expect(lostOf(ledger(PAYS_ONCE), changesIn(longer)).map((fault) => fault.split(":")[0])).toEqual(["money.one", "money.gone"]);
	});

	it("asks for a promise whose replacement no longer says so", () => {
		const one = "money.one | A wallet pays once. | domains/wallet › pays once";
		const longer = `commit 5555555 (refactor: again)\n\n-${one} | replaces money.gone\n+${one}\n${log}`;
		expect(lostOf(ledger(PAYS_ONCE, one), changesIn(longer))).toEqual([expect.stringContaining("3333333 (refactor: tidy) took its line")]);
	});
});

it("each row of the budgets has a line", () => {
	const lines = readFileSync("test/ledger.txt", "utf8");
	const lacking = Object.keys(BUDGETS).filter((operation) => !lines.includes(`in test/contract/budgets.ts: ${operation}: {`));
	expect(lacking).toEqual([]);
});
