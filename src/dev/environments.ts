// What keeps an environment of wrangler.toml and wrangler.edge.toml from being deployed. Everything is said at once, before anything is
// built or touched.

import { isDeepStrictEqual } from "node:util";
import { namesOperators, openToAll } from "./operators-issuers.ts";
import { regionalFaults, unplaced } from "./regional-cores.ts";

type Named = { readonly name: string };
type Bound = { readonly binding: string };
type Consumer = { readonly queue: string; readonly dead_letter_queue?: string | undefined };
type Route = string | { readonly pattern: string };

/** The part of a configuration that is looked at, as wrangler reads it for one environment. */
export interface EnvironmentConfig {
	readonly name?: string | undefined;
	readonly account_id?: string | undefined;
	readonly vars?: { readonly [name: string]: unknown };
	readonly d1_databases?: readonly (Bound & { readonly database_id?: string | undefined; readonly database_name?: string | undefined })[];
	readonly durable_objects?: { readonly bindings: readonly (Named & { readonly class_name: string })[] };
	readonly migrations?: readonly { readonly new_sqlite_classes?: readonly string[] | undefined }[];
	readonly queues?: {
		readonly producers?: readonly (Bound & { readonly queue?: string | undefined })[] | undefined;
		readonly consumers?: readonly Consumer[] | undefined;
	};
	readonly ratelimits?: readonly (Named & { readonly namespace_id: string; readonly simple: object })[] | undefined;
	readonly analytics_engine_datasets?: readonly (Bound & { readonly dataset?: string | undefined })[];
	readonly r2_buckets?: readonly (Bound & { readonly bucket_name?: string | undefined })[];
	readonly route?: Route | undefined;
	readonly routes?: readonly Route[] | undefined;
	readonly workers_dev?: boolean | undefined;
	readonly preview_urls?: boolean | undefined;
	readonly services?: readonly (Bound & { readonly service: string })[] | undefined;
	readonly triggers?: { readonly crons?: readonly string[] | undefined };
	readonly observability?:
		| {
				readonly logs?: { readonly invocation_logs?: boolean | undefined } | undefined;
				readonly traces?: { readonly enabled?: boolean | undefined } | undefined;
		  }
		| undefined;
}

/** All of wrangler.toml, or of wrangler.edge.toml. */
export interface Configured {
	/** This machine's. */
	readonly top: EnvironmentConfig;
	readonly deployed: ReadonlyMap<string, EnvironmentConfig>;
}

/** All of wrangler.toml, whose Workers are the cores, and the edges by their environments. */
export interface Environments extends Configured {
	readonly edges: ReadonlyMap<string, EnvironmentConfig>;
}

/** In addition to those of the top level, the variables without which a deployed Worker answers 503, or which say who may operate it. */
const NEEDED_VARIABLES = ["ENVIRONMENT", "BASE_URL", "TRUSTED_ISSUERS"];

/** Names that belong to nobody (RFC 2606), and what stands between angle brackets. */
const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text);
const PLACEHOLDER = /(?<![\w.-])(?:[\w-]+\.)*example(?:\.(?:com|net|org))?(?![\w.-])|<[^>]*>/i;
/** https://developers.cloudflare.com/workers/platform/limits/#environment-variables */
const MAX_VARIABLE_BYTES = 5_120;
const NO_DATABASE = /^[0-]*$/;

const kinds = {
	d1_databases: (config: EnvironmentConfig) => (config.d1_databases ?? []).map(({ binding }) => binding),
	"durable_objects.bindings": (config: EnvironmentConfig) => (config.durable_objects?.bindings ?? []).map(({ name }) => name),
	"queues.producers": (config: EnvironmentConfig) => (config.queues?.producers ?? []).map(({ binding }) => binding),
	ratelimits: (config: EnvironmentConfig) => (config.ratelimits ?? []).map(({ name }) => name),
	analytics_engine_datasets: (config: EnvironmentConfig) => (config.analytics_engine_datasets ?? []).map(({ binding }) => binding),
};

