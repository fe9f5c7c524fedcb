// A canary: what wrangler and Miniflare do not promise is still there and does what `src/dev/runtime.ts` needs of it. It names what an
// upgrade has broken, before everything that stands on it fails.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { bundle, configIn } from "../../src/dev/bundle.ts";
import { loadConfigured, loadRuntime } from "../../src/dev/runtime.ts";

const runtime = await loadRuntime();

it("wrangler's unstable_splitSqlQuery keeps a trigger in one piece", () => {
	const trigger = "CREATE TRIGGER kept BEFORE DELETE ON widgets BEGIN SELECT RAISE(ABORT, 'kept; always'); END";
	const statements = runtime.splitSql(`CREATE TABLE widgets (id INTEGER);\n${trigger};\nSELECT ';';`);
	expect(statements.map((statement) => statement.replace(/;$/, ""))).toEqual(["CREATE TABLE widgets (id INTEGER)", trigger, "SELECT ';'"]);
});

it("wrangler's unstable_readConfig reads an environment by its name, and lists the environments", async () => {
	const directory = mkdtempSync(path.join(os.tmpdir(), "runtime-"));
	const file = path.join(directory, "wrangler.toml");
	writeFileSync(file, 'name = "widgets"\n[vars]\nPLACE = "here"\n[env.abroad.vars]\nPLACE = "there"\n');
	try {
		const { top, deployed } = await loadConfigured(file);
		expect(top.vars).toEqual({ PLACE: "here" });
		expect([...deployed].map(([name, { vars }]) => [name, vars])).toEqual([["abroad", { PLACE: "there" }]]);
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
});

it("wrangler's unstable_getMiniflareWorkerOptions and Miniflare's convertV4MiniflareOptions run a Worker with its bindings", async () => {
	const directory = mkdtempSync(path.join(os.tmpdir(), "runtime-"));
	const built = configIn(await bundle(path.resolve(import.meta.dirname, "../..")));
	const config = { ...JSON.parse(readFileSync(built, "utf8")), userConfigPath: path.join(directory, "wrangler.toml") };
	const file = path.join(directory, "worker/wrangler.json");
	mkdirSync(path.dirname(file));
	writeFileSync(file, JSON.stringify(config));
	writeFileSync(path.join(directory, ".dev.vars"), "ENVIRONMENT='of .dev.vars'\n");
	const { options } = runtime.configured(file);
	const { bindings, d1Databases, queueProducers, ratelimits } = options;
	expect(options.durableObjects).toMatchObject({ IDEMPOTENCY_KEYS: { className: "IdempotencyKeys", useSQLite: true } });
	const script =
		"export default { fetch: async (_, env) => Response.json([env.ENVIRONMENT, Object.keys(env), await env.DB.prepare('select 1 as one').first()]) }";
	const running = runtime.run([{ modules: true, script, bindings, d1Databases, queueProducers, ratelimits }], {});
	try {
		const answer = await running.dispatchFetch("http://localhost/");
		expect(await answer.json()).toEqual([
			"of .dev.vars",
			expect.arrayContaining(["DB", "WEBHOOK_QUEUE", "WEBHOOK_SLOW_QUEUE", "USER_LIMIT", "DEAD_LETTER_QUEUE"]),
			{ one: 1 },
		]);
	} finally {
		await running.dispose();
		rmSync(directory, { recursive: true, force: true });
	}
});

it("Miniflare runs the cron of a Worker that is named to it at its address, while the Worker logs more than a pipe holds", async () => {
	const script =
		"export default { async scheduled({ cron }, env) { for (let n = 0; n < 4000; n++) console.log('x'.repeat(100)); await env.TOLD.fetch('http://told/' + cron); } }";
	const told: string[] = [];
	const TOLD = ({ url }: { url: string }) => {
		told.push(decodeURIComponent(new URL(url).pathname));
		return new runtime.Response(null);
	};
	const running = runtime.run(
		[
			{ name: "first", modules: true, script: "export default {}" },
			{ name: "second", modules: true, script, serviceBindings: { TOLD } },
		],
		{ handleStructuredLogs() {} },
	);
	try {
		await runtime.trigger(running, "second", "*");
		expect(told).toEqual(["/*"]);
	} finally {
		await running.dispose();
	}
});
