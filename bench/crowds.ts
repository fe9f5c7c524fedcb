// `npm run bench -- crowds`: every list beside a hundred thousand rows that it must not show, or as many as `--rows` says, and the close of
// a day of as many accounts. The tests that hold the costs of lists run with more rows, and say what they cost.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { processorMsOf } from "./memory.ts";

const { values } = parseArgs({ options: { rows: { type: "string", default: "100000" } } });
const root = path.resolve(import.meta.dirname, "..");
const TESTS = ["test/contract/crowds.test.ts", "test/contract/lists.test.ts", "test/domains/credit-accounts/portfolio/crowd.test.ts"];

const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
const child = spawn(process.execPath, [vitest, "run", "--project", "workers", "--no-file-parallelism", ...TESTS], {
	cwd: root,
	env: { ...process.env, CROWD_ROWS: values.rows, NO_COLOR: "1" },
	stdio: ["ignore", "pipe", "inherit"],
});

/** The processor time (ms) of the runtimes that the tests have started, which are children of their children. */
function processorMs(): number {
	const parents = new Map(readdirSync("/proc").flatMap((pid) => (/^\d+$/.test(pid) ? [[pid, parentOf(pid)] as const] : [])));
	const isOurs = (pid: string | undefined): boolean => pid !== undefined && (pid === String(child.pid) || isOurs(parents.get(pid)));
	return [...parents.keys()].filter(isOurs).reduce((sum, pid) => sum + processorMsOf(pid, "workerd"), 0);
}

function parentOf(pid: string): string | undefined {
	try {
		return /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
	} catch {
		// It has ended meanwhile.
		return undefined;
	}
}

let began = 0;
for await (const line of createInterface({ input: child.stdout })) {
	if (/ read$|^ *(×|FAIL|AssertionError|Error:)|Tests /.test(line)) console.log(line);
	if (line.startsWith("the close begins")) began = processorMs();
	if (line.startsWith("the close ends")) console.log(`${line}, ${processorMs() - began} ms of the runtime's processor time`);
}
process.exitCode = child.exitCode ?? (await new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? 1))));
