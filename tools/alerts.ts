// `npm run alerts -- --env <name> --once`: asks from outside what the service asks itself each minute, and prints what is an alert. With
// `--dashboard` it writes docs/dashboard.json, for Grafana, of the same queries.

import { writeFileSync } from "node:fs";
import path from "node:path";
import { CannotStart, reportOf } from "../src/dev/cannot-start.ts";
import { misused, readCommandLine } from "../src/dev/command-line.ts";
import type { EnvironmentConfig } from "../src/dev/environments.ts";
import { API } from "../src/dev/preflight.ts";
import { loadEnvironments } from "../src/dev/runtime.ts";
import { repository } from "../src/dev/service.ts";
import { ALERTS, type AlertContext, type Finding } from "../src/wiring/alerts.policy.ts";

const usage = `CLOUDFLARE_API_TOKEN=… npm run alerts -- --env <name> [--once]
npm run alerts -- --dashboard

  --env <name>   of wrangler.toml
  --dashboard    writes docs/dashboard.json
  --once         asks once, and ends with 1 if something is an alert (default: each minute, what has changed)

The token needs Account Analytics (read) and D1 (read).
`;

const MINUTE_MS = 60_000;
/** The largest database. */
const BYTES = 10_000_000_000;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type Row = Readonly<Record<string, unknown>>;
export type Found = Finding & { readonly name: string; readonly database: string };

/** All that is an alert now. Throws `CannotStart` where something cannot be asked. */
export async function alertsIn(config: EnvironmentConfig, token: string, fetch: Fetch): Promise<Found[]> {
	const account = `${API}/accounts/${config.account_id}`;
	const ask = async (url: string, body: string): Promise<unknown> => {
		const response = await fetch(url, {
			method: "POST",
			headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
			body,
		});
		if (!response.ok) throw new CannotStart(`${url} answered ${response.status} ${(await response.text()).slice(0, 300)}`);
		return response.json();
	};
	const bound = config.d1_databases ?? [];
	const databases = bound.map(({ binding }) => binding);
	const unmatchedMost = config.vars?.ALERT_UNMATCHED_ABOVE === undefined ? undefined : Number(config.vars.ALERT_UNMATCHED_ABOVE);
	const dataset = config.analytics_engine_datasets?.[0]?.dataset;
	const found: Found[] = [];
	const judge = (alert: (typeof ALERTS)[number], rows: readonly Row[], database: string, context: AlertContext): void => {
		const finding = alert.judge(rows, context);
		if (finding.level !== "NONE") found.push({ ...finding, name: alert.name, database });
	};
	for (const alert of ALERTS.filter(({ from }) => from === "METRICS")) {
		if (dataset === undefined || alert.query === undefined) continue;
		const { data } = (await ask(`${account}/analytics_engine/sql`, alert.query.replaceAll("{dataset}", dataset))) as { data: Row[] };
		judge(alert, data, "DB", { databases, storagePercent: 0, unmatchedMost });
	}
	for (const { binding, database_id } of bound) {
		const run = async (sql: string) => {
			const { result } = (await ask(`${account}/d1/database/${database_id}/query`, JSON.stringify({ sql }))) as {
				result: readonly { readonly results: Row[]; readonly meta: { readonly size_after: number } }[];
			};
			return result[0] ?? { results: [], meta: { size_after: 0 } };
		};
		for (const alert of ALERTS.filter(({ from }) => from === "DATABASE")) {
			const { results, meta } = await run(alert.query ?? "SELECT 1");
			const most = Number(config.vars?.DATABASE_BYTES ?? BYTES);
			judge(alert, results, binding, { databases, storagePercent: (100 * meta.size_after) / most, unmatchedMost });
		}
	}
	return found;
}

const PLUGIN = "vertamedia-clickhouse-datasource";
const GRID = { w: 12, h: 8 };

/** A table for each question about the metrics, and how many requests, attempts and sweeps there were each minute. */
export function dashboard(): string {
	const kinds = `SELECT intDiv(toUInt32(timestamp), 60) * 60000 AS t, blob1 AS kind, SUM(_sample_interval * double1) AS number
FROM $dataset WHERE timestamp > NOW() - INTERVAL '1' DAY GROUP BY t, kind ORDER BY t`;
	const asked = ALERTS.flatMap(({ name, from, query }) => (from === "METRICS" && query ? [{ name, query }] : []));
	const all = [
		{ title: "Each minute", type: "timeseries", format: "time_series", query: kinds },
		...asked.map(({ name, query }) => ({ title: name, type: "table", format: "table", query: query.replaceAll("{dataset}", "$dataset") })),
	];
	const panels = all.map(({ title, type, format, query }, index) => ({
		...{ id: index + 1, title, type, datasource: { type: PLUGIN, uid: "$source" } },
		gridPos: { ...GRID, x: (index % 2) * GRID.w, y: Math.floor(index / 2) * GRID.h },
		targets: [{ refId: "A", format, query, rawQuery: query, intervalFactor: 1 }],
	}));
	const list = [
		{ name: "source", label: "Data source", type: "datasource", query: PLUGIN },
		{ name: "dataset", label: "Dataset", type: "constant", query: "financial_account_service_production" },
	];
	const board = { title: "Financial Account Service", schemaVersion: 39, refresh: "1m", time: { from: "now-24h", to: "now" } };
	return `${JSON.stringify({ ...board, templating: { list }, panels }, null, 2)}\n`;
}

export const DASHBOARD = path.join(repository, "docs/dashboard.json");

const lineOf = ({ name, database, level, found }: Found): string => `${level}  ${database}  ${name}: ${found}`;

async function main(): Promise<void> {
	const { values } = readCommandLine(usage, {
		options: { env: { type: "string" }, once: { type: "boolean", default: false }, dashboard: { type: "boolean", default: false } },
	});
	if (values.dashboard) return writeFileSync(DASHBOARD, dashboard());
	const { env = misused(usage, "--env is required.") } = values;
	const token = process.env.CLOUDFLARE_API_TOKEN;
	if (!token) throw new CannotStart("Put a token into CLOUDFLARE_API_TOKEN: Account Analytics (read) and D1 (read).");
	const config = (await loadEnvironments(path.join(repository, "wrangler.toml"))).deployed.get(env);
	if (!config) throw new CannotStart(`There is no environment ${env} in wrangler.toml.`);
	for (let before: readonly string[] = []; ; ) {
		const now = (await alertsIn(config, token, fetch)).map(lineOf);
		for (const line of now.filter((one) => !before.includes(one))) process.stdout.write(`${line}\n`);
		for (const line of before.filter((one) => !now.includes(one))) process.stdout.write(`ended: ${line}\n`);
		if (values.once) {
			if (now.length === 0) process.stdout.write("Nothing is an alert.\n");
			process.exit(now.length > 0 ? 1 : 0);
		}
		before = now;
		await new Promise((resolve) => setTimeout(resolve, MINUTE_MS));
	}
}

if (import.meta.main) {
	try {
		await main();
	} catch (error) {
		process.stderr.write(`${reportOf(error)}\n`);
		process.exit(2);
	}
}
