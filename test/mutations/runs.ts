// Runs tests while guards are taken out.

import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Told } from "./findings.ts";
import type { Plan, Verdict } from "./plan.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/** A sample ends so long after its time: without some guards a loop has no end. */
const ENDLESS_MS = 60_000;

const LATE: Verdict = { visited: [], noticed: [], missed: [], late: true };

/** Runs these tests and returns what each has reported. */
export async function run(
	tests: readonly string[],
	plan: Plan,
	{ variables = {}, options = [] }: { readonly variables?: Readonly<Record<string, string>>; readonly options?: readonly string[] } = {},
): Promise<Told[]> {
	const vitest = path.join(ROOT, "node_modules/vitest/vitest.mjs");
	const config = path.join(import.meta.dirname, "vitest.config.ts");
	const child = spawn(process.execPath, [vitest, "run", "--config", config, ...options, ...tests], {
		cwd: ROOT,
		env: { ...process.env, ...variables, MUTATIONS: JSON.stringify(plan) },
		stdio: ["ignore", "pipe", "pipe"],
		// A group of its own, so that the runtime ends with it.
		detached: true,
	});
	let isEnded = false;
	const end = () => {
		isEnded = true;
		if (child.pid) process.kill(-child.pid, "SIGKILL");
	};
	const bound = plan.sample ? setTimeout(end, plan.sample.until + ENDLESS_MS - Date.now()) : undefined;
	process.once("exit", end);
	const told: Told[] = [];
	const noise: string[] = [];
	const read = async (stream: NodeJS.ReadableStream) => {
		for await (const line of createInterface({ input: stream })) {
			if (line.startsWith("@@")) told.push(JSON.parse(line.slice(2)) as Told);
			else noise.push(line);
		}
	};
	await Promise.all([read(child.stdout), read(child.stderr)]);
	clearTimeout(bound);
	process.off("exit", end);
	if (isEnded) return [...told, { file: "", name: "", verdict: LATE, state: "skipped" }];
	if (told.length === 0) throw new Error(`the tests of ${tests.join(" ")} did not run:\n${noise.slice(-30).join("\n")}`);
	return told;
}
