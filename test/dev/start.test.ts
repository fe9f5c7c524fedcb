// The launcher as a process: what it prints when it cannot start, and what remains when it ends. It runs in a temporary
// checkout with a minimal Worker, so that it shares no port, data or secrets with this one.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	appendFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { bundle, bundleInto, configIn } from "../../src/dev/bundle.ts";
import { CannotStart, reportOf } from "../../src/dev/cannot-start.ts";
import { loopbackCertificate } from "../../src/dev/certificate.ts";
import { type Receiver, startReceiver } from "../../src/dev/receiver.ts";
import { startService } from "../../src/dev/service.ts";

const repository = path.resolve(import.meta.dirname, "../..");

const worker = `export default {
	async fetch(request, env) {
		if (env.BROKEN) {
			console.error(JSON.stringify({ level: "error", message: "configuration", variables: JSON.parse(env.BROKEN) }));
			return new Response(null, { status: 503 });
		}
		const to = new URL(request.url).searchParams.get("to");
		if (to) return fetch(to, { method: "POST", headers: { "x-service-delivery-id": "1" }, body: "{}" });
		return Response.json(await env.DB.prepare("SELECT name FROM d1_migrations").all().then((rows) => rows.results));
	},
};
`;

const configuration = `name = "stand-in"
main = "src/worker.ts"
compatibility_date = "2026-08-15"
[[d1_databases]]
binding = "DB"
database_name = "stand-in"
database_id = "00000000-0000-0000-0000-000000000000"
migrations_dir = "migrations"
`;

const migration = `CREATE TABLE widgets (id INTEGER PRIMARY KEY, name TEXT);
--> statement-breakpoint
CREATE TRIGGER kept BEFORE DELETE ON widgets BEGIN SELECT RAISE(ABORT, 'kept; always'); END;
`;

let checkout: string;
let launcher: ChildProcess | undefined;
let receiver: Receiver | undefined;

beforeAll(() => {
	checkout = mkdtempSync(path.join(os.tmpdir(), "checkout-"));
	cpSync(path.join(repository, "src/dev"), path.join(checkout, "src/dev"), { recursive: true });
	for (const name of ["package.json", "tsconfig.json", "vite.config.ts"]) cpSync(path.join(repository, name), path.join(checkout, name));
	symlinkSync(path.join(repository, "node_modules"), path.join(checkout, "node_modules"));
	mkdirSync(path.join(checkout, "migrations"));
	writeFileSync(path.join(checkout, "migrations/0000_init.sql"), migration);
	writeFileSync(path.join(checkout, "src/worker.ts"), worker);
	mkdirSync(path.join(checkout, "src/wiring"));
	writeFileSync(path.join(checkout, "src/wiring/reference-assets.ts"), "export const assets = {};");
	mkdirSync(path.join(checkout, "src/reference/browser"), { recursive: true });
	writeFileSync(path.join(checkout, "src/reference/browser/main.ts"), "export {};");
	mkdirSync(path.join(checkout, "src/console"));
	writeFileSync(path.join(checkout, "src/console/index.html"), "<!doctype html><title>Console</title>");
	writeFileSync(path.join(checkout, "wrangler.toml"), configuration);
	writeFileSync(path.join(checkout, "src/edge.ts"), "export default { fetch: (request, env) => env.CORE.fetch(request) };");
	writeFileSync(path.join(checkout, "wrangler.edge.toml"), 'name = "edge"\nmain = "src/edge.ts"\ncompatibility_date = "2026-08-15"\n');
});
afterEach(async () => {
	await receiver?.close();
	receiver = undefined;
	if (launcher && launcher.exitCode === null && launcher.signalCode === null) {
		launcher.kill("SIGTERM");
		await once(launcher, "exit");
	}
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

it("bundles the same sources once, again after an edit, and removes bundles that nobody uses", async () => {
	const first = await bundle(checkout);
	const { ino } = statSync(path.join(first, "worker/index.js"));
	const stale = path.join(first, "../stale");
	mkdirSync(stale);
	utimesSync(stale, 0, 0);
	expect(await bundle(checkout)).toBe(first);
	expect(statSync(path.join(first, "worker/index.js")).ino).toBe(ino);
	expect(existsSync(stale)).toBe(false);
	appendFileSync(path.join(checkout, "src/worker.ts"), "// edited\n");
	const [one, other] = await Promise.all([bundle(checkout), bundle(checkout)]);
	expect(one).not.toBe(first);
	expect(other).toBe(one);
	expect(readdirSync(path.dirname(first)).toSorted()).toEqual([first, one].map((directory) => path.basename(directory)).toSorted());
});

it("puts the build that is there into a folder, where it finds the migrations as before", async () => {
	const made = await bundle(checkout);
	const { ino } = statSync(path.join(made, "worker/index.js"));
	const outdir = path.join(checkout, "dist");
	mkdirSync(outdir);
	writeFileSync(path.join(outdir, "of-an-earlier-build.js"), "");
	await bundleInto(checkout, outdir);
	expect(await bundle(checkout)).toBe(made);
	expect(statSync(path.join(made, "worker/index.js")).ino).toBe(ino);
	expect(readdirSync(outdir).toSorted()).toEqual(readdirSync(made).toSorted());
	for (const worker of ["worker", "edge"] as const) {
		const code = (directory: string) => readFileSync(path.join(directory, worker, "index.js"), "utf8");
		expect(code(outdir)).toBe(code(made));
	}
	const {
		d1_databases: [database],
	} = JSON.parse(readFileSync(configIn(outdir), "utf8"));
	expect(path.resolve(outdir, "worker", database.migrations_dir)).toBe(path.join(checkout, "migrations"));
	rmSync(outdir, { recursive: true });
});

function launch(...args: string[]): { child: ChildProcess; output: () => string } {
	const child = spawn(process.execPath, ["src/dev/start.ts", ...args], {
		cwd: checkout,
		stdio: ["ignore", "pipe", "pipe"],
		// A home directory in which nothing can be written: none of the tests needs one.
		env: { ...process.env, HOME: "/dev/null" },
	});
	launcher = child;
	let said = "";
	for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += chunk));
	return { child, output: () => said };
}

