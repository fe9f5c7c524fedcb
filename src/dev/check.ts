// `npm run check`: whether each promise has its test, the type check, the linter, and the comparisons of operations with the client, and of
// tables with migrations. One after the other, because most keep two cores busy by themselves. Stops at the first that fails.

import { spawnSync } from "node:child_process";
import path from "node:path";

const repository = path.resolve(import.meta.dirname, "../..");
const installed = (file: string) => path.join(repository, "node_modules", file);

const checks = [
	{ command: [path.join(import.meta.dirname, "ledger.ts"), "--check"], env: {} },
	// The compiler allocates much and soon exits, so that it does better without collecting garbage, unless it needs more than 2 GiB.
	{ command: [installed("typescript/bin/tsc")], env: { GOGC: "off", GOMEMLIMIT: "2GiB" } },
	{ command: [installed("typescript/bin/tsc"), "--project", "src/console"], env: { GOGC: "off", GOMEMLIMIT: "2GiB" } },
	{ command: [installed("typescript/bin/tsc"), "--project", "tsconfig.browser.json"], env: { GOGC: "off", GOMEMLIMIT: "2GiB" } },
	{ command: [installed("@biomejs/biome/bin/biome"), "ci", "."], env: {} },
	{ command: [path.join(import.meta.dirname, "client.ts"), "--check"], env: {} },
	{ command: [path.join(import.meta.dirname, "check-migrations.ts")], env: {} },
];

for (const { command, env } of checks) {
	const { status } = spawnSync(process.execPath, command, { cwd: repository, env: { ...process.env, ...env }, stdio: "inherit" });
	if (status !== 0) process.exit(status ?? 1);
}
