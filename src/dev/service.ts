// The service on this machine: the build that is deployed, edge and core, with the bindings of wrangler.toml, in Miniflare. It does not use
// `vite preview` or `wrangler dev`, which are several times slower, run neither the cron nor the migrations, and serve the same data twice.

import { channel } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import path from "node:path";
import { saidOfAuthorization } from "./authorization-check.ts";
import { assetsOf, bundle, configIn, modulesOf } from "./bundle.ts";
import { CannotStart } from "./cannot-start.ts";
import { loopbackCertificate } from "./certificate.ts";
import { type ChosenBindings, chosenBindings } from "./chosen-bindings.ts";
import { type Claim, claim, nameOf } from "./claim.ts";
import { countShards, recordedShards, recordShards, withShards } from "./databases.ts";
import { whyUnreachable } from "./diagnosis.ts";
import { type Answered, type Front, openFront } from "./front.ts";
import { type LocalReceiver, openLocalReceiver } from "./local-receiver.ts";
import { ensureLocalVariables } from "./local-variables.ts";
import { type LogEntry, lineOfLog, lineOfRequest, ofRuntime, SERVICE_LOG } from "./log-lines.ts";
import { applyMigrations, BATCH_WORKER, batchIn, isOfThisVersion, UnknownMigrations } from "./migrations.ts";
import { loadRuntime } from "./runtime.ts";
import { watchRuntime } from "./watchdog.ts";
import { writeWhole } from "./whole-file.ts";
import { refuseWrongVariables } from "./wrong-variables.ts";

export const repository = path.resolve(import.meta.dirname, "../..");
export const defaultPort = 8787;
/** Where Miniflare keeps D1, Durable Objects and caches, and wrangler its settings, within the directory of the data. */
export const DATA_DIRECTORY = "v3";
export const CONFIG_DIRECTORY = "config";
export const defaultStatePath = path.join(repository, ".wrangler", "state");

const logged = channel(SERVICE_LOG);
const everyMinute = "* * * * *";
/** What the runtime knows the core by. */
export const CORE = "core";

export type Variables = Readonly<Record<string, string>>;

export interface ServiceOptions extends ChosenBindings {
	readonly host?: string;
	/** 0 takes any free port. */
	readonly port?: number;
	/** The directory of D1, Durable Objects and caches, as for `wrangler dev --persist-to`. */
	readonly statePath?: string;
	/** Override wrangler.toml and `.dev.vars`, as `wrangler dev --var` does; a function where they name the port. */
	readonly variables?: Variables | ((port: number) => Variables);
	/** How many databases hold homes, not counting the directory; by default as many as the data was made with. */
	readonly databases?: number;
	/** Other Workers of the same process, as Miniflare takes them, for measurements. They answer at `inside`. */
	readonly companions?: readonly object[];
	/** Runs a receiver of webhooks for the console. */
	readonly receiver?: boolean;
	/** The checkout with wrangler.toml. */
	readonly directory?: string;
	readonly onLog?: (log: LogEntry) => void;
}

export interface Service {
	readonly url: string;
	/** The address of the runtime itself, behind the proxy that `url` names. */
	readonly inside: string;
	readonly statePath: string;
	readonly wroteVariables: boolean;
	readonly migrated: readonly string[];
	/** How many databases hold homes, not counting the directory. */
	readonly databases: number;
	/** Runs what the cron runs each minute. */
	sweep(): Promise<void>;
	stop(): Promise<void>;
}