async function started(): Promise<{ child: ChildProcess; url: string; runtime: number }> {
	const { child, output } = launch("--port", "0");
	for (let waited = 0; waited < 90_000 && !output().includes("Ctrl-C") && child.exitCode === null; waited += 50) await sleep(50);
	const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0];
	if (!url) throw new Error(`the launcher did not start: ${output()}`);
	return { child, url, runtime: runtimeOf(child) };
}

function runtimeOf(child: ChildProcess): number {
	const rows = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
	const row = rows
		.map((text) => text.trim().split(/\s+/))
		.find(([, parent, command]) => Number(parent) === child.pid && command?.includes("workerd"));
	if (!row) throw new Error("the launcher runs no workerd");
	return Number(row[0]);
}

const runs = (pid: number): boolean => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

async function ends(pid: number): Promise<boolean> {
	// Long, because the machine may be busy with another run of the tests.
	for (let waited = 0; waited < 60_000; waited += 50) {
		if (!runs(pid)) return true;
		await sleep(50);
	}
	return false;
}

describe("npm start", () => {
	it("applies the migrations, trusts a receiver that starts later, leaves no runtime behind after SIGKILL, and starts again on the same data until SIGINT", async () => {
		const first = await started();
		expect(await (await fetch(first.url)).json()).toEqual([{ name: "0000_init.sql" }]);
		receiver = await startReceiver({ certificate: loopbackCertificate(path.join(checkout, ".local")) });
		expect((await fetch(`${first.url}/?to=${receiver.url}`)).status).toBe(200);
		first.child.kill("SIGKILL");
		// On Windows nothing watches the runtime.
		expect(process.platform === "win32" || (await ends(first.runtime))).toBe(true);

		const second = await started();
		expect(await (await fetch(second.url)).json()).toEqual([{ name: "0000_init.sql" }]);
		const { child, output } = launchBeside(second.child);
		await once(child, "exit");
		expect({ code: child.exitCode, said: output() }).toEqual({
			code: 1,
			said: expect.stringContaining(`already served at ${second.url}`),
		});
		second.child.kill("SIGINT");
		expect(await once(second.child, "exit")).toEqual([0, null]);
		expect(await ends(second.runtime)).toBe(true);
	});

	it("starts several times at once in a new checkout, and serves one data directory once", { timeout: 180_000 }, async () => {
		for (const name of [".local", ".dev.vars"]) rmSync(path.join(checkout, name), { recursive: true, force: true });
		const all = ["shared", "shared", "own"].map((name) => launch("--port", "0", "--persist-to", path.join(checkout, name)));
		const serves = ({ output }: (typeof all)[number]) => output().includes("Ctrl-C");
		try {
			await vi.waitFor(() => expect(all.every((one) => serves(one) || one.child.exitCode !== null)).toBe(true), {
				timeout: 150_000,
				interval: 50,
			});
			const refused = all.filter((one) => !serves(one));
			expect(refused.map(({ child, output }) => ({ code: child.exitCode, said: output() }))).toEqual([
				{ code: 1, said: expect.stringMatching(/^This data is already (served at|being started)\b.*--persist-to.*\n$/) },
			]);
			expect(refused).not.toContain(all[2]);
		} finally {
			for (const { child } of all) child.kill("SIGKILL");
		}
	});

	it("refuses data with the schema of another version, names the remedy first, and starts once the data is deleted", {
		timeout: 180_000,
	}, async () => {
		const file = path.join(checkout, "migrations/0000_init.sql");
		const stamped = (hash: string) => `${migration}--> statement-breakpoint
CREATE TABLE \`schema_version\` (\`id\` integer PRIMARY KEY, \`hash\` text);
--> statement-breakpoint
INSERT INTO \`schema_version\` (\`id\`, \`hash\`) VALUES (1, '${hash.repeat(64)}');
`;
		const statePath = path.join(checkout, ".wrangler/state");
		// In this process, which trusts one certificate for all that it starts.
		loopbackCertificate(path.join(repository, ".local"));
		cpSync(path.join(repository, ".local"), path.join(checkout, ".local"), { recursive: true });
		vi.stubEnv("NODE_EXTRA_CA_CERTS", process.env.NODE_EXTRA_CA_CERTS);
		const attempt = async () => (await startService({ port: 0, directory: checkout, statePath, onLog() {} })).stop();
		const refused = async () => {
			const error = await attempt().catch((error: unknown) => error);
			expect(error).toBeInstanceOf(CannotStart);
			expect(reportOf(error)).toMatch(
				/^This data was made by a later or another version .* delete \S+ \(npm run reset .*\) and start again\.$/,
			);
		};
		try {
			// The data of the migration without a version, then that of one version, under another one.
			await attempt();
			writeFileSync(file, stamped("a"));
			await refused();
			rmSync(statePath, { recursive: true });
			await attempt();
			writeFileSync(file, stamped("b"));
			await refused();
		} finally {
			vi.unstubAllEnvs();
			writeFileSync(file, migration);
		}
	});

	it("says in one line that its port is taken, and how to choose another", async () => {
		const other = createServer().listen(0, "127.0.0.1");
		await once(other, "listening");
		const address = other.address();
		const port = typeof address === "object" && address ? address.port : 0;
		const { child, output } = launch("--port", String(port));
		await once(child, "exit");
		other.close();
		expect(child.exitCode).toBe(1);
		expect(output()).toMatch(new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use\\..*--port.*\n$`));
	});

	it("says which variables are wrong and what to do, in place of the banner", async () => {
		const { child, output } = launch("--port", "0", "--var", 'BROKEN:{"MASTER_KEY":"is required","RATE_LIMITS":"must be one of"}');
		await once(child, "exit");
		expect({ code: child.exitCode, said: output() }).toEqual({
			code: 1,
			said: expect.stringMatching(/^MASTER_KEY: is required\nRATE_LIMITS: must be one of\nCorrect --var or \.dev\.vars .*\n$/),
		});
	});

	it("says which option is wrong", async () => {
		const { child, output } = launch("--port", "many");
		await once(child, "exit");
		expect({ code: child.exitCode, said: output() }).toEqual({ code: 1, said: "Not a port: many\n" });
	});
});

/** Starts a second launcher on the same data; afterEach still ends the first. */
function launchBeside(first: ChildProcess): { child: ChildProcess; output: () => string } {
	const second = launch("--port", "0");
	launcher = first;
	return second;
}
