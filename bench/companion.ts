// Bundles a Worker of the benches, as a deployment does, to run it next to the service in the same process.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { wranglerCommand } from "../src/dev/deployment.ts";

/** The options of Miniflare for the Worker of `<name>.toml` and `<name>.ts`, which answers requests that name it. */
export function companion(name: string, statePath: string): { name: string; [option: string]: unknown } {
	const outdir = path.join(statePath, name);
	mkdirSync(outdir, { recursive: true });
	const config = path.join(import.meta.dirname, `${name}.toml`);
	execFileSync(process.execPath, [...wranglerCommand(), "deploy", "--dry-run", "--config", config, "--outdir", outdir], {
		env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false" },
		stdio: ["ignore", "ignore", "inherit"],
	});
	return {
		name,
		// Miniflare binds only Workers with a route to its entry.
		routes: [`${name}.invalid/*`],
		compatibilityDate: "2026-08-15",
		modules: [{ type: "ESModule", path: path.join(outdir, `${name}.js`) }],
		modulesRoot: outdir,
	};
}
