// `npm run alerts`: what it asks of the account, and what it finds.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { alertsIn, DASHBOARD, dashboard } from "../../tools/alerts.ts";

const CONFIG = {
	account_id: "acc",
	vars: { ALERT_UNMATCHED_ABOVE: "1000" },
	d1_databases: [
		{ binding: "DB", database_id: "d1" },
		{ binding: "SHARD_0", database_id: "d2" },
	],
	analytics_engine_datasets: [{ binding: "METRICS", dataset: "points" }],
};

it("asks the metrics once and each database, and judges as the service does", async () => {
	const asked: string[] = [];
	const found = await alertsIn(CONFIG, "token", async (url, { body, headers }) => {
		asked.push(url);
		expect(headers).toMatchObject({ authorization: "Bearer token" });
		const query = String(body);
		if (url.endsWith("/analytics_engine/sql")) {
			expect(query).toContain("FROM points");
			return Response.json({
				data: query.includes("'deadLetters'") ? [{ messages: 101 }] : query.includes("'sweep'") ? [{ database: "DB", seconds: 60 }] : [],
			});
		}
		const isMessages = query.includes("FROM messages");
		const results = isMessages && url.includes("/d2/") ? [{ seconds: 400 }] : [];
		return Response.json({ result: [{ results, meta: { size_after: url.includes("/d1/database/d1/") ? 6_000_000_000 : 1 } }] });
	});
	expect(found.map(({ name, database, level }) => `${level} ${database} ${name}`)).toEqual([
		"WAKE DB sweep",
		"WAKE DB dead letters",
		"LOOK DB storage",
		"LOOK SHARD_0 outbox",
	]);
	expect(found[0]?.found).toContain("SHARD_0");
	expect(new Set(asked.map((url) => url.slice(url.indexOf("/acc"))))).toEqual(
		new Set(["/accounts/acc/analytics_engine/sql", "/accounts/acc/d1/database/d1/query", "/accounts/acc/d1/database/d2/query"]),
	);
});

it("says what the account has refused", async () => {
	await expect(alertsIn(CONFIG, "token", async () => new Response("no such token", { status: 403 }))).rejects.toThrow(/403 no such token/);
});

it("has written the dashboard", () => expect(JSON.parse(readFileSync(DASHBOARD, "utf8"))).toEqual(JSON.parse(dashboard())));
