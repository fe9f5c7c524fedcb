// What a deployment asks of wrangler before it deploys, by the installed wrangler itself, against an account on this machine.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { wranglerCommand } from "../../src/dev/deployment.ts";
import { type Edge, edgeOf } from "../../src/dev/edge.ts";
import { API, preflight } from "../../src/dev/preflight.ts";
import { applyPending, pendingIn, withRecord } from "../../src/dev/remote-migrations.ts";
import { TOKEN } from "./account.ts";
import { filledIn } from "./filled-in.ts";

const config = filledIn().deployed.get("staging") ?? {};
const own = mkdtempSync(path.join(tmpdir(), "wrangler-"));
const migrations = path.join(own, "migrations");
const built = path.join(own, "wrangler.json");
const SCRIPTS = {
	"0000_init.sql": "CREATE TABLE a (id TEXT);\n",
	"0001_trigger.sql": "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END;\n",
};

let account: ChildProcess;
let base: string;
let said: string[];
beforeAll(async () => {
	account = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", path.join(import.meta.dirname, "account-server.ts")], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const [port] = (await once(account.stdout ?? account, "data")) as [Buffer];
	base = `http://127.0.0.1:${String(port).trim()}`;
	mkdirSync(migrations);
	for (const [name, script] of Object.entries(SCRIPTS)) writeFileSync(path.join(migrations, name), script);
	const { account_id, d1_databases } = config;
	writeFileSync(built, JSON.stringify({ name: "service", compatibility_date: "2026-08-15", account_id, d1_databases }));
	vi.stubEnv("HOME", own);
	vi.stubEnv("XDG_CONFIG_HOME", path.join(own, "config"));
	vi.stubEnv("WRANGLER_SEND_METRICS", "false");
	// As somebody may have it.
	vi.stubEnv("WRANGLER_LOG", "warn");
});
afterAll(() => {
	vi.unstubAllEnvs();
	account.kill();
	rmSync(own, { recursive: true, force: true });
});

function edgeWith(token: string, address = base): Edge {
	vi.stubEnv("CLOUDFLARE_API_TOKEN", token);
	vi.stubEnv("CLOUDFLARE_API_BASE_URL", `${address}/client/v4`);
	said = [];
	const real = edgeOf(own, wranglerCommand());
	return {
		...real,
		// Its output stands among the lines of the test otherwise.
		wrangler: (command) => real.wrangler(command, "ASKED"),
		fetch: (input, init) => fetch(String(input).replace(API, `${address}/client/v4`), init),
		say: (line) => void said.push(line),
	};
}
const asked = (edge: Edge) =>
	preflight({ edge, config, env: "staging" }).then(
		(earlier) => `serves ${earlier.core}`,
		(error: Error) => error.message,
	);

it("the account is asked with the installed wrangler's own token, and its words are printed with the one next step", async () => {
	expect(await asked(edgeWith(TOKEN))).toBe("serves earlier");
	const expired = await asked(edgeWith("a-token-that-was-revoked-0123"));
	expect(expired).toContain("Authentication error [code: 10000]");
	expect(expired).not.toMatch(/^\s+at /m);
	expect(expired.split("\n").at(-1)).toBe("The token has expired or was revoked: npx wrangler login again, or roll CLOUDFLARE_API_TOKEN.");
	const lost = await asked(edgeWith(TOKEN, "http://127.0.0.1:1"));
	expect(lost).toContain("fetch failed");
	expect(lost.split("\n").at(-1)).toContain("Cloudflare cannot be reached from here");
	const nobody = await asked(edgeWith(""));
	expect(nobody.split("\n").at(-1)).toBe("Sign in: npx wrangler login. A pipeline has CLOUDFLARE_API_TOKEN instead.");
});

it("the installed wrangler imports each migration whole with its record, and finds it again", async () => {
	const edge = edgeWith(TOKEN);
	const by = ["--config", built];
	const pending = pendingIn(edge, migrations, "DB", by);
	expect(pending.names).toEqual(Object.keys(SCRIPTS));
	applyPending(edge, migrations, pending, by);
	const { result } = (await (await fetch(`${base}/imported`)).json()) as { result: string[] };
	expect(result).toEqual(Object.entries(SCRIPTS).map(([name, script]) => withRecord(name, script)));
	expect(pendingIn(edge, migrations, "DB", by).names).toEqual([]);
	expect(said).toContain("DB is up to date.");
});
