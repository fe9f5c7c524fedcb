// `npm run build`: builds into `dist`, has wrangler say what it would upload, and fails when that is over the budgets.

import { execFileSync } from "node:child_process";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { assetsOf, build, configIn, modulesOf } from "./bundle.ts";
import { readCommandLine } from "./command-line.ts";
import { variablesOfWrangler, wranglerCommand } from "./deployment.ts";
import { quieten, repository } from "./service.ts";

/** In kB of 1,024 bytes, compressed. */
const WORKER_BUDGET = 395;
const PAGES_BUDGET = 60;

readCommandLine("npm run build\n", {});
quieten(path.join(repository, ".wrangler/state"));
const outdir = path.join(repository, "dist");
await build(repository, outdir);
const said = execFileSync(process.execPath, [...wranglerCommand(), "deploy", "--config", configIn(outdir), "--dry-run"], {
	cwd: repository,
	encoding: "utf8",
	env: { ...variablesOfWrangler(process.env), CI: "1", NO_COLOR: "1", WRANGLER_LOG: "log" },
	stdio: ["ignore", "pipe", "inherit"],
});
const worker = Number(/Total Upload: [\d.]+ KiB \/ gzip: ([\d.]+) KiB/.exec(said)?.[1]);
if (Number.isNaN(worker)) throw new Error(`wrangler does not say what it would upload:\n${said}`);
const scripts = [...assetsOf(outdir)].filter(([name]) => /\.(js|css)$/.test(name));
const pages = scripts.reduce((sum, [, content]) => sum + gzipSync(content).length, 0) / 1024;

const report = (what: string, kB: number, budget: number): void => {
	console.log(`${what}: ${kB.toFixed(1)} kB compressed, of at most ${budget}`);
	if (kB > budget) process.exitCode = 1;
};
report(`the Worker in ${modulesOf(outdir).modules.length} files`, worker, WORKER_BUDGET);
report("scripts and styles of its pages", pages, PAGES_BUDGET);
if (process.exitCode) console.error("The build is over its budget.");