/** The names of all bindings, each with the section of wrangler.toml that it stands in. A bucket is optional. */
export const bindingsOf = (config: EnvironmentConfig): { readonly name: string; readonly section: string }[] =>
	Object.entries(kinds).flatMap(([section, namesIn]) => namesIn(config).map((name) => ({ name, section })));

/** The host names under which an environment is reached. */
export const hostsOf = ({ route, routes = [] }: EnvironmentConfig): string[] =>
	[...(route === undefined ? [] : [route]), ...routes].map((one) => (typeof one === "string" ? one : one.pattern).replace(/\/.*$/, ""));

const variable = (config: EnvironmentConfig, name: string): string | undefined => {
	const value = config.vars?.[name];
	return typeof value === "string" ? value : undefined;
};

type Resource = { readonly what: string; readonly id: string; readonly by: string };

/** What belongs to one environment alone, because the account knows it by this name. */
function resourcesOf(config: EnvironmentConfig): Resource[] {
	const { d1_databases = [], queues, ratelimits = [], analytics_engine_datasets = [], r2_buckets = [] } = config;
	const all: (Omit<Resource, "id"> & { readonly id: string | undefined })[] = [
		...d1_databases.map(({ binding, database_id }) => ({ what: "database", id: database_id, by: binding })),
		...(queues?.producers ?? []).map(({ binding, queue }) => ({ what: "queue", id: queue, by: binding })),
		{ what: "queue", id: variable(config, "DEAD_LETTER_QUEUE"), by: "DEAD_LETTER_QUEUE" },
		...ratelimits.map(({ name, namespace_id }) => ({ what: "rate-limit namespace", id: namespace_id, by: name })),
		...analytics_engine_datasets.map(({ binding, dataset }) => ({ what: "dataset", id: dataset, by: binding })),
		...r2_buckets.map(({ binding, bucket_name }) => ({ what: "bucket", id: bucket_name, by: binding })),
		{ what: "Worker", id: config.name, by: "name" },
	];
	return all.flatMap(({ id, ...rest }) => (id === undefined || isPlaceholder(id) || NO_DATABASE.test(id) ? [] : [{ ...rest, id }]));
}

/** Everything that keeps the environment from being deployed, each in a sentence; none when it may be. */
export function faultsOf(env: string | undefined, { top, deployed, edges }: Environments, sameAccount = false): string[] {
	const known = [...deployed.keys()].join(", ") || "none";
	if (env === undefined) return [`name the environment with --env: wrangler.toml has ${known}, and its top level is this machine's`];
	const config = deployed.get(env);
	if (!config) return [`wrangler.toml has no environment ${env}; it has ${known}`];
	const faults = [
		...missing(config, top),
		...placeholders(config),
		...shared(env, config, { top, deployed }),
		...wrong(env, config, top),
		...unplaced(config),
		...told(config),
		...addressesOfCore(config),
		...accountFaults(env, config, { deployed, sameAccount }),
	];
	return [
		...faults.map((fault) => `[env.${env}] ${fault}`),
		...edgeFaults(env, config, edges).map((fault) => `wrangler.edge.toml [env.${env}] ${fault}`),
	];
}

/** A request that reaches the core past the edge does not pass the edge's checks. */
function* addressesOfCore(config: EnvironmentConfig): Generator<string> {
	for (const host of hostsOf(config)) yield `has the route ${host}: routes are the edge's, in wrangler.edge.toml`;
	yield* otherAddresses(config);
}

function* otherAddresses({ workers_dev, preview_urls }: EnvironmentConfig): Generator<string> {
	if (workers_dev !== false) yield "has an address of workers.dev: set workers_dev = false";
	if (preview_urls !== false) yield "has an address for each version: set preview_urls = false";
}

