// `npm run restore -- --from <directory or bucket> --until <instant>`: makes databases of a backup. `--drill` shows that it can.

import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CannotStart, reportOf } from "../src/dev/cannot-start.ts";
import { misused, readCommandLine, readNumber } from "../src/dev/command-line.ts";
import { repository } from "../src/dev/service.ts";
import { byDatabase, chainUntil } from "./restore/chain.ts";
import { makeDatabase } from "./restore/database.ts";
import { type Asked, disagreements } from "./restore/disagreements.ts";
import { type Drilled, drill } from "./restore/drill.ts";
import { eraseAgainIn, erasedAfter, putKeys } from "./restore/erasures.ts";
import { type Files, inBucket, inDirectory } from "./restore/files.ts";
import { writeScript } from "./restore/script.ts";

const usage = `npm run restore -- --from <directory or bucket> [options]
npm run restore -- --compare <directory>
npm run restore -- --drill [--users <number>]

  --from <where>       a directory with the files of the bucket, or the bucket's address at its S3 API, such as
                       https://<account>.r2.cloudflarestorage.com/<bucket>; its keys are in BACKUP_ACCESS_KEY_ID and BACKUP_SECRET_ACCESS_KEY
  --until <instant>    as it was then, such as 2026-11-27T12:00:00Z (default: the last that there is)
  --database <name>    only the database of this binding, such as DB or SHARD_0 (default: all)
  --to <directory>     where the databases are made (default: restored)
  --script             beside each a script of its statements, which wrangler d1 execute --file imports
  --compare <dir>      lists what the databases that were made there do not say alike; ends with 1 if there is anything
  --drill              backs a seeded service up under traffic, kills it, makes it again, and compares the two
  --users <number>     of the drill (default 1000)
`;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** What the drill has shown, line by line. */
export function reportOn({ made, bytes, rows, lost, lostMs, answered, figures, disagreeing, different }: Drilled): string[] {
	const aGigabyte = (made.ms * 1e9) / bytes / 60_000;
	return [
		`backup:    ${megabytes(made.bytes)} in ${made.files} files, of a database of ${megabytes(bytes)} with ${rows.toLocaleString("en")} rows`,
		`traffic:   ${answered} writes answered until the kill`,
		`lost:      ${seconds(lostMs)}, ${lost} rows changed after the last file; ${different.length === 0 ? "all others are the same" : `others differ: ${different.join(", ")}`}`,
		`restored:  in ${seconds(made.ms)}; 1 GB would take ${aGigabyte.toFixed(1)} minutes, 10 GB ${(10 * aGigabyte).toFixed(0)}`,
		`figures:   ${figures} portfolios and lists of seals asked of both; ${disagreeing.length === 0 ? "all agree" : `these disagree: ${disagreeing.join(", ")}`}`,
	];
}

function sourceOf(from: string): Files {
	if (!/^https?:/.test(from)) return inDirectory(path.resolve(from));
	const { BACKUP_ACCESS_KEY_ID: accessKeyId, BACKUP_SECRET_ACCESS_KEY: secretAccessKey } = process.env;
	if (!accessKeyId || !secretAccessKey)
		throw new CannotStart("Put the bucket's keys into BACKUP_ACCESS_KEY_ID and BACKUP_SECRET_ACCESS_KEY.");
	return inBucket(from, { accessKeyId, secretAccessKey });
}

function untilOf(text: string | undefined): string {
	if (text === undefined) return new Date().toISOString();
	if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(Date.parse(text))) misused(usage, `Not an instant: ${text}`);
	return new Date(text).toISOString();
}

/** The databases in a directory, the directory of names first. */
function databasesIn(directory: string): Asked[] {
	const names = readdirSync(directory).flatMap((file) => /^(DB|SHARD_\d+)\.sqlite$/.exec(file)?.[1] ?? []);
	if (!names.includes("DB")) throw new CannotStart(`There is no DB.sqlite in ${directory}: make all databases there first.`);
	return names.sort().map((name) => {
		const database = new DatabaseSync(path.join(directory, `${name}.sqlite`), { readOnly: true });
		return { name, rows: async (query) => database.prepare(query).all() };
	});
}

async function main(): Promise<void> {
	const tell = (line: string): void => void process.stdout.write(`${line}\n`);
	const { values } = readCommandLine(usage, {
		options: {
			from: { type: "string" },
			until: { type: "string" },
			database: { type: "string" },
			to: { type: "string", default: "restored" },
			script: { type: "boolean", default: false },
			compare: { type: "string" },
			drill: { type: "boolean", default: false },
			users: { type: "string", default: "1000" },
		},
	});
	if (values.compare !== undefined) {
		const found = await disagreements(databasesIn(values.compare));
		for (const line of found) tell(line);
		if (found.length === 0) tell("The databases agree.");
		process.exitCode = found.length > 0 ? 1 : 0;
		return;
	}
	if (values.drill) {
		const drilled = await drill({ users: readNumber(usage, values.users, 1, 1_000_000), trafficMs: 10_000, tell });
		for (const line of reportOn(drilled)) tell(line);
		process.exitCode = drilled.different.length + drilled.disagreeing.length > 0 ? 1 : 0;
		return;
	}
	const { from = misused(usage, "--from is required."), database: only } = values;
	const until = untilOf(values.until);
	const files = sourceOf(from);
	const backedUp = byDatabase(await files.names());
	const everyFile = [...backedUp.values()].flat();
	const databases = [...backedUp].filter(([name]) => only === undefined || name === only);
	if (databases.length === 0) throw new CannotStart(`There is no backup${only === undefined ? "" : ` of ${only}`} in ${from}.`);
	mkdirSync(values.to, { recursive: true });
	for (const [name, all] of databases) {
		const chain = await chainUntil(files, all, until);
		const file = path.resolve(values.to, `${name}.sqlite`);
		const made = await makeDatabase(files, chain, { file, migrations: path.join(repository, "migrations") });
		tell(`${name}: as of ${made.at}, of ${made.files} files (${megabytes(made.bytes)}) in ${seconds(made.ms)}: ${file}`);
		await putKeys(files, { file, database: name });
		const later = await erasedAfter(files, everyFile, made.at);
		const erased = eraseAgainIn(file, later);
		if (erased === undefined)
			for (const { user_id } of later) tell(`${name}: erase this user again, who was erased since then: ${user_id}`);
		else if (erased > 0) tell(`${name}: ${erased} persons were erased since then, and the sweep erases them again`);
		if (values.script) tell(`${name}: ${writeScript(file)}`);
	}
}

if (import.meta.main) {
	try {
		await main();
		process.exit();
	} catch (error) {
		process.stderr.write(`${reportOf(error)}\n`);
		process.exit(1);
	}
}
