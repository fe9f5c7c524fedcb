// Each threshold has a fixture that trips it; an alert is sent once when it begins, when its level changes and when it ends.

import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Notice } from "../../src/runtime/ports";
import { sendAlerts } from "../../src/wiring/alerts";
import { ALERTS, type AlertLevel } from "../../src/wiring/alerts.policy";
import { cron } from "../support/cron";
import { environmentWith } from "../support/environments";
import { runDueWork } from "../support/loans";
import { expectErrors } from "../support/log";
import { answerOutbound } from "../support/outbound";

type Row = Readonly<Record<string, string | number | null>>;
/** Points as Analytics Engine answers them, or rows of tables. */
type Fixture =
	| { readonly points: readonly Row[] }
	| { readonly rows: readonly (readonly [table: string, row: Row])[] }
	| { readonly bytes: string };
type Fixtures = { readonly look?: Fixture; readonly wake?: Fixture; readonly none: Fixture };

const ago = (minutes: number): number => Date.now() - minutes * 60_000 - 1_000;
const delivery = (minutes: number, row: Row = {}): Fixture => ({
	rows: [["webhook_deliveries", { webhook_id: "w", status: "PENDING", next_attempt_at: ago(minutes), ...row }]],
});
const message = (minutes: number, row: Row = {}): Fixture => ({
	rows: [["messages", { status: "PENDING", next_attempt_at: ago(minutes), ...row }]],
});
const instruction = (minutes: number, status = "PENDING"): Fixture => ({
	rows: [["custodian_instructions", { status, next_attempt_at: ago(0), created_at: ago(minutes) }]],
});
const payment = (minutes: number, row: Row = {}): Fixture => ({
	rows: [["payments", { status: "UNMATCHED", amount: 500, currency: "KES", details: "{}", created_at: ago(minutes), ...row }]],
});
const backup = (minutes: number): Fixture => ({
	rows: [
		["backup_heads", { id: 1, written_at: ago(minutes) }],
		["changed_rows", { relation: "users" }],
	],
});

const disbursement = (minutes: number, status = "PENDING"): Fixture => ({
	rows: [["disbursements", { account_id: "a", status, amount: 500, created_at: ago(minutes) }]],
});
const sweptAgo = (seconds: number): Fixture => ({ points: [{ database: "DB", seconds, kinds_left: 0, sweeps: 15 }] });

const FIXTURES: Readonly<Record<string, Fixtures>> = {
	"5xx": {
		none: { points: [{ answers: 1_000, failed: 4, answers_now: 10, failed_now: 4 }] },
		look: { points: [{ answers: 900, failed: 5, answers_now: 300, failed_now: 5 }] },
		wake: { points: [{ answers: 900, failed: 20, answers_now: 300, failed_now: 16 }] },
	},
	slow: {
		none: { points: [{ operation: "a", calls: 19, ms: 19_000, calls_before: 1_000, ms_before: 1_000 }] },
		look: { points: [{ operation: "a", calls: 20, ms: 41, calls_before: 1_000, ms_before: 1_000 }] },
	},
	sweep: {
		none: sweptAgo(179),
		look: { points: [{ database: "DB", seconds: 30, kinds_left: 1, sweeps: 15 }] },
		// It is missing.
		wake: { points: [] },
	},
	attempts: {
		none: {
			points: [
				{ outcome: "DELIVERED", attempts: 50 },
				{ outcome: "TIMEOUT", attempts: 50 },
			],
		},
		look: {
			points: [
				{ outcome: "DELIVERED", attempts: 40 },
				{ outcome: "TIMEOUT", attempts: 41 },
			],
		},
		wake: {
			points: [
				{ outcome: "DELIVERED", attempts: 400 },
				{ outcome: "INTERRUPTED", attempts: 5 },
			],
		},
	},
	"expired claims": {
		none: { points: [{ claims: 0, attempts: 100 }] },
		look: { points: [{ claims: 1, attempts: 10 }] },
		wake: { points: [{ claims: 5, attempts: 400 }] },
	},
	"dead letters": { none: { points: [{ messages: null }] }, look: { points: [{ messages: 1 }] }, wake: { points: [{ messages: 101 }] } },
	providers: {
		none: { points: [{ what: "payout", requests: 10, unanswered: 5 }] },
		look: { points: [{ what: "payout", requests: 9, unanswered: 5 }] },
	},
	refusals: { none: { points: [{ refused: 100, refused_before: 2_000 }] }, look: { points: [{ refused: 300, refused_before: 2_000 }] } },
	"late deliveries": { none: delivery(4), look: delivery(5), wake: delivery(30) },
	outbox: { none: message(20, { status: "SENT" }), look: message(5), wake: message(15) },
	instructions: { none: instruction(70, "DONE"), look: instruction(15), wake: instruction(60) },
	"unmatched payments": { none: payment(1_430), look: payment(1_440), wake: payment(1, { amount: 1_001 }) },
	storage: { none: { bytes: "1000000000" }, look: { bytes: "LOOK" }, wake: { bytes: "WAKE" } },
	backup: { none: backup(2), look: backup(3), wake: backup(10) },
};

