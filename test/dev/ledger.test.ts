// The check of the ledger in a checkout of git, in one without its history, and in none.

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const directory = mkdtempSync(path.join(tmpdir(), "ledger-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const HEADER = "# Promises\n\n";
const ONCE = "money.once | A wallet pays once. | wallet › pays once\n";
const TWICE = "money.twice | Nobody pays twice. | wallet › pays twice\n";

const git = (cwd: string, ...options: string[]) =>
	execFileSync("git", ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.com", ...options], {
		cwd,
		encoding: "utf8",
		stdio: "pipe",
	});
const check = (cwd: string, ...options: string[]) => {
	const { status, stderr } = spawnSync(process.execPath, ["src/dev/ledger.ts", ...options], { cwd, encoding: "utf8" });
	return { status, said: stderr.split("\n").slice(0, 2) };
};

/** A checkout with two promises, of which a commit has taken the second with its test. */
function givenCheckout(): { checkout: string; write: (ledger: string) => void } {
	const checkout = mkdtempSync(path.join(directory, "checkout-"));
	for (const name of ["ledger.ts", "ledger-lines.ts", "test-titles.ts", "command-line.ts"])
		cpSync(path.join(import.meta.dirname, "../../src/dev", name), path.join(checkout, "src/dev", name));
	mkdirSync(path.join(checkout, "test"));
	const write = (ledger: string) => writeFileSync(path.join(checkout, "test/ledger.txt"), HEADER + ledger);
	const commit = (subject: string, tests: readonly string[], ledger: string) => {
		writeFileSync(path.join(checkout, "test/wallet.test.ts"), tests.map((title) => `it("${title}", () => {});\n`).join(""));
		write(ledger);
		git(checkout, "add", "--all");
		git(checkout, "commit", "--quiet", "--allow-empty", "--message", subject);
	};
	git(checkout, "init", "--quiet");
	commit("test: a ledger", ["pays once", "pays twice"], ONCE + TWICE);
	commit("refactor: one word, one meaning", ["pays once"], ONCE);
	commit("docs: nothing of this", ["pays once"], ONCE);
	return { checkout, write };
}

describe("the check of the ledger", () => {
	it("names the commit that took a line, until another line replaces it", () => {
		const { checkout, write } = givenCheckout();
		const taker = git(checkout, "log", "--format=%h", "--grep=one word").trim();
		expect(check(checkout, "--check")).toEqual({
			status: 1,
			said: [
				"money.twice: Nobody pays twice.",
				expect.stringContaining(`${taker} (refactor: one word, one meaning) took its line. Put the line back`),
			],
		});
		write(`${ONCE.trimEnd()} | replaces money.twice\n`);
		expect(check(checkout, "--check")).toEqual({ status: 0, said: [""] });
	});

	it("finds a line that was lost as branches were merged", () => {
		const { checkout, write } = givenCheckout();
		const [main, other] = [git(checkout, "branch", "--show-current").trim(), "money.other | Another. | wallet › pays once\n"];
		git(checkout, "switch", "--quiet", "--create", "branch");
		write(`${ONCE.trimEnd()} | replaces money.twice\n${other}`);
		git(checkout, "commit", "--quiet", "--all", "--message", "feat: another");
		git(checkout, "switch", "--quiet", main);
		git(checkout, "commit", "--quiet", "--allow-empty", "--message", "feat: meanwhile");
		git(checkout, "merge", "--quiet", "--no-ff", "--no-commit", "branch");
		write(`${ONCE.trimEnd()} | replaces money.twice\n`);
		git(checkout, "commit", "--quiet", "--all", "--message", "merge: the branch");
		const { status, said } = check(checkout, "--check");
		expect({ status, said }).toEqual({
			status: 1,
			said: ["money.other: Another.", expect.stringContaining("(merge: the branch) took its line")],
		});
	});

	it("looks at the places alone, and says so, where the history is not there", () => {
		const { checkout } = givenCheckout();
		const shallow = path.join(directory, "shallow");
		git(directory, "clone", "--quiet", "--depth", "1", pathToFileURL(checkout).href, shallow);
		const said = (why: string) => [`test/ledger.txt is not compared with its earlier versions: ${why}.`, ""];
		expect(check(shallow, "--check")).toEqual({ status: 0, said: said("this checkout has not the whole history") });
		rmSync(path.join(shallow, ".git"), { recursive: true });
		expect(check(shallow, "--check")).toEqual({ status: 0, said: said("this is no checkout of git") });
		writeFileSync(path.join(shallow, "test/wallet.test.ts"), "");
		expect(check(shallow, "--check")).toMatchObject({ status: 1 });
	});

	it("goes with a test that has another file and title, once the command has followed it", () => {
		const { checkout, write } = givenCheckout();
		write(`${ONCE.trimEnd()} | replaces money.twice\n`);
		git(checkout, "mv", "test/wallet.test.ts", "test/purse.test.ts");
		expect(check(checkout, "--check").said[1]).toContain("but test/purse has. If it has moved there, run: npm run ledger");
		writeFileSync(path.join(checkout, "test/purse.test.ts"), 'it("pays a single time", () => {});\n');
		expect(check(checkout, "--check").said[1]).toContain("there is no test file wallet. Put the test back");
		expect(check(checkout)).toMatchObject({ status: 0 });
		expect(check(checkout, "--check")).toEqual({ status: 0, said: [""] });
		expect(readFileSync(path.join(checkout, "test/ledger.txt"), "utf8")).toBe(
			`${HEADER}money.once | A wallet pays once. | purse › pays a single time | replaces money.twice\n`,
		);
		expect(check(checkout, "--moved", "purse › pays a single time", "purse › pays never")).toMatchObject({ status: 0 });
		expect(check(checkout, "--check").said[1]).toContain('test/purse has no test "pays never"');
	});
});
