// `npm run deploy [-- --env <name>]`: applies the migrations to every database of wrangler.toml, then deploys the Worker. It ends at
// the first failure, so that no Worker is deployed before all its databases have its tables.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";
import { unstable_readConfig } from "wrangler";
import { wranglerCommand } from "./bundle.ts";
import { deployment, MisboundDatabases } from "./deployment.ts";

const directory = path.resolve(import.meta.dirname, "../..");
const { env } = parseArgs({ options: { env: { type: "string", short: "e" } } }).values;

try {
	const { d1_databases } = unstable_readConfig({ config: path.join(directory, "wrangler.toml"), ...(env !== undefined && { env }) });
	for (const command of deployment(d1_databases, env)) {
		process.stdout.write(`wrangler ${command.join(" ")}\n`);
		const { status } = spawnSync(process.execPath, [wranglerCommand(), ...command], { cwd: directory, stdio: "inherit" });
		if (status !== 0) process.exit(status ?? 1);
	}
} catch (error) {
	if (!(error instanceof MisboundDatabases)) throw error;
	process.stderr.write(`${error.message}\n`);
	process.exit(1);
}
