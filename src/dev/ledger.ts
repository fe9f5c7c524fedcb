// `npm run ledger`: sorts test/ledger.txt, and follows tests to other files and titles. `--check`, a part of `npm run check`, writes nothing: it
// fails when a promise has lost its test or its line.

import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { misused, readCommandLine } from "./command-line.ts";
import { astray, changesIn, faultsOf, followed, lostOf, moved, type Sources, type Tests } from "./ledger-lines.ts";
import { nameOf, type Test, testsIn } from "./test-titles.ts";

const usage = `npm run ledger -- [options]

  --check                writes nothing, and fails when a promise has lost its test or its line
  --since <commit>       in which the places were right (HEAD): a test whose text is as it was there is found under another title
  --moved <from> <to>    writes another place: of a file's tests, or of one ("contract/access › ignores credentials")
`;

const LEDGER = "test/ledger.txt";
const repository = path.resolve(import.meta.dirname, "../..");
const textOf = (file: string): string | undefined => {
	const whole = path.join(repository, file);
	return existsSync(whole) ? readFileSync(whole, "utf8") : undefined;
};

function testsOf(files: readonly string[], text: (file: string) => string | undefined): Tests {
	const tests = new Map<string, Test[]>();
	for (const file of files) tests.set(nameOf(file), [...(tests.get(nameOf(file)) ?? []), ...testsIn(text(file) ?? "")]);
	return tests;
}

// Some tests stand in files that test files import.
const sources = (): Sources => ({
	tests: testsOf(globSync("test/**/*.ts", { cwd: repository, exclude: (name) => name.endsWith("node_modules") }), textOf),
	textOf,
});

const git = (...options: string[]) => spawnSync("git", options, { cwd: repository, encoding: "utf8", maxBuffer: 1 << 30 });

/** The tests of the files as they were in a commit. */
function testsAt(commit: string, names: readonly string[]): Tests {
	const listed = git("ls-tree", "-r", "--name-only", commit, "test").stdout?.split("\n") ?? [];
	const files = listed.filter((file) => file.endsWith(".ts") && names.includes(nameOf(file)));
	return testsOf(files, (file) => git("show", `${commit}:${file}`).stdout);
}

/** What the ledger's earlier versions promised and this one does not; or why nobody can know. */
function lost(ledger: string): { found: string[] } | { unknown: string } {
	const shallow = git("rev-parse", "--is-shallow-repository");
	if (shallow.status !== 0) return { unknown: "this is no checkout of git" };
	if (shallow.stdout.trim() === "true") return { unknown: "this checkout has not the whole history" };
	// With the changes of each side of a merge: what is lost in one is lost too.
	const log = git("log", "--full-history", "-m", "-p", "-U0", "--no-color", "--no-ext-diff", "--format=commit %h (%s)", "--", LEDGER);
	return log.status === 0 ? { found: lostOf(ledger, changesIn(log.stdout)) } : { unknown: log.stderr.trim() };
}

const { values, positionals } = readCommandLine(usage, {
	options: { check: { type: "boolean" }, moved: { type: "boolean" }, since: { type: "string" } },
	allowPositionals: true,
});
const ledger = textOf(LEDGER) ?? "";
const [from, to, ...more] = positionals;
if (values.moved ? from === undefined || to === undefined || more.length > 0 : from !== undefined)
	misused(usage, "--moved takes the old place and the new one");
if (!values.check) {
	const known = sources();
	const start = from !== undefined && to !== undefined ? moved(ledger, nameOf(from), nameOf(to)) : ledger;
	const gone = astray(start, known);
	const before = gone.length > 0 ? testsAt(values.since ?? "HEAD", gone) : undefined;
	writeFileSync(path.join(repository, LEDGER), followed(start, known, before));
} else {
	const found = faultsOf(ledger, sources());
	const history = lost(ledger);
	if ("found" in history) found.push(...history.found);
	else process.stderr.write(`${LEDGER} is not compared with its earlier versions: ${history.unknown}.\n`);
	if (found.length > 0) {
		process.stderr.write(`${found.join("\n")}\nWhat ${LEDGER} is for says its header.\n`);
		process.exitCode = 1;
	}
}
