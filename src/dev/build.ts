// `npm run build`: bundles the Worker into `dist`, has wrangler check what it would deploy, and prints what the bundle is made of.
// `npm run build -- --at-most 300` fails when the bundle takes more than 300 kB (1,024 bytes) compressed.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { bundleAfresh, deployCommand, modulesIn, wranglerCommand } from "./bundle.ts";
import { sharesOf } from "./bundle-shares.ts";
import { readCommandLine } from "./command-line.ts";
import { repository } from "./service.ts";

const usage = `npm run build -- [options]

  --at-most <number>  fail when the bundle takes more kB than this, compressed
`;

const { values } = readCommandLine(usage, { options: { "at-most": { type: "string" } } });
const outdir = path.join(repository, "dist");
const kept = await bundleAfresh(repository, outdir);
execFileSync(process.execPath, [wranglerCommand(), ...deployCommand(outdir), "--dry-run"], {
	cwd: repository,
	stdio: ["ignore", "ignore", "inherit"],
});
for (const { name, bytes, share } of sharesOf(kept)) {
	console.log(`${(bytes / 1024).toFixed(1).padStart(8)} kB ${(100 * share).toFixed(1).padStart(5)} %  ${name}`);
}
// Compressed together, as Cloudflare counts them.
const files = modulesIn(outdir).map(({ path: file }) => readFileSync(file));
const code = Buffer.concat(files);
const compressedKb = gzipSync(code).length / 1024;
console.log(
	`before it is minified; then ${(code.length / 1024).toFixed(1)} kB in ${files.length} files, ${compressedKb.toFixed(1)} kB compressed by gzip`,
);
const limit = values["at-most"];
if (limit !== undefined && !(compressedKb <= Number(limit))) {
	console.error(`The bundle may take at most ${limit} kB compressed.`);
	process.exitCode = 1;
}
