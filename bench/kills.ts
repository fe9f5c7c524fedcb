// `npm run bench -- kills [kills] [seed] [databases]`: kills the service ten times under load, at instants that the seed decides, with that many
// databases for homes beside the directory. It then checks whether anything is lost, there twice or out of order, and fails if so.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { randomBy } from "../src/dev/random.ts";
import { startReceiver } from "../src/dev/receiver.ts";
import { databaseFiles } from "../src/dev/seed-stories.ts";
import { Load } from "./kills.load.ts";
import { isFaultless, judge, type Verdict } from "./kills.verdict.ts";
import { makeOrganization, makePair, operatorToken, type Pair, registerEndpoint } from "./people.ts";
import { progress, startClient, until } from "./webhooks.client.ts";

const PAIRS = 2;
/** What the endpoint that gets events in order wants of them. */
const PAYMENTS = [{ member: "type", in: ["loan.*", "loan_application.*", "repayment.*", "credit_account.*"] }];
/** What the verdict looks for. */
const INDEXES = [
	["webhook_events", "organization_id, event_key"],
	["webhook_events", "id"],
	["webhook_deliveries", "event_id"],
] as const;
/** From a start to the next kill. */
const LIFE_MS = { min: 500, max: 4_000 };
/** An interrupted attempt is repeated later. */
const DELIVERY_MS = 120_000;

type Plan = { readonly kills: number; readonly seed: number; readonly databases?: number; readonly tell: (text: string) => void };
type Result = Verdict & {
	/** Requests that were sent and not answered. */ readonly cutOff: number /** How many of these had been carried out. */;
	readonly replayed: number;
};

export async function surviveKills({ kills, seed, databases = 0, tell }: Plan): Promise<Result> {
	const random = randomBy(seed);
	const statePath = mkdtempSync(path.join(tmpdir(), "kills-"));
	const receiver = await startReceiver();
	const start = () => startClient(statePath, "local", databases);
	let client = await start();
	const load = new Load(() => client.url);
	try {
		const operator = await operatorToken(load.send);
		const organization = await makeOrganization(load.send, operator, "kills");
		await registerEndpoint(load.send, operator, organization, receiver.url);
		const inOrder = { name: "In order", ordering: "ENTITY", auto_recover: true, filter: PAYMENTS };
		const ordered = await registerEndpoint(load.send, operator, organization, receiver.url, inOrder);
		const pairs: Pair[] = [];
		for (let pair = 0; pair < PAIRS; pair++) pairs.push(await makePair(load.send, operator, organization, `pair-${pair}`));
		const running = load.run(operator, organization, pairs);
		// Otherwise a refused call would end the process while the service is killed.
		running.catch(() => {});
		for (let kill = 1; kill <= kills; kill++) {
			const lives = Math.round(LIFE_MS.min + random() * (LIFE_MS.max - LIFE_MS.min));
			await sleep(lives);
			await client.end("SIGKILL");
			tell(`kill ${kill} of ${kills}, ${lives} ms after the start: ${load.answered.length} writes answered, ${load.cut} requests cut off`);
			client = await start();
		}
		await sleep(LIFE_MS.min);
		load.stop();
		await running;
		const open = () => pendingIn(statePath);
		await until(
			() => open() === 0,
			DELIVERY_MS,
			() => `${open()} deliveries are not finished`,
		);
		await client.end("SIGTERM");
		const database = together(statePath);
		try {
			const judged = { answered: load.answered, receiver, organization, ordered, pairs };
			return { ...judge(database, judged), cutOff: load.cut, replayed: load.replayed };
		} finally {
			database.close();
		}
	} finally {
		load.stop();
		await client.end("SIGKILL");
		await receiver.close();
		rmSync(statePath, { recursive: true, force: true });
	}
}

/** How many deliveries have not been answered yet. */
function pendingIn(statePath: string): number {
	return databaseFiles(statePath).reduce((sum, file) => {
		const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
		try {
			return sum + Number(database.prepare("select count(*) as n from webhook_deliveries where status <> 'DELIVERED'").get()?.n);
		} finally {
			database.close();
		}
	}, 0);
}

/** The rows of all databases in one. Copies of a row in several count once. */
function together(statePath: string): DatabaseSync {
	const files = databaseFiles(statePath);
	const all = new DatabaseSync(":memory:");
	for (const [index, file] of files.entries()) all.exec(`attach '${file}' as part${index}`);
	const tables = all
		.prepare("select name from part0.sqlite_master where type = 'table' and name glob '[a-z]*' and name not glob 'sqlite_*'")
		.all();
	for (const { name } of tables)
		all.exec(`create table main."${name}" as ${files.map((_, index) => `select * from part${index}."${name}"`).join(" union ")}`);
	for (const [table, columns] of INDEXES) all.exec(`create index main."${table}_${columns}" on "${table}" (${columns})`);
	return all;
}

if (import.meta.main) {
	const [kills = 10, seed = Math.floor(Math.random() * 2 ** 31), databases = 0] = process.argv.slice(2).map(Number);
	const result = await surviveKills({ kills, seed, databases, tell: progress });
	console.log(`${kills} kills from seed ${seed} on ${databases + 1} databases`);
	console.table(Object.fromEntries(result.writes.map(({ what, ...counts }) => [what, counts])));
	console.table({
		"requests cut off and sent again": result.cutOff,
		"of which the service had carried out": result.replayed,
		"rows that disagree: money, postings, events of writes": result.disagreeing.length,
		events: result.events,
		"events without exactly one delivery for each endpoint that wants them": result.misdelivered,
		"deliveries that were not received": result.unreceived,
		"deliveries received more than once": result.repeatedDeliveries,
		"deliveries received in order": result.ordered,
		"of which before an older one of their account": result.outOfOrder,
	});
	for (const text of result.disagreeing) console.error(text);
	process.exit(isFaultless(result) ? 0 : 1);
}