function edgeFaults(env: string, core: EnvironmentConfig, edges: ReadonlyMap<string, EnvironmentConfig>): string[] {
	const edge = edges.get(env);
	if (!edge) return ["is missing"];
	const faults = [...otherAddresses(edge), ...told(edge), ...regionalFaults(core, edge)];
	const hosts = hostsOf(edge);
	if (hosts.length === 0) faults.push("has no route");
	for (const host of hosts) if (isPlaceholder(host)) faults.push(`routes has a placeholder: ${host}`);
	const address = variable(core, "BASE_URL") ?? "";
	const host = URL.canParse(address) ? new URL(address).host : "";
	if (host !== "" && !isPlaceholder(host) && hosts.length > 0 && !hosts.includes(host))
		faults.push(`routes is ${hosts.join(", ")}, and BASE_URL of wrangler.toml is at ${host}`);
	const bound = edge.services?.find(({ binding }) => binding === "CORE")?.service;
	if (bound !== core.name) faults.push(`CORE must be ${core.name}, and is ${bound ?? "not bound"}`);
	if (edge.account_id !== core.account_id) faults.push("account_id is not that of wrangler.toml");
	for (const [name, other] of edges) {
		if (name === env) continue;
		for (const taken of hostsOf(other).filter((one) => hosts.includes(one) && !isPlaceholder(one)))
			faults.push(`routes names the address ${taken}, which is that of [env.${name}]`);
		if (other.name === edge.name) faults.push(`name names the Worker ${edge.name}, which is that of [env.${name}]`);
	}
	return faults;
}

function* missing(config: EnvironmentConfig, top: EnvironmentConfig): Generator<string> {
	const bound = bindingsOf(config);
	for (const { name, section } of bindingsOf(top)) {
		if (!bound.some((one) => one.name === name && one.section === section)) yield `does not bind ${name} (${section})`;
	}
	for (const name of new Set([...NEEDED_VARIABLES, ...Object.keys(top.vars ?? {})])) {
		if (config.vars?.[name] === undefined) yield `has no variable ${name}`;
	}
	const migrated = (config.migrations ?? []).flatMap(({ new_sqlite_classes = [] }) => new_sqlite_classes);
	for (const { class_name } of config.durable_objects?.bindings ?? []) {
		if (!migrated.includes(class_name)) yield `has no migration that makes the class ${class_name}`;
	}
	for (const cron of top.triggers?.crons ?? []) {
		if (!config.triggers?.crons?.includes(cron)) yield `does not run the cron ${cron}`;
	}
}

function* placeholders(config: EnvironmentConfig): Generator<string> {
	for (const { binding, database_id, database_name } of config.d1_databases ?? []) {
		if (database_id === undefined || isPlaceholder(database_id) || NO_DATABASE.test(database_id))
			yield `${binding} has a placeholder for its database_id: npx wrangler d1 create ${database_name ?? "<name>"} --location weur prints one`;
	}
	for (const [name, value] of Object.entries(config.vars ?? {})) {
		if (typeof value === "string" && isPlaceholder(value)) yield `${name} has a placeholder: ${PLACEHOLDER.exec(value)?.[0]}`;
	}
}

/** What another environment, or another binding of this one, names too. */
function* shared(env: string, config: EnvironmentConfig, { top, deployed }: Configured): Generator<string> {
	const own = resourcesOf(config);
	for (const [index, { what, id, by }] of own.entries()) {
		const twin = own.slice(0, index).find((other) => other.what === what && other.id === id);
		if (twin) yield `${twin.by} and ${by} name the same ${what} ${id}: each needs its own`;
	}
	const others = [
		["the top level", top] as const,
		...[...deployed].filter(([name]) => name !== env).map(([name, one]) => [`[env.${name}]`, one] as const),
	];
	for (const [other, theirs] of others) {
		const taken = resourcesOf(theirs);
		for (const { what, id, by } of own) {
			if (taken.some((one) => one.what === what && one.id === id)) yield `${by} names the ${what} ${id}, which is that of ${other}`;
		}
	}
}

