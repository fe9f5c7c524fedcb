// `npm run build`: bundles as a deployment does, and prints what the bundle is made of. `npm run build -- --at-most 300` fails when
// the bundle takes more than 300 kB (1,024 bytes) compressed.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { wranglerCommand } from "./bundle.ts";
import { type Metafile, sharesOf } from "./bundle-shares.ts";
import { repository } from "./service.ts";

const { values } = parseArgs({ options: { "at-most": { type: "string" } } });
const outdir = path.join(repository, "dist");
execFileSync(process.execPath, [wranglerCommand(), "deploy", "--dry-run", "--outdir", outdir, "--metafile"], {
	cwd: repository,
	stdio: ["ignore", "ignore", "inherit"],
});
const metafile = JSON.parse(readFileSync(path.join(outdir, "bundle-meta.json"), "utf8")) as Metafile;
for (const { name, bytes, share } of sharesOf(metafile)) {
	console.log(`${(bytes / 1024).toFixed(1).padStart(8)} kB ${(100 * share).toFixed(1).padStart(5)} %  ${name}`);
}
const bundle = readFileSync(path.join(outdir, "worker.js"));
const compressedKb = gzipSync(bundle).length / 1024;
console.log(`${(bundle.length / 1024).toFixed(1).padStart(8)} kB in all, ${compressedKb.toFixed(1)} kB compressed by gzip`);
const limit = values["at-most"];
if (limit !== undefined && !(compressedKb <= Number(limit))) {
	console.error(`The bundle may take at most ${limit} kB compressed.`);
	process.exitCode = 1;
}
