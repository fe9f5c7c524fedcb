// `npm run simulate:faults`: makes every effect of every operation fail, and then runs drawn plans.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const help = `npm run simulate:faults -- [options]

  --op <id>           only this operation, with its variants
  --homes <1 or 3>    only with one database, or with three
  --plan <text>       only this plan, as one that failed was printed; tells the points of each life
  --plans <file>      only the plans in what such a run has printed
  --random            only drawn plans
  --minutes <number>  how long plans are drawn (default 10)
  --seed <number>     what they are drawn by (default: a fresh one, printed)
`;

const text = { type: "string" } as const;
const { values } = parseArgs({
	options: {
		op: text,
		plan: text,
		plans: text,
		seed: text,
		minutes: text,
		homes: text,
		random: { type: "boolean" },
		help: { type: "boolean", short: "h" },
	},
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const minutes = Number(values.minutes ?? 10);
const files = { "1": ["command.test.ts"], "3": ["command-homes.test.ts"], both: [] }[values.homes ?? "both"];
if (values.help || !files || !Number.isSafeInteger(seed) || seed < 0 || !(minutes >= 0)) {
	process.stdout.write(help);
	process.exit(values.help ? 0 : 2);
}

const printed = values.plans === undefined ? [] : readFileSync(values.plans, "utf8").matchAll(/--plan '([^']+)'/g);
const plans = values.plan === undefined ? Array.from(printed, ([, plan]) => plan) : [values.plan];
const drawsPlans = values.plan === undefined && values.plans === undefined;
if (drawsPlans) process.stdout.write(`seed ${seed}\n`);
const { status } = spawnSync("npx", ["vitest", "run", "--project", "faults", ...files], {
	stdio: "inherit",
	env: {
		...process.env,
		FAULTS: drawsPlans ? (values.random ? "random" : "all") : "plan",
		FAULTS_SEED: String(seed),
		FAULTS_MINUTES: String(minutes),
		...(values.op !== undefined && { FAULTS_OP: values.op }),
		...(!drawsPlans && { FAULTS_PLANS: plans.join("\n") }),
	},
});
process.exit(status ?? 1);
