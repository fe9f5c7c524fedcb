// `npm run deploy -- --env <name>`: checks the environment of wrangler.toml and wrangler.edge.toml, builds both Workers, applies the migrations
// to every database, deploys the core, proves that it serves, and deploys the edge.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { CannotStart, reportOf } from "./cannot-start.ts";
import { readCommandLine } from "./command-line.ts";
import { back, deploy, rehearse } from "./deploying.ts";
import { releaseOf, wranglerCommand } from "./deployment.ts";
import { edgeOf } from "./edge.ts";
import { loadEnvironments } from "./runtime.ts";

const directory = path.resolve(import.meta.dirname, "../..");

const usage = `npm run deploy -- --env <name> [--dry-run] [--same-account] [--share <percent> | --back <version>]

  -e, --env <name>  environment of wrangler.toml to deploy to
  --same-account    staging and production may share a Cloudflare account
  --share <percent> gives the new version that many of a hundred requests, and the one that serves the rest
  --back <version>  lets an earlier version serve again, unless secrets have changed since
  --dry-run         prints what it would do and what would keep it from that, offline

The variable OPERATOR_TOKEN holds an operator's token of the environment: the proof then signs in, and in the sandbox sends a webhook.
`;

const { values } = readCommandLine(usage, {
	options: {
		env: { type: "string", short: "e" },
		"dry-run": { type: "boolean" },
		"same-account": { type: "boolean" },
		share: { type: "string" },
		back: { type: "string" },
	},
});
const edge = edgeOf(directory, wranglerCommand());

/** The commit of the sources, if they are of one. */
function commit(): string | undefined {
	const git = (...words: string[]) => spawnSync("git", words, { cwd: directory, encoding: "utf8" });
	const { status, stdout } = git("rev-parse", "--short=10", "HEAD");
	if (status !== 0) return undefined;
	return `${stdout.trim()}${git("status", "--porcelain").stdout === "" ? "" : ".changed"}`;
}

function percentOf(text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (!/^[1-9]\d?$/.test(text)) throw new CannotStart(`--share takes a number from 1 to 99: ${text}`);
	return Number(text);
}

try {
	const deployment = {
		env: values.env,
		environments: await loadEnvironments(directory),
		release: releaseOf(directory, commit(), new Date()),
		operatorToken: process.env.OPERATOR_TOKEN || undefined,
		share: percentOf(values.share),
		sameAccount: values["same-account"] === true,
		migrations: path.join(directory, "migrations"),
	};
	if (values.back !== undefined) await back(deployment, values.back, edge);
	else if (!values["dry-run"]) await deploy(deployment, edge);
	else if (!rehearse(deployment, edge.say)) process.exitCode = 1;
} catch (error) {
	if (!(error instanceof CannotStart)) throw error;
	process.stderr.write(`${reportOf(error)}\n`);
	process.exit(1);
}