function* wrong(env: string, config: EnvironmentConfig, top: EnvironmentConfig): Generator<string> {
	const environment = variable(config, "ENVIRONMENT");
	const expected = env === "production" ? ["production"] : ["sandbox", "production"];
	if (environment !== undefined && !expected.includes(environment))
		yield `ENVIRONMENT is ${environment}, and must be ${expected.join(" or ")}`;
	const address = variable(config, "BASE_URL");
	if (address !== undefined && !(address.startsWith("https://") && URL.canParse(address)))
		yield `BASE_URL must begin with https://: ${address}`;
	const issuers = variable(config, "TRUSTED_ISSUERS");
	if (issuers !== undefined && !namesOperators(issuers))
		yield "TRUSTED_ISSUERS has no issuer of the kind operator: nobody could operate it";
	for (const issuer of openToAll(issuers))
		yield `TRUSTED_ISSUERS lets everybody operate it who has an account at ${issuer}: demand a claim that your people alone have, such as "required_claims": {"hd": ["example.com"]}`;

	const consumers = config.queues?.consumers ?? [];
	for (const { binding, queue } of config.queues?.producers ?? []) {
		const consumer = consumers.find((one) => one.queue === queue);
		if (!consumer) yield `consumes the queue ${queue} of ${binding} nowhere`;
		else if (!isDeepStrictEqual(settingsOf(consumer), settingsAt(top, binding)))
			yield `consumes the queue ${queue} with other settings than the top level that of ${binding}`;
	}
	const deadLetters = variable(config, "DEAD_LETTER_QUEUE");
	for (const { queue, dead_letter_queue: end } of consumers) {
		if ((end ?? queue) !== deadLetters) yield `DEAD_LETTER_QUEUE is not where dead letters of the queue ${queue} end`;
	}
	for (const [name, value] of Object.entries(config.vars ?? {})) {
		const bytes = Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));
		if (bytes > MAX_VARIABLE_BYTES) yield `${name} has ${bytes} bytes, and Cloudflare takes ${MAX_VARIABLE_BYTES} of a variable`;
	}
	for (const { name, simple } of config.ratelimits ?? []) {
		const usual = top.ratelimits?.find((one) => one.name === name);
		if (usual && !isDeepStrictEqual(simple, usual.simple)) yield `${name} must be ${JSON.stringify(usual.simple)}, as at the top level`;
	}
}

/** A token of one environment's account cannot touch the other's. */
function* accountFaults(
	env: string,
	{ account_id: id }: EnvironmentConfig,
	{ deployed, sameAccount }: Pick<Environments, "deployed"> & { readonly sameAccount: boolean },
): Generator<string> {
	if (id === undefined || !/^[0-9a-f]{32}$/.test(id))
		return yield "has no account_id: npx wrangler whoami lists your accounts with their ids";
	for (const [name, other] of deployed) {
		if (name !== env && other.account_id === id && !sameAccount)
			yield `account_id is that of [env.${name}] too: each environment needs an account of its own, or say --same-account`;
	}
}

/** What the platform would write down by itself: the whole address of each request, with the secrets in it. Unset, it does both. */
function* told({ observability }: EnvironmentConfig): Generator<string> {
	if (observability?.traces?.enabled !== false)
		yield "traces every request with its whole address, and with it the secrets of callback addresses: set [observability.traces] enabled = false";
	if (observability?.logs?.invocation_logs !== false)
		yield "logs every request with its whole address, and with it the secrets of callback addresses: set [observability.logs] invocation_logs = false";
}

const settingsOf = ({ queue: _, dead_letter_queue: __, ...settings }: Consumer): object => settings;

function settingsAt(top: EnvironmentConfig, binding: string): object | undefined {
	const queue = top.queues?.producers?.find((one) => one.binding === binding)?.queue;
	const consumer = top.queues?.consumers?.find((one) => one.queue === queue);
	return consumer && settingsOf(consumer);
}
