// `npm run build`: puts the build that `npm start` and the tests share into `dist`, has wrangler say what it would upload, and fails when
// that is over the budgets.

import { execFileSync } from "node:child_process";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { assetsOf, bundleInto, configIn, modulesOf } from "./bundle.ts";
import { readCommandLine } from "./command-line.ts";
import { signInOf } from "./console.ts";
import { variablesOfWrangler, wranglerCommand } from "./deployment.ts";
import { quieten, repository } from "./service.ts";

/** In kB of 1,024 bytes, compressed. Most of it is loaded late, and weighs nothing at the start. */
const WORKER_BUDGET = 664;
const CONSOLE_BUDGET = 162;
/** What is loaded until somebody can sign in. */
const SIGN_IN_BUDGET = 25.5;
const CHUNK_BUDGET = 15;
/** A page of the reference with its style and script. */
const REFERENCE_BUDGET = 25;

readCommandLine("npm run build\n", {});
quieten(path.join(repository, ".wrangler/state"));
const outdir = path.join(repository, "dist");
await bundleInto(repository, outdir);
const said = execFileSync(process.execPath, [...wranglerCommand(), "deploy", "--config", configIn(outdir), "--dry-run"], {
	cwd: repository,
	encoding: "utf8",
	env: { ...variablesOfWrangler(process.env), CI: "1", NO_COLOR: "1", WRANGLER_LOG: "log" },
	stdio: ["ignore", "pipe", "inherit"],
});
const worker = Number(/Total Upload: [\d.]+ KiB \/ gzip: ([\d.]+) KiB/.exec(said)?.[1]);
if (Number.isNaN(worker)) throw new Error(`wrangler does not say what it would upload:\n${said}`);
const files = [...assetsOf(outdir)].map(([name, content]) => ({ name, text: content.toString(), kB: gzipSync(content).length / 1024 }));
const scripts = files
	.filter(({ name }) => /^\/console\/.*\.(js|css)$/.test(name))
	.map((file) => ({ ...file, name: path.basename(file.name) }));
const sum = (some: readonly { kB: number }[]): number => some.reduce((kB, file) => kB + file.kB, 0);
const largestOf = <T extends { kB: number }>(some: readonly T[]): T => some.reduce((one, other) => (one.kB > other.kB ? one : other));
const largest = largestOf(scripts);
const page = largestOf(files.filter(({ name }) => /^\/\w+\/docs\/.*\.html$/.test(name)));
const referenceAssets = files.filter(({ name }) => /^\/docs\/.*\.(js|css)$/.test(name));

const report = (what: string, kB: number, budget: number): void => {
	console.log(`${what}: ${kB.toFixed(1)} kB compressed, of at most ${budget}`);
	if (kB > budget) process.exitCode = 1;
};
report(`the Worker in ${modulesOf(outdir).modules.length} files`, worker, WORKER_BUDGET);
report("scripts and styles of the console", sum(scripts), CONSOLE_BUDGET);
report("what its sign-in loads", sum(signInOf(scripts)), SIGN_IN_BUDGET);
report(`its largest file, ${largest.name}`, largest.kB, CHUNK_BUDGET);
report(`the largest page of the reference, ${page.name}, with its script and style`, page.kB + sum(referenceAssets), REFERENCE_BUDGET);
if (process.exitCode) console.error("The build is over its budget.");
