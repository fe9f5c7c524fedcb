// `npm run deploy [-- --env <name>]`: bundles the Worker, applies the migrations to every database of wrangler.toml, then deploys the
// bundle. It ends at the first failure, so that no Worker is deployed before all its databases have its tables.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { bundle, deployCommand, wranglerCommand } from "./bundle.ts";
import { CannotStart } from "./cannot-start.ts";
import { readCommandLine } from "./command-line.ts";
import { deployment, MisboundDatabases } from "./deployment.ts";

const directory = path.resolve(import.meta.dirname, "../..");

const usage = `npm run deploy -- [options]

  -e, --env <name>  environment of wrangler.toml to deploy to (default: its top level)
`;

const { env } = readCommandLine(usage, { options: { env: { type: "string", short: "e" } } }).values;

try {
	const { unstable_readConfig } = await import("wrangler");
	const { d1_databases } = unstable_readConfig({ config: path.join(directory, "wrangler.toml"), ...(env !== undefined && { env }) });
	const commands = deployment(d1_databases, deployCommand(await bundle(directory)), env);
	for (const command of commands) {
		process.stdout.write(`wrangler ${command.join(" ")}\n`);
		const { status } = spawnSync(process.execPath, [wranglerCommand(), ...command], { cwd: directory, stdio: "inherit" });
		if (status !== 0) process.exit(status ?? 1);
	}
} catch (error) {
	if (!(error instanceof MisboundDatabases || error instanceof CannotStart)) throw error;
	process.stderr.write(`${error.message}\n`);
	process.exit(1);
}
