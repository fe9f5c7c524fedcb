// What builds are made of, and how long they are kept: a build is named after its inputs, so that it is made once for all that need it.

import { createHash } from "node:crypto";
import { globSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import path from "node:path";

/** A digest of the inputs (sizes and times), which changes with any edit, checkout or install. */
export function digestOf(directory: string): string {
	const sources = readdirSync(path.join(directory, "src"), { recursive: true, encoding: "utf8" }).sort();
	const guides = globSync("docs/guides/*.md", { cwd: directory }).sort();
	const files = [
		...sources.map((name) => path.join("src", name)),
		...guides,
		"package.json",
		"package-lock.json",
		"vite.config.ts",
		"wrangler.edge.toml",
		"wrangler.toml",
	];
	const facts = files.map((name) => {
		const stat = statSync(path.join(directory, name), { throwIfNoEntry: false });
		return `${name} ${stat?.isFile() ? `${stat.size} ${stat.mtimeMs}` : ""}`;
	});
	return createHash("sha256")
		.update([directory, process.env.CLOUDFLARE_ENV, ...facts].join("\n"))
		.digest("hex")
		.slice(0, 16);
}

const UNUSED_MS = 3_600_000;

/** Notes that this build is used now, and removes others of its folder that were not for an hour, or that a process left unfinished. */
export function keepUsed(made: string): void {
	const now = new Date();
	utimesSync(made, now, now);
	const builds = path.dirname(made);
	for (const name of readdirSync(builds)) {
		const used = statSync(path.join(builds, name), { throwIfNoEntry: false });
		if (used && used.mtimeMs < now.getTime() - UNUSED_MS) rmSync(path.join(builds, name), { recursive: true, force: true });
	}
}
