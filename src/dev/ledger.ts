// `npm run ledger`: sorts test/ledger.txt, and follows tests to the files to which they have moved. `--check`, a part of `npm run check`,
// writes nothing: it fails when a promise has lost its test or its line.

import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { misused, readCommandLine } from "./command-line.ts";
import { changesIn, faultsOf, followed, lostOf, moved, nameOf, type Sources, testsIn } from "./ledger-lines.ts";

const usage = `npm run ledger -- [options]

  --check                writes nothing, and fails when a promise has lost its test or its line
  --moved <from> <to>    writes another place: of a file's tests, or of one ("contract/access › ignores credentials")
`;

const LEDGER = "test/ledger.txt";
const repository = path.resolve(import.meta.dirname, "../..");
const textOf = (file: string): string | undefined => {
	const whole = path.join(repository, file);
	return existsSync(whole) ? readFileSync(whole, "utf8") : undefined;
};

function sources(): Sources {
	const tests = new Map<string, string[][]>();
	// Some tests stand in files that test files import.
	for (const file of globSync("test/**/*.ts", { cwd: repository, exclude: (name) => name.endsWith("node_modules") }))
		tests.set(nameOf(file), [...(tests.get(nameOf(file)) ?? []), ...testsIn(textOf(file) ?? "")]);
	return { tests, textOf };
}

/** What the ledger's earlier versions promised and this one does not; or why nobody can tell. */
function lost(ledger: string): { found: string[] } | { unknown: string } {
	const git = (...options: string[]) => spawnSync("git", options, { cwd: repository, encoding: "utf8", maxBuffer: 1 << 30 });
	const shallow = git("rev-parse", "--is-shallow-repository");
	if (shallow.status !== 0) return { unknown: "this is no checkout of git" };
	if (shallow.stdout.trim() === "true") return { unknown: "this checkout has not the whole history" };
	// With the changes of each side of a merge: what is lost in one is lost too.
	const log = git("log", "--full-history", "-m", "-p", "-U0", "--no-color", "--no-ext-diff", "--format=commit %h (%s)", "--", LEDGER);
	return log.status === 0 ? { found: lostOf(ledger, changesIn(log.stdout)) } : { unknown: log.stderr.trim() };
}

const { values, positionals } = readCommandLine(usage, {
	options: { check: { type: "boolean" }, moved: { type: "boolean" } },
	allowPositionals: true,
});
const ledger = textOf(LEDGER) ?? "";
const [from, to, ...more] = positionals;
if (values.moved ? from === undefined || to === undefined || more.length > 0 : from !== undefined)
	misused(usage, "--moved takes the old place and the new one");
if (!values.check) {
	const known = sources();
	const start = from !== undefined && to !== undefined ? moved(ledger, nameOf(from), nameOf(to)) : ledger;
	writeFileSync(path.join(repository, LEDGER), followed(start, known));
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
