// `npm run deploy [-- --env <name>]`: builds the Worker, applies the migrations to every database of wrangler.toml, then deploys the
// build. It ends at the first failure, so that no Worker is deployed before all its databases have its tables.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { build, configIn } from "./bundle.ts";
import { readCommandLine } from "./command-line.ts";
import { deployment, Undeployable, wranglerCommand } from "./deployment.ts";

const directory = path.resolve(import.meta.dirname, "../..");

const usage = `npm run deploy -- [options]

  -e, --env <name>  environment of wrangler.toml to deploy to (default: its top level)
`;

const { env } = readCommandLine(usage, { options: { env: { type: "string", short: "e" } } }).values;
// Cloudflare's plugin builds for the environment of this name. One that is set where the command runs must not decide.
process.env.CLOUDFLARE_ENV = env ?? "";
// The build sets it otherwise.
const { WRANGLER_LOG } = process.env;
const outdir = path.join(directory, "dist");

try {
	await build(directory, outdir);
	const config = configIn(outdir);
	for (const command of deployment(JSON.parse(readFileSync(config, "utf8")), config, env)) {
		process.stdout.write(`wrangler ${command.join(" ")}\n`);
		const { status } = spawnSync(process.execPath, [...wranglerCommand(), ...command], {
			cwd: directory,
			env: { ...process.env, WRANGLER_LOG },
			stdio: "inherit",
		});
		if (status !== 0) process.exit(status ?? 1);
	}
} catch (error) {
	if (!(error instanceof Undeployable)) throw error;
	process.stderr.write(`${error.message}\n`);
	process.exit(1);
}