/** Other ways in which an alert begins or does not. */
const FURTHER: readonly (readonly [name: string, level: AlertLevel, what: string, fixture: Fixture])[] = [
	["sweep", "LOOK", "three minutes ago", sweptAgo(180)],
	["sweep", "LOOK", "just below ten", sweptAgo(599)],
	["sweep", "WAKE", "ten minutes ago", sweptAgo(600)],
	["instructions", "NONE", "a payout of fourteen minutes", disbursement(14)],
	["instructions", "LOOK", "a payout of fifteen minutes", disbursement(15, "ACCEPTED")],
	["instructions", "WAKE", "a payout of an hour", disbursement(60)],
	...(["SUCCEEDED", "FAILED", "RETURNED"] as const).map(
		(status) => ["instructions", "NONE", `a payout that is ${status}`, disbursement(70, status)] as const,
	),
];

/** Adds a row, with something in each column that must have a value. */
async function add(table: string, row: Row): Promise<void> {
	const { results } = await env.DB.prepare(`pragma table_info(${table})`).all<{
		name: string;
		type: string;
		notnull: number;
		dflt_value: unknown;
	}>();
	const filled = results.filter(({ name, notnull, dflt_value }) => name in row || (notnull === 1 && dflt_value === null) || name === "id");
	const values = filled.map(({ name, type }) => row[name] ?? (/int/i.test(type) ? 0 : "x"));
	await env.DB.prepare(`insert into ${table} (${filled.map(({ name }) => name).join()}) values (${filled.map(() => "?").join()})`)
		.bind(...values)
		.run();
}

const METRICS_URL = "http://127.0.0.1:9/metrics";
const VARS: Partial<Env> = {
	ALERT_URL: "http://127.0.0.1:9/alerts",
	HEARTBEAT_URL: "http://127.0.0.1:9/alive",
	METRICS_URL,
	METRICS_TOKEN: "token",
	METRICS_DATASET: "points",
	ALERT_UNMATCHED_ABOVE: "1000",
};

let told: Notice[];
let beats: number;
let points: ReadonlyMap<string, readonly Row[]>;
let refuses: boolean;

beforeEach(() => {
	told = [];
	beats = 0;
	points = new Map();
	refuses = false;
	answerOutbound(async (input, init) => {
		const url = String(input);
		if (url === VARS.ALERT_URL) {
			if (refuses) return new Response(null, { status: 503 });
			told.push(JSON.parse(await new Response(init?.body).text()) as Notice);
		}
		if (url === VARS.HEARTBEAT_URL) beats++;
		if (url !== METRICS_URL) return new Response();
		const query = await new Response(init?.body).text();
		const alert = ALERTS.find((one) => one.query?.replaceAll("{dataset}", "points") === query);
		return Response.json({ meta: [], data: points.get(alert?.name ?? "") ?? quiet(alert?.name), rows: 0 });
	});
});

const quiet = (name = ""): readonly Row[] => {
	const none = FIXTURES[name]?.none;
	return none && "points" in none ? none.points : [];
};

const look = (vars: Partial<Env> = {}) => runDueWork(async (services) => void (await sendAlerts(services)), { ...VARS, ...vars });

