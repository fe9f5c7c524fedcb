// What a deployment runs, and in which order.

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { EnvironmentConfig } from "./environments.ts";
import { migrationNames, stampIn } from "./migrations.ts";

/** What Node runs as the installed `wrangler`. */
export const wranglerCommand = (): string[] => [
	path.join(path.dirname(fileURLToPath(import.meta.resolve("wrangler"))), "../bin/wrangler.js"),
];

/**
 * The variables under which wrangler runs on the configuration of a build. That is of one environment already: with CLOUDFLARE_ENV wrangler
 * would look for it once more, warn that it is not there, and deploy another Worker (`…-production-production`).
 */
export const variablesOfWrangler = ({ CLOUDFLARE_ENV: _, ...others }: NodeJS.ProcessEnv): NodeJS.ProcessEnv => others;

/** What a deployed service must say of itself. */
export interface Release {
	/** This deployment and no other: the version, the commit and the time. */
	readonly name: string;
	/** The beginning of the hash that the last migration writes into a database, as /healthz says it. */
	readonly schema: string | undefined;
}

/** @param commit undefined where the sources are of no commit */
export function releaseOf(directory: string, commit: string | undefined, now: Date): Release {
	const { version } = JSON.parse(readFileSync(path.join(directory, "package.json"), "utf8")) as { version: string };
	const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
	const migrations = path.join(directory, "migrations");
	const stamps = migrationNames(migrations).map((name) => stampIn(readFileSync(path.join(migrations, name), "utf8")));
	return {
		name: `${version}+${[commit, time].filter((part) => part !== undefined).join(".")}`,
		schema: stamps.findLast((stamp) => stamp !== undefined)?.slice(0, 12) ?? "",
	};
}

/** What wrangler deploys by the configuration in this file of a build. */
export const commandsOf = (file: string, release: Release) => ({
	/** The same as a version that serves nobody yet. */
	upload: ["versions", "upload", "--config", file, "--var", `RELEASE:${release.name}`, "--tag", release.name],
	/** What a version does not carry: routes, cron and consumers. */
	triggers: ["triggers", "deploy", "--config", file],
	deploy: ["deploy", "--config", file, "--var", `RELEASE:${release.name}`, "--tag", release.name],
});

/** The secrets without which the Worker answers 503 (`src/runtime/config.ts`), by the variables of its environment. */
export function neededSecrets({ vars = {} }: EnvironmentConfig): string[] {
	const needed = [
		"SERVICE_KEYS",
		"MASTER_KEY",
		...(vars.MESSAGE_SENDER === "outbox" || vars.MESSAGE_SENDER === "list" ? [] : ["MESSAGE_SENDER_URL", "MESSAGE_SENDER_TOKEN"]),
		...(vars.CUSTODIAN === "sandbox" ? [] : ["CUSTODIAN_URL"]),
		...(vars.DISBURSER === "sandbox" || vars.DISBURSER === "connections" ? [] : ["DISBURSER_URL", "DISBURSER_SECRET"]),
		...(vars.AUTHORIZATION_PROVIDER === "openfga" ? ["OPENFGA_URL", "OPENFGA_STORE_ID", "OPENFGA_MODEL_ID"] : []),
	];
	return needed.filter((name) => vars[name] === undefined);
}
