// `npm run check`: the type checks, the linter, whether each promise has its test, and the comparisons of operations with client and
// document, and of tables with migrations. Two at a time, long ones first. Prints what a check that fails has to say.

import { spawn } from "node:child_process";
import path from "node:path";

const repository = path.resolve(import.meta.dirname, "../..");
const installed = (file: string) => path.join(repository, "node_modules", file);
// The compiler allocates much and soon exits, so that it does better without collecting garbage, unless it needs more than 2 GiB.
const COMPILER = { GOGC: "off", GOMEMLIMIT: "2GiB" };
const AT_A_TIME = 2;

const checks: readonly { readonly name: string; readonly command: readonly string[]; readonly env?: Readonly<Record<string, string>> }[] = [
	{ name: "types", command: [installed("typescript/bin/tsc")], env: COMPILER },
	// It builds what the document is made of too.
	{ name: "client", command: [path.join(import.meta.dirname, "client.ts"), "--check"] },
	// Without the rule that takes a fifth of the time, because it needs the types of all files: .ci/run has it, by `npm run lint:promises`.
	{ name: "lint", command: [installed("@biomejs/biome/bin/biome"), "ci", "--colors=off", "--skip=nursery/noFloatingPromises", "."] },
	{ name: "document", command: [path.join(import.meta.dirname, "document.ts"), "--check"] },
	{ name: "ledger", command: [path.join(import.meta.dirname, "ledger.ts"), "--check"] },
	{ name: "migrations", command: [path.join(import.meta.dirname, "check-migrations.ts")] },
	{ name: "ignored files", command: [path.join(import.meta.dirname, "check-tracked.ts")] },
	{ name: "types of the console", command: [installed("typescript/bin/tsc"), "--project", "src/console"], env: COMPILER },
	{ name: "types of the pages' scripts", command: [installed("typescript/bin/tsc"), "--project", "tsconfig.browser.json"], env: COMPILER },
];

/** Runs the command, prints its words only if it fails, and returns whether it passed. */
async function passes({ name, command, env }: (typeof checks)[number]): Promise<boolean> {
	const began = performance.now();
	const child = spawn(process.execPath, command, { cwd: repository, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
	let said = "";
	for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (said += text));
	const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
	process.stdout.write(`${code === 0 ? "ok    " : "FAILED"} ${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  ${name}\n`);
	if (code !== 0) process.stdout.write(`${said.trimEnd()}\n`);
	return code === 0;
}

const waiting = [...checks];
const failed: string[] = [];
async function work(): Promise<void> {
	for (let check = waiting.shift(); check; check = waiting.shift()) if (!(await passes(check))) failed.push(check.name);
}
await Promise.all(Array.from({ length: AT_A_TIME }, work));
if (failed.length > 0) process.exitCode = 1;
