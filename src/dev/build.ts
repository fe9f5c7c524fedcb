// `npm run build`: bundles the Worker into `dist`, has wrangler say what it would upload, and prints what the bundle is made of.
// `npm run build -- --at-most 300` fails when the bundle takes more than 300 kB (1,024 bytes) compressed.

import { execFileSync } from "node:child_process";
import path from "node:path";
import { bundleAfresh, codeBytes, deployCommand, modulesIn, wranglerCommand } from "./bundle.ts";
import { sharesOf } from "./bundle-shares.ts";
import { readCommandLine } from "./command-line.ts";
import { repository } from "./service.ts";

const usage = `npm run build -- [options]

  --at-most <number>  fail when the bundle takes more kB than this, compressed
`;

const { values } = readCommandLine(usage, { options: { "at-most": { type: "string" } } });
const outdir = path.join(repository, "dist");
const kept = await bundleAfresh(repository, outdir);
const said = execFileSync(process.execPath, [wranglerCommand(), ...deployCommand(outdir), "--dry-run"], {
	cwd: repository,
	encoding: "utf8",
	env: { ...process.env, CI: "1", NO_COLOR: "1", WRANGLER_LOG: "log" },
	stdio: ["ignore", "pipe", "inherit"],
});
const upload = /Total Upload: ([\d.]+) KiB \/ gzip: ([\d.]+) KiB/.exec(said)?.slice(1).map(Number);
if (!upload) throw new Error(`wrangler does not say what it would upload:\n${said}`);
const [kB = 0, compressedKb = 0] = upload;
const madeKb = codeBytes(outdir) / 1024;
if (Math.abs(kB - madeKb) > 1) throw new Error(`wrangler would upload ${kB} kB of code, but the bundle has ${madeKb.toFixed(1)} kB`);
for (const { name, bytes, share } of sharesOf(kept)) {
	console.log(`${(bytes / 1024).toFixed(1).padStart(8)} kB ${(100 * share).toFixed(1).padStart(5)} %  ${name}`);
}
console.log(
	`before it is minified; then ${kB.toFixed(1)} kB in ${modulesIn(outdir).length} files, ${compressedKb.toFixed(1)} kB compressed by gzip`,
);
const limit = values["at-most"];
if (limit !== undefined && !(compressedKb <= Number(limit))) {
	console.error(`The bundle may take at most ${limit} kB compressed.`);
	process.exitCode = 1;
}
