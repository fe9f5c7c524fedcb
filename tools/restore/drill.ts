// The drill: a seeded service is backed up under traffic, killed, and made again of the bucket alone. The restored service must equal the
// killed service at the time of its last file, and serve the same figures.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Load } from "../../bench/kills.load.ts";
import { makeOrganization, makePair, operatorToken } from "../../bench/people.ts";
import { BACKUP_BUCKET } from "../../src/dev/chosen-bindings.ts";
import { databaseFile } from "../../src/dev/databases.ts";
import { operatorOf, startOwnService } from "../../src/dev/own-service.ts";
import { loadRuntime } from "../../src/dev/runtime.ts";
import { DATA_DIRECTORY, repository } from "../../src/dev/service.ts";
import { seed } from "../seed.ts";
import { byDatabase, chainUntil } from "./chain.ts";
import { type Compared, compare } from "./copied.ts";
import { type Made, makeDatabase } from "./database.ts";
import { inDirectory } from "./files.ts";
import { keysAfter } from "./unfinished.ts";

const COPIED_WITHIN_MS = 120_000;

export type Drill = { readonly users: number; readonly trafficMs: number; readonly tell: (line: string) => void };
export type Drilled = Compared & {
	readonly made: Made;
	/** Of the database that was made. */
	readonly bytes: number;
	/** From the last file to the kill. */
	readonly lostMs: number;
	/** Calls that were answered while the traffic ran. */
	readonly answered: number;
	/** Figures that the two services answer differently. */
	readonly disagreeing: readonly string[];
	readonly figures: number;
};

export async function drill({ users, trafficMs, tell }: Drill): Promise<Drilled> {
	const directory = mkdtempSync(path.join(tmpdir(), "restore-"));
	const [source, restored, bucket] = ["source", "restored", "bucket"].map((name) => path.join(directory, name)) as [string, string, string];
	let child: ChildProcess | undefined;
	try {
		await seed({ users, seed: 1, statePath: source, tell });
		const started = await start(source);
		child = started.child;
		await copied(source);
		tell("All rows are copied; the traffic begins …");
		const load = new Load(() => started.url);
		await traffic(load, trafficMs);
		child.kill("SIGKILL");
		const killedAt = Date.now();
		await once(child, "exit");
		load.stop();
		await sleep(500);
		tell("Killed; making the database of its backup …");
		await download(source, bucket);
		const files = inDirectory(bucket);
		const all = byDatabase(await files.names()).get("DB") ?? [];
		const chain = await chainUntil(files, all, new Date().toISOString());
		// A state of the service's own, in which the database is exchanged.
		cpSync(source, restored, { recursive: true, filter: (from) => !from.includes(`${path.sep}r2${path.sep}`) });
		const file = databaseFile(restored);
		for (const ending of ["-wal", "-shm"]) rmSync(`${file}${ending}`, { force: true });
		const made = await makeDatabase(files, chain, { file, migrations: path.join(repository, "migrations") });
		const bytes = statSync(file).size;
		const compared = compare(databaseFile(source), file, await keysAfter(files, all, chain));
		tell("Asking both services …");
		const figures = await Promise.all([figuresOf(source), figuresOf(restored)]);
		const disagreeing = [...figures[0]].flatMap(([name, value]) => (figures[1].get(name) === value ? [] : [name]));
		const lostMs = killedAt - Date.parse(chain.opening.at);
		return { ...compared, made, bytes, lostMs, answered: load.answered.length, disagreeing, figures: figures[0].size };
	} finally {
		child?.kill("SIGKILL");
		rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
	}
}

async function start(statePath: string): Promise<{ child: ChildProcess; url: string }> {
	const child = spawn(process.execPath, [path.join(import.meta.dirname, "service.ts"), statePath], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const url = await new Promise<string>((resolve, reject) => {
		child.stdout?.once("data", (line: Buffer) => resolve(line.toString().trim()));
		child.once("exit", (code) => reject(new Error(`the service did not start: ${code}`)));
	});
	child.stdout?.resume();
	return { child, url };
}

/** Until all rows are in files. */
async function copied(statePath: string): Promise<void> {
	const database = new DatabaseSync(databaseFile(statePath), { readOnly: true, timeout: 10_000 });
	try {
		const left = database.prepare(
			"select (select count(*) from backup_heads where number > 0) = 0 or exists (select 1 from backup_tables where state <> 'WATCHED') as n",
		);
		for (const began = Date.now(); Number(left.get()?.n) !== 0; await sleep(100))
			if (Date.now() - began > COPIED_WITHIN_MS) throw new Error("the rows were not copied in time");
	} finally {
		database.close();
	}
}

async function traffic(load: Load, ms: number): Promise<void> {
	const operator = await operatorToken(load.send);
	const organization = await makeOrganization(load.send, operator, "drill");
	const pairs = [await makePair(load.send, operator, organization, "drill")];
	// It is cut off by the kill.
	load.run(operator, organization, pairs).catch(() => {});
	await sleep(ms);
}

const READER = `export default {
	async fetch(request, env) {
		const name = decodeURIComponent(new URL(request.url).pathname.slice(1));
		if (name !== "") return new Response((await env.BACKUP.get(name)).body);
		const names = [];
		for (let cursor; ; ) {
			const page = await env.BACKUP.list({ cursor });
			names.push(...page.objects.map(({ key }) => key));
			if (!page.truncated) return Response.json(names);
			cursor = page.cursor;
		}
	},
};`;

/** What is in the bucket of the service that was killed. */
export async function download(statePath: string, to: string): Promise<void> {
	const { run } = await loadRuntime();
	const worker = { name: "bucket", modules: true, script: READER, r2Buckets: { BACKUP: BACKUP_BUCKET } };
	const runtime = run([worker], { resourcePersistencePath: path.join(statePath, DATA_DIRECTORY) });
	try {
		const names = (await (await runtime.dispatchFetch("http://localhost/")).json()) as string[];
		for (const name of names) {
			const file = path.join(to, name);
			mkdirSync(path.dirname(file), { recursive: true });
			writeFileSync(
				file,
				new Uint8Array(await (await runtime.dispatchFetch(`http://localhost/${encodeURIComponent(name)}`)).arrayBuffer()),
			);
		}
	} finally {
		await runtime.dispose();
	}
}

/** What the service answers of days that are closed and of seals that were made before the traffic, by names. */
async function figuresOf(statePath: string): Promise<ReadonlyMap<string, string>> {
	const service = await startOwnService(statePath, { onLog: () => {} });
	try {
		const operator = await operatorOf(service, "drill");
		const figures = new Map<string, string>();
		const { data: organizations } = await operator.listOrganizations({ query: { size: 100 } });
		for (const { id, slug } of organizations) {
			if (!slug.startsWith("seed-")) continue;
			const [portfolio, seals] = await Promise.all([
				operator.listPortfolios({ organization: id }),
				operator.listAuditSeals({ organization: id, query: { size: 100 } }),
			]);
			figures.set(`${slug}: portfolio`, JSON.stringify(portfolio));
			figures.set(`${slug}: seals`, JSON.stringify(seals.data));
		}
		return figures;
	} finally {
		await service.stop();
	}
}
