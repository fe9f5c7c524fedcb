// `npm run bench -- kills [kills] [seed] [databases] [unbounded | deployed]`: kills the service ten times under load, at instants that the seed
// decides, with that many databases for homes in addition to the directory. It then checks whether anything is lost, there twice or out of
// order, and fails if so.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { databaseFiles } from "../src/dev/databases.ts";
import { randomBy } from "../src/dev/random.ts";
import { startReceiver } from "../src/dev/receiver.ts";
import { Load } from "./kills.load.ts";
import { isFaultless, judge, type Verdict } from "./kills.verdict.ts";
import { makeOrganization, makePair, operatorToken, type Pair, registerEndpoint } from "./people.ts";
import { type Profile, progress, startClient, until } from "./webhooks.client.ts";

const PAIRS = 2;
/** What the endpoint that gets events in order wants of them. */
const PAYMENTS = [{ member: "type", in: ["loan.*", "loan_application.*", "repayment.*", "credit_account.*"] }];
/** What the verdict looks for. */
const INDEXES = [
	["webhook_events", "organization_id, event_key"],
	["webhook_events", "id"],
	["webhook_deliveries", "event_id"],
] as const;
/** From a start to the next kill; or from the first write that is answered after it, because on a busy machine a start takes as long as a life. */
const LIFE_MS = { min: 500, max: 4_000 };
const FIRST_ANSWER_MS = 20_000;
/** An interrupted attempt is repeated later, and a suspended endpoint is probed by a sweep, as what it missed is recovered by the next. */
const DELIVERY_MS = 240_000;
/** The kill after which, if something waits there, an endpoint is found suspended by failures. It heals while the others follow. */
const HEALS_AFTER = 3;

type Plan = {
	readonly kills: number;
	readonly seed: number;
	readonly databases?: number;
	readonly profile?: Profile;
	readonly tell: (text: string) => void;
};
type Result = Verdict & {
	/** Requests that were sent and not answered. */ readonly cutOff: number /** How many of these had been carried out. */;
	readonly replayed: number;
};

export async function surviveKills({ kills, seed, databases = 0, profile = "unbounded", tell }: Plan): Promise<Result> {
	const random = randomBy(seed);
	const statePath = mkdtempSync(path.join(tmpdir(), "kills-"));
	const receiver = await startReceiver();
	const start = () => startClient(statePath, profile, databases);
	let client = await start();
	const load = new Load(() => client.url);
	try {
		const operator = await operatorToken(load.send);
		const organization = await makeOrganization(load.send, operator, "kills");
		await registerEndpoint(load.send, operator, organization, receiver.url);
		const inOrder = { name: "In order", ordering: "ENTITY", auto_recover: true, filter: PAYMENTS };
		const ordered = await registerEndpoint(load.send, operator, organization, receiver.url, inOrder);
		const inBatches = { name: "In batches", batch: { max_events: 10, max_wait: "PT1S" }, auto_recover: true };
		const batched = await registerEndpoint(load.send, operator, organization, receiver.url, inBatches);
		const pairs: Pair[] = [];
		for (let pair = 0; pair < PAIRS; pair++) pairs.push(await makePair(load.send, operator, organization, `pair-${pair}`));
		const running = load.run(operator, organization, pairs);
		// Otherwise a refused call would end the process while the service is killed.
		running.catch(() => {});
		let isSuspended = false;
		for (let kill = 1; kill <= kills; kill++) {
			const lives = Math.round(LIFE_MS.min + random() * (LIFE_MS.max - LIFE_MS.min));
			// Every other kill may come while the service still starts.
			const since = kill % 2 === 0 ? "first answer" : "start";
			const before = load.answered.length;
			if (since === "first answer")
				await until(
					() => load.answered.length > before,
					FIRST_ANSWER_MS,
					() => "no write is answered yet",
				);
			await sleep(lives);
			await client.end("SIGKILL");
			tell(
				`kill ${kill} of ${kills}, ${lives} ms after the ${since}: ${load.answered.length} writes answered, ${load.cut} requests cut off`,
			);
			if (kill >= HEALS_AFTER && !isSuspended) isSuspended = suspend(statePath, batched);
			client = await start();
		}
		await sleep(LIFE_MS.min);
		load.stop();
		await running;
		const open = () => openIn(statePath);
		await until(
			() => open() === 0,
			DELIVERY_MS,
			() => `${open()} deliveries, suspensions and recoveries are not finished`,
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

/** How many deliveries have not arrived yet, and how many endpoints have not got all that they missed. */
function openIn(statePath: string): number {
	return databaseFiles(statePath).reduce((sum, file) => {
		const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
		try {
			const of = (rows: string) => Number(database.prepare(`select count(*) as n from ${rows}`).get()?.n);
			return (
				sum +
				of("webhook_deliveries where status <> 'DELIVERED'") +
				of("webhook_endpoints where status = 'SUSPENDED'") +
				of("webhook_recoveries")
			);
		} finally {
			database.close();
		}
	}, 0);
}

/**
 * Leaves the endpoint as ten failures do, with its first probe due: nothing is made for it until that has been answered. Nothing runs
 * meanwhile. False when nothing waits there, which ten failures never leave and no probe could send.
 */
function suspend(statePath: string, webhookId: string): boolean {
	return databaseFiles(statePath).some((file) => {
		// The runtime ends a moment after what started it.
		const database = new DatabaseSync(file, { timeout: 10_000 });
		try {
			if (!database.prepare("select id from webhook_deliveries where webhook_id = ? and status = 'PENDING' limit 1").get(webhookId))
				return false;
			const now = Date.now();
			database
				.prepare(
					"update webhook_endpoints set status = 'SUSPENDED', suspension_reason = 'TEN_FAILED_DELIVERIES', suspended_at = ?1, probe_at = ?2 where id = ?3",
				)
				.run(now - 60_000, now, webhookId);
			database
				.prepare("update webhook_deliveries set next_attempt_at = null where webhook_id = ? and claimed_until is null")
				.run(webhookId);
			return true;
		} finally {
			database.close();
		}
	});
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
	const words = process.argv.slice(2);
	const profile = words.at(-1) === "deployed" ? "deployed" : "unbounded";
	const [kills = 10, seed = Math.floor(Math.random() * 2 ** 31), databases = 0] = words.filter((word) => /^\d+$/.test(word)).map(Number);
	const result = await surviveKills({ kills, seed, databases, profile, tell: progress });
	console.log(`${kills} kills from seed ${seed} on ${databases + 1} databases, ${profile} profile`);
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