/** Starts the service and runs the cron immediately, so that work left by the last process goes on. Throws `CannotStart`. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
	const host = options.host ?? "127.0.0.1";
	const directory = options.directory ?? repository;
	const statePath = options.statePath ?? path.join(directory, ".wrangler", "state");
	const claimed = claim(statePath);
	if ("holder" in claimed) {
		throw new CannotStart(
			`This data is already ${nameOf(claimed.holder)}. To start on other data: npm start -- --persist-to <directory> --port <port>`,
		);
	}
	const { onLog = print } = options;
	const tell = (entry: LogEntry): void => {
		logged.publish(entry);
		onLog(entry);
	};
	let front: Front | undefined;
	try {
		front = await listen({ host, port: options.port ?? defaultPort }, (answered) =>
			tell({ level: "info", message: lineOfRequest(answered) }),
		);
		const url = `http://${host.includes(":") ? `[${host}]` : host}:${front.port}`;
		return await serve({ ...options, directory, statePath }, { url, front, tell, claimed });
	} catch (error) {
		await front?.close();
		claimed.release();
		throw error;
	}
}

type CompleteOptions = ServiceOptions & { readonly directory: string; readonly statePath: string };
type Held = { readonly url: string; readonly front: Front; readonly tell: (log: LogEntry) => void; readonly claimed: Claim };

async function serve(options: CompleteOptions, { url, front, tell, claimed }: Held): Promise<Service> {
	const { directory, statePath } = options;
	const made = recordedShards(statePath);
	if (options.databases !== undefined && options.databases < made) throw new CannotStart(fewerDatabases(made, options.databases));
	const wroteVariables = ensureLocalVariables(directory);
	const trusted = trustLoopback(path.join(directory, ".local"));
	quieten(statePath);

	const [outdir, { configured, run, splitSql, trigger, isRuntimeError, Response: RuntimeResponse }] = await Promise.all([
		bundle(directory),
		loadRuntime(),
	]);
	const { config, options: workerOptions } = configured(configIn(outdir));
	const { modulesRules: ___, ...edge } = configured(configIn(outdir, "edge")).options;
	const bound = withShards(config.d1_databases, options.databases ?? made);
	const bindingIds = workerOptions.d1Databases as Readonly<Record<string, unknown>> | undefined;
	const d1Databases = Object.fromEntries(bound.map(({ binding }) => [binding, bindingIds?.[binding] ?? binding]));
	const resourcePersistencePath = path.join(statePath, DATA_DIRECTORY);
	const stopWatching = watchRuntime();

	// Before any request is passed on: the first one must find the tables.
	const migrated: string[] = [];
	const databases = run([{ modules: true, script: BATCH_WORKER, d1Databases }], { resourcePersistencePath });
	try {
		for (const { binding, migrations_dir = "migrations", migrations_table: table = "d1_migrations" } of bound) {
			const migrations = { directory: path.resolve(path.dirname(configIn(outdir)), migrations_dir), table, split: splitSql };
			const batch = batchIn(databases, binding);
			migrated.push(...(await applyMigrations(batch, migrations)));
			if (!(await isOfThisVersion(batch, migrations.directory))) throw new CannotStart(otherVersion(statePath));
		}
	} catch (error) {
		throw error instanceof UnknownMigrations ? new CannotStart(otherVersion(statePath)) : error;
	} finally {
		await databases.dispose();
	}
	recordShards(statePath, countShards(bound));

	// Wrangler's module rules are for bundling, which is done, and Miniflare rejects them.
	// The assets are those of the bundle, without Miniflare's Workers for assets in front of each request.
	const { modulesRules: _, assets: __, ...worker } = workerOptions;
	const variables = typeof options.variables === "function" ? options.variables(front.port) : options.variables;
	// As a deployment: consumers that stay a moment share their trips, and few connections are opened once instead of many times.
	const bindings = { WEBHOOK_PACE: "deployed", ...(workerOptions.bindings as object | undefined), ...variables };
	const heard = new Set(await saidOfAuthorization(repository, bindings));
	let serving = false;
	const log = (entry: LogEntry): void => void (serving ? tell(entry) : heard.add(entry.message));
	const diagnose = async (request: Request) => RuntimeResponse.json(await whyUnreachable(await request.text(), trusted));
	const assets = assetsOf(outdir);
	const asset = ({ url }: { url: string }) => {
		const content = assets.get(new URL(url).pathname);
		return new RuntimeResponse(content ?? null, { status: content ? 200 : 404 });
	};
	const serviceBindings = { ...(worker.serviceBindings as object | undefined), CONNECTION_DIAGNOSIS: diagnose, ASSETS: asset };
	const chosen = chosenBindings(worker, options);
	const workers = [
		// The first one is what requests are for.
		{ ...edge, name: "edge", ...modulesOf(outdir, "edge"), serviceBindings: { CORE } },
		{ ...worker, name: CORE, ...chosen, d1Databases, ...modulesOf(outdir), bindings, serviceBindings },
		...(options.companions ?? []),
	];
	const runtime = run(workers, {
		resourcePersistencePath,
		host: "127.0.0.1",
		port: 0,
		handleStructuredLogs({ level, message }: LogEntry) {
			const said = ofRuntime(message);
			if (said !== undefined) log({ level, message: said });
		},
		handleUncaughtError: (error: Error) => log({ level: "error", message: error.stack ?? String(error) }),
	});
	let receiver: LocalReceiver | undefined;
	let inside: URL;
	try {
		inside = await runtime.ready;
		await refuseWrongVariables(() => runtime.dispatchFetch("http://localhost/healthz"), heard);
		receiver = options.receiver ? await openLocalReceiver(front.port + 1) : undefined;
	} catch (error) {
		await runtime.dispose();
		throw isRuntimeError(error) ? new CannotStart(error.message) : error;
	}
	front.passTo(inside, receiver?.answer);

	claimed.announce(url);
	serving = true;
	for (const message of heard) tell({ level: "info", message });

	const sweep = async (): Promise<void> => {
		if (!config.triggers.crons?.includes(everyMinute)) return;
		await trigger(runtime, CORE, everyMinute);
	};
	let stopped: Promise<void> | undefined;
	const sweepQuietly = async (): Promise<void> => {
		try {
			await sweep();
		} catch (error) {
			// The end of the service cuts off a sweep, which the next start does again.
			if (!stopped) log({ level: "error", message: `the cron failed: ${error}` });
		}
	};
	void sweepQuietly();
	const sweeping = setInterval(sweepQuietly, 60_000);

	const stop = async (): Promise<void> => {
		clearInterval(sweeping);
		await front.close();
		await runtime.dispose();
		await receiver?.close();
		stopWatching();
		claimed.release();
	};
	return {
		url,
		inside: inside.origin,
		statePath,
		wroteVariables,
		migrated,
		databases: countShards(bound),
		sweep,
		stop: () => {
			stopped ??= stop();
			return stopped;
		},
	};
}

const fewerDatabases = (made: number, named: number): string =>
	`This data lies in ${made} databases beside the directory, and --databases names ${named}: some homes would be missing. Start with --databases ${made} or more, or on other data (--persist-to <directory>).`;

const otherVersion = (statePath: string): string =>
	`This data was made by a later or another version of the service, whose tables this version does not know: start that version, or delete ${path.relative(process.cwd(), statePath) || statePath} (npm run reset${statePath === defaultStatePath ? "" : ` -- --persist-to ${statePath}`}) and start again.`;

/** Before anything slow, so that a taken port is reported immediately. */
async function listen(to: { host: string; port: number }, onAnswer: (answered: Answered) => void): Promise<Front> {
	try {
		return await openFront(to, onAnswer);
	} catch (error) {
		if (!(error instanceof Error)) throw error;
		const other = to.port + 1;
		throw new CannotStart(
			"code" in error && error.code === "EADDRINUSE"
				? `Port ${to.port} of ${to.host} is in use. Choose another: npm start -- --port ${other} (or PORT=${other} npm start)`
				: error.message,
		);
	}
}

