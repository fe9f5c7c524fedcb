// The wrangler commands of a deployment in their order, and what keeps a configuration from being deployed.

import path from "node:path";
import { fileURLToPath } from "node:url";

/** What Node runs as the installed `wrangler`. */
export const wranglerCommand = (): string[] => [
	path.join(path.dirname(fileURLToPath(import.meta.resolve("wrangler"))), "../bin/wrangler.js"),
];

/** What the configuration of a build says of its bindings. */
export interface DeployedConfig {
	readonly definedEnvironments?: readonly string[];
	readonly d1_databases?: readonly { readonly binding: string; readonly database_id?: string | undefined }[];
	readonly durable_objects?: { readonly bindings: readonly { readonly name: string }[] };
	readonly queues?: {
		readonly producers?: readonly { readonly binding: string; readonly queue?: string | undefined }[];
		readonly consumers?: readonly { readonly queue: string; readonly dead_letter_queue?: string | undefined }[];
	};
	readonly vars?: { readonly [name: string]: unknown };
	readonly ratelimits?: readonly { readonly name: string }[];
}

/** Environments of wrangler.toml inherit none of these from its top level. Further databases are optional. */
export const NEEDED_BINDINGS: readonly string[] = [
	"DB",
	"IDEMPOTENCY_KEYS",
	"DELIVERY_RETRIES",
	"WEBHOOK_QUEUE",
	"WEBHOOK_SLOW_QUEUE",
	"USER_LIMIT",
	"CLIENT_LIMIT",
	"ADDRESS_LIMIT",
	"EXCHANGE_LIMIT",
	"FAILURE_LIMIT",
];

/** The configuration must not be deployed; the message says why. */
export class Undeployable extends Error {}

/** The names of the bindings that hold data or work, or limit callers. */
export const bindingsOf = ({ d1_databases = [], durable_objects, queues, ratelimits = [] }: DeployedConfig): string[] => [
	...d1_databases.map(({ binding }) => binding),
	...(durable_objects?.bindings ?? []).map(({ name }) => name),
	...(queues?.producers ?? []).map(({ binding }) => binding),
	...ratelimits.map(({ name }) => name),
];

/**
 * Throws `Undeployable`.
 * @param file the configuration of the build
 * @param env the environment that the build was made for; without it, the top level of wrangler.toml
 */
export function deployment(config: DeployedConfig, file: string, env?: string): string[][] {
	// wrangler and Cloudflare's plugin only warn about an unknown environment, and take the bindings of the top level, which is production.
	if (env !== undefined && !config.definedEnvironments?.includes(env)) {
		const known = config.definedEnvironments?.join(", ") || "none";
		throw new Undeployable(`wrangler.toml has no environment ${env}; it has ${known}`);
	}
	const bound = bindingsOf(config);
	const missing = NEEDED_BINDINGS.filter((name) => !bound.includes(name));
	if (missing.length > 0)
		throw new Undeployable(`wrangler.toml does not bind ${missing.join(", ")}${env === undefined ? "" : ` in ${env}`}`);
	const consumed = (config.queues?.consumers ?? []).map(({ queue }) => queue);
	for (const { queue } of config.queues?.producers ?? []) {
		if (queue !== undefined && !consumed.includes(queue)) throw new Undeployable(`no Worker of wrangler.toml consumes the queue ${queue}`);
	}
	for (const { queue, dead_letter_queue: deadLetters } of config.queues?.consumers ?? []) {
		const isTold = deadLetters === undefined ? queue === config.vars?.DEAD_LETTER_QUEUE : deadLetters === config.vars?.DEAD_LETTER_QUEUE;
		if (!isTold) throw new Undeployable(`DEAD_LETTER_QUEUE of wrangler.toml is not where dead letters of the queue ${queue} end`);
	}
	const databases = config.d1_databases ?? [];
	for (const [index, { binding, database_id }] of databases.entries()) {
		const other = databases.slice(0, index).find((earlier) => earlier.database_id === database_id);
		if (other && database_id !== undefined)
			throw new Undeployable(`${other.binding} and ${binding} of wrangler.toml have the same database_id: each needs its own`);
	}
	return [
		...databases.map(({ binding }) => ["d1", "migrations", "apply", binding, "--remote", "--config", file]),
		["deploy", "--config", file],
	];
}
