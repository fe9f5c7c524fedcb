// `npm run simulate`: runs random histories of current accounts, and prints the seed of one in which a law is broken.

import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const help = `npm run simulate -- [options]

  --runs <number>  how many histories (default 1000)
  --seed <number>  of the first one; the next ones count up (default: a fresh one, printed)
`;

const { values } = parseArgs({
	options: { runs: { type: "string", default: "1000" }, seed: { type: "string" }, help: { type: "boolean", short: "h" } },
});
const runs = Number(values.runs);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
if (values.help || !Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed) || seed < 0) {
	process.stdout.write(help);
	process.exit(values.help ? 0 : 2);
}

process.stdout.write(`${runs} histories from seed ${seed}\n`);
const { status } = spawnSync("npx", ["vitest", "run", "--project", "node", "test/simulation", "-t", "random history"], {
	stdio: "inherit",
	env: { ...process.env, SIMULATION_RUNS: String(runs), SIMULATION_SEED: String(seed) },
});
process.exit(status ?? 1);