/**
 * Makes the Worker's `fetch` trust the certificate of receivers on this machine, and returns it. Miniflare reads NODE_EXTRA_CA_CERTS once,
 * when its module loads. Certificates that the variable already names stay trusted.
 */
function trustLoopback(localDirectory: string): string {
	const { cert } = loopbackCertificate(localDirectory);
	const trusted = path.join(localDirectory, "trusted.pem");
	const before = process.env.NODE_EXTRA_CA_CERTS;
	if (before === trusted) return cert;
	let others = "";
	try {
		if (before) others = readFileSync(before, "utf8");
	} catch {
		// Node, too, only warns about a file that it cannot read.
	}
	writeWhole(trusted, `${others}\n${cert}`);
	process.env.NODE_EXTRA_CA_CERTS = trusted;
	return cert;
}

/** Keeps wrangler from reporting, from asking the network, and from writing into a home directory that may be read-only. */
export function quieten(statePath: string): void {
	process.env.XDG_CONFIG_HOME = path.join(statePath, CONFIG_DIRECTORY);
	process.env.WRANGLER_SEND_METRICS = "false";
	process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
	process.env.WRANGLER_LOG ??= "warn";
}

/** Prints what is logged. */
function print({ level, message }: LogEntry): void {
	const line = lineOfLog(message);
	if (line !== undefined) (level === "error" || level === "warn" ? process.stderr : process.stdout).write(`${line}\n`);
}
