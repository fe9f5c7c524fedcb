// `npm run check`: the type check, the linter, and the comparison of tables with migrations, all at the same time.

import { spawn } from "node:child_process";
import path from "node:path";

const repository = path.resolve(import.meta.dirname, "../..");
const installed = (file: string) => path.join(repository, "node_modules", file);

const checks = [
	// The compiler allocates much and soon exits, so it collects garbage four times as seldom as Go does by default.
	{ name: "types", command: [installed("typescript/bin/tsc"), "--checkers", "2"], env: { GOGC: "400" } },
	{ name: "lint", command: [installed("@biomejs/biome/bin/biome"), "ci", "."], env: {} },
	{ name: "migrations", command: [path.join(import.meta.dirname, "check-migrations.ts")], env: {} },
];

/** Runs one check, prints its output under its name, and returns whether it passed. */
function passes({ name, command, env }: (typeof checks)[number]): Promise<boolean> {
	const child = spawn(process.execPath, command, { cwd: repository, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
	const output: Buffer[] = [];
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
	return new Promise((resolve, reject) => {
		child.on("error", reject);
		child.on("close", (code) => {
			process.stdout.write(`${name}: ${code === 0 ? "ok" : "failed"}\n${Buffer.concat(output)}`);
			resolve(code === 0);
		});
	});
}

const passed = await Promise.all(checks.map(passes));
if (passed.includes(false)) process.exitCode = 1;