async function given(name: string, fixture: Fixture): Promise<Partial<Env>> {
	if ("points" in fixture) points = new Map([[name, fixture.points]]);
	else if ("rows" in fixture) for (const [table, row] of fixture.rows) await add(table, row);
	else if (/\d/.test(fixture.bytes)) return { DATABASE_BYTES: fixture.bytes } as Partial<Env>;
	else {
		const { meta } = await env.DB.prepare("select 1").run();
		return { DATABASE_BYTES: String(Math.floor(meta.size_after / (fixture.bytes === "LOOK" ? 0.6 : 0.9))) } as Partial<Env>;
	}
	return {};
}

it("has a fixture for each alert", () => expect(Object.keys(FIXTURES)).toEqual(ALERTS.map(({ name }) => name)));

describe.each(Object.entries(FIXTURES))("%s", (name, fixtures) => {
	it("says nothing below its thresholds", async () => {
		await look(await given(name, fixtures.none));
		expect(told).toEqual([]);
	});

	it.each((["look", "wake"] as const).filter((level) => fixtures[level]))(
		"sends one notice when %s begins, and one when it ends",
		async (level) => {
			expectErrors("alert", "alert");
			const vars = await given(name, fixtures[level] as Fixture);
			await look(vars);
			await look(vars);
			expect(told).toMatchObject([
				{ alert: name, database: "DB", state: "BEGAN", level: level.toUpperCase(), found: expect.stringMatching(/\w/) },
			]);
			points = new Map();
			for (const table of ["webhook_deliveries", "messages", "custodian_instructions", "payments", "changed_rows"])
				await env.DB.prepare(`delete from ${table}`).run();
			await look();
			await look();
			expect(told).toMatchObject([{ state: "BEGAN" }, { alert: name, state: "ENDED", level: "NONE" }]);
			expect(await env.DB.prepare("select count(*) as n from alerts").first("n")).toBe(0);
		},
	);
});

it.each(FURTHER)("%s: %s by %s", async (name, level, _, fixture) => {
	if (level !== "NONE") expectErrors("alert");
	await look(await given(name, fixture));
	expect(told.map(({ alert, level: found }) => [alert, found])).toEqual(level === "NONE" ? [] : [[name, level]]);
});

it("is asked by the sweep: one notice of each alert, and one beat for all databases", async () => {
	expectErrors("alert");
	await given("unmatched payments", payment(1_440));
	await applyD1Migrations(env.SECOND_DB, env.TEST_MIGRATIONS);
	const two = environmentWith({ ...VARS, SHARD_0: env.SECOND_DB, SHARD_1: undefined });
	points = new Map([["sweep", ["DB", "SHARD_0"].map((database) => ({ database, seconds: 30, kinds_left: 0, sweeps: 15 }))]]);
	await cron(two);
	expect(told).toMatchObject([{ alert: "unmatched payments", database: "DB", level: "LOOK" }]);
	expect(beats).toBe(1);
	// While writes are off nothing is swept.
	await cron(environmentWith({ ...VARS, WRITES: "off" }));
	expect([told.length, beats]).toEqual([1, 1]);
});

it("reports when the level changes", async () => {
	expectErrors("alert", "alert");
	await given("late deliveries", delivery(5));
	await look();
	await env.DB.prepare("update webhook_deliveries set next_attempt_at = next_attempt_at - 1800000").run();
	await look();
	expect(told.map(({ state, level }) => `${state} ${level}`)).toEqual(["BEGAN LOOK", "CHANGED WAKE"]);
});

it("reports again with the same id until the receiver has taken it, and beats all the same", async () => {
	expectErrors("alert", "an alert could not be told, and will be in the next minute", "alert");
	await given("late deliveries", delivery(5));
	refuses = true;
	await look();
	const { since } = (await env.DB.prepare("select since from alerts").first<{ since: number }>()) ?? {};
	refuses = false;
	await look();
	await look();
	expect(told).toHaveLength(1);
	expect(told[0]?.id).toBe(`DB late deliveries LOOK ${new Date(since ?? 0).toISOString()}`);
	expect(beats).toBe(3);
});

it("leaves an alert as it is while the metrics do not answer", async () => {
	expectErrors("alert", ...ALERTS.filter(({ from }) => from === "METRICS").map(() => "the metrics do not answer"));
	points = new Map([["dead letters", [{ messages: 1 }]]]);
	await look();
	answerOutbound(async (input) => (String(input) === METRICS_URL ? new Response(null, { status: 500 }) : new Response()));
	await look();
	expect(await env.DB.prepare("select told from alerts").first("told")).toBe("LOOK");
});
