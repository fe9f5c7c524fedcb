// What a deployment runs and what keeps it from going on, with a stand-in for wrangler.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { deploy, rehearse, returnPathOf } from "../../src/dev/deploying.ts";
import { neededSecrets, variablesOfWrangler } from "../../src/dev/deployment.ts";
import type { Edge } from "../../src/dev/edge.ts";
import { freshMasterKey, freshServiceKeys } from "../../src/dev/local-variables.ts";
import { migrationNames } from "../../src/dev/migrations.ts";
import { configuration } from "../../src/runtime/config";
import { returnPathOf as returnPathOfService } from "../../src/runtime/console-sign-in";
import { accountOf, answerOf, failed, ok, signedInBy } from "./account.ts";
import { changed, filledIn, ofCheckout, release } from "./filled-in.ts";

it("the secrets that a deployment asks for are those without which the Worker refuses to serve", async () => {
	for (const [, config] of filledIn().deployed) {
		const address = (name: string) =>
			name.endsWith("_URL") ? `https://${name.toLowerCase().replaceAll("_", "-")}.test` : `secret-of-${name}`;
		const values: Record<string, string> = {
			SERVICE_KEYS: freshServiceKeys(),
			MASTER_KEY: freshMasterKey(),
			DISBURSER_SECRET: freshMasterKey(),
		};
		const vars = Object.fromEntries(neededSecrets(config).map((name) => [name, values[name] ?? address(name)]));
		const start = (left: object) => configuration({ ...config.vars, ...left } as never);
		await expect(start(vars)).resolves.toBeDefined();
		for (const name of neededSecrets(config)) {
			await expect(start({ ...vars, [name]: undefined })).rejects.toMatchObject({ variables: { [name]: expect.any(String) } });
		}
	}
});

it("the addresses to which people return from issuers are those that the service has", () => {
	for (const issuer of ["https://login.example", "https://login.example/", "https://login.example:8443/realms/staff~1/v2.0/"])
		expect(returnPathOf(issuer)).toBe(returnPathOfService(issuer));
	expect(returnPathOf("https://login.example:8443/realms/staff~1/v2.0/")).toBe("/console/signed-in/login.example-8443-realms-staff-1-v2.0");
});

it("wrangler does not learn of CLOUDFLARE_ENV, by which it would name another Worker than the build does", () => {
	expect(variablesOfWrangler({ PATH: "/bin", CLOUDFLARE_ENV: "staging" })).toEqual({ PATH: "/bin" });
});

describe("deploying", () => {
	/** What happened at the edge, in its order. */
	let done: string[];
	let said: string[];
	let fails: string;
	let replies: ReturnType<typeof accountOf>;
	let healthy: object;
	beforeEach(() => {
		[imported, has] = [new Map(), []];
		[done, said, fails, replies] = [[], [], "", accountOf(config())];
		healthy = { status: "ok", release: release.name, schema: release.schema };
	});
	/** What a file had that was imported, by its name. */
	let imported: Map<string, string>;
	let has: string[];
	const edge: Edge = {
		wrangler(command) {
			const line = command.join(" ");
			const file = command[command.indexOf("--file") + 1] ?? "";
			done.push(line.replace(/--command [\s\S]*ORDER BY id/, "--command <applied>").replace(file, path.basename(file)));
			if (fails !== "" && line.startsWith(fails)) return { status: 1, stdout: "", stderr: `✘ [ERROR] ${fails}` };
			if (command.includes("--file")) imported.set(path.basename(file), readFileSync(file, "utf8"));
			const who = signedInBy(config(), command);
			if (who) return who;
			const answer = line.includes("time-travel")
				? { bookmark: "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683" }
				: [{ results: [] }, { results: has.map((name) => ({ name })) }];
			return { status: 0, stdout: JSON.stringify(answer), stderr: "" };
		},
		async build(env) {
			done.push(`build ${env}`);
			return { core: "wrangler.json", edge: "edge.json" };
		},
		async fetch(input) {
			const answer = answerOf(replies, config(), String(input));
			if (answer) return answer;
			done.push(String(input));
			return Response.json(healthy);
		},
		authorization: async () => ({}),
		async sleep() {},
		say: (line) => void said.push(line),
	};
	const sharded = () =>
		changed((staging, _, edge) => {
			staging.d1_databases = ["DB", "SHARD_0"].map((binding) => ({ binding, database_id: binding }));
			const PLACES = JSON.stringify(["DB", "SHARD_0"].map((binding) => ({ binding, region: "weur" })));
			staging.vars = { ...staging.vars, PLACES };
			edge.vars = { PLACES };
		});
	const config = () => sharded().deployed.get("staging") ?? {};
	const migrations = path.resolve(import.meta.dirname, "../../migrations");
	const names = migrationNames(migrations);
	const deployment = { env: "staging", release, operatorToken: undefined, environments: sharded(), migrations };
	const asked = ["whoami --json", "auth token --json", "build staging"];
	const looked = ["DB", "SHARD_0"].flatMap((name) => [
		`d1 time-travel info ${name} --json --config wrangler.json`,
		`d1 execute ${name} --remote --json --command <applied> --config wrangler.json`,
	]);
	const applied = (binding: string, all = names) =>
		all.map((name) => `d1 execute ${binding} --remote --yes --file ${name} --config wrangler.json`);
	const deployed = "deploy --config wrangler.json --var RELEASE:0.1.0+0123456789.20261122T123456Z --tag 0.1.0+0123456789.20261122T123456Z";
	const healthz = "https://staging.acme.test/healthz";
	/** The first time: nobody reaches the core before its edge. */
	const served = [deployed, deployed.replace("wrangler.json", "edge.json"), healthz];
	const edgeScript = `/workers/scripts/${sharded().edges.get("staging")?.name}`;

	it("migrates every database before it deploys the build, and ends with the proof", async () => {
		await deploy(deployment, edge);
		const all = [...applied("DB"), ...applied("SHARD_0")];
		expect(done).toEqual([...asked, ...looked, ...all, ...served]);
	});

	it("proves the core through the edge that is there before it deploys another", async () => {
		const [core, version] = ["/deployments", "/versions/earlier"].map((path) => replies.get(`/workers/scripts/${config().name}${path}`));
		if (core && version) replies.set(`${edgeScript}/deployments`, core).set(`${edgeScript}/versions/earlier`, version);
		has = [...names];
		await deploy(deployment, edge);
		expect(done).toEqual([...asked, ...looked, deployed, healthz, ...served.slice(1)]);
		[done, healthy] = [[], { status: "ok", release: "another", schema: release.schema }];
		await expect(deploy(deployment, edge)).rejects.toThrow("healthz does not say that");
		expect(done).not.toContain(served[1]);
	});

	it("deploys the core of each region after the first one, with that one's objects, and without cron, consumers and migrations", async () => {
		const directory = mkdtempSync(path.join(tmpdir(), "regions-"));
		const [core, name] = [path.join(directory, "wrangler.json"), `${config().name}-apac`];
		const { durable_objects, queues, triggers, migrations: made } = config();
		writeFileSync(core, JSON.stringify({ name: config().name, durable_objects, queues, triggers, migrations: made }));
		const PLACES = JSON.stringify([
			{ binding: "DB", region: "weur" },
			{ binding: "SHARD_0", region: "apac" },
		]);
		const environments = changed((staging, _, edge) => {
			staging.d1_databases = sharded().deployed.get("staging")?.d1_databases ?? [];
			staging.vars = { ...staging.vars, PLACES };
			edge.vars = { PLACES };
			edge.services = [...(edge.services ?? []), { binding: "CORE_APAC", service: name }];
		});
		const built = { ...edge, build: async () => ({ core, edge: "edge.json" }) };
		try {
			replies.set("/d1/database/SHARD_0", ok({ running_in_region: "APAC", read_replication: { mode: "auto" } }));
			replies.set(`/workers/scripts/${name}/secrets`, failed(404, 10007, "This Worker does not exist on your account."));
			await expect(deploy({ ...deployment, environments }, built)).rejects.toThrow(`npx wrangler secret put MASTER_KEY --name ${name}`);
			replies.set(`/workers/scripts/${name}/secrets`, ok(["SERVICE_KEYS", "MASTER_KEY"].map((one) => ({ name: one }))));
			[done, has] = [[], [...names]];
			await deploy({ ...deployment, environments }, built);
			const deploys = done.filter((line) => line.startsWith("deploy ")).map((line) => path.basename(line.split(" ")[2] ?? ""));
			expect(deploys).toEqual(["wrangler.json", "wrangler.apac.json", "edge.json"]);
			const regional = JSON.parse(readFileSync(path.join(directory, "wrangler.apac.json"), "utf8"));
			expect(regional).toMatchObject({ name, placement: { region: "aws:ap-southeast-1" }, triggers: {}, migrations: [] });
			expect([regional.queues.producers.length, regional.queues.consumers]).toEqual([2, []]);
			const scripts = (regional.durable_objects.bindings as { script_name?: string }[]).map(({ script_name }) => script_name);
			expect(new Set(scripts)).toEqual(new Set([config().name]));
		} finally {
			rmSync(directory, { recursive: true, force: true });
		}
	});

	it("says that the core is deployed when the edge is not", async () => {
		[has, fails] = [[...names], "deploy --config edge.json"];
		await expect(deploy(deployment, edge)).rejects.toThrow("wrangler could not deploy the edge. The core is deployed");
		expect(done.at(-1)).toBe(served[1]);
	});

	it("imports each migration with its record, takes a bookmark first, and applies none twice", async () => {
		has = names.slice(0, -1);
		await deploy(deployment, edge);
		const last = names.at(-1) ?? "";
		expect(done.slice(asked.length + looked.length, -3)).toEqual([...applied("DB", [last]), ...applied("SHARD_0", [last])]);
		const script = readFileSync(path.join(migrations, last), "utf8").trimEnd();
		expect(imported.get(last)).toBe(`${script}\nINSERT INTO d1_migrations (name) VALUES ('${last}');\n`);
		expect(said.filter((line) => line.includes("00000085-0000024c"))).toHaveLength(2);
		[done, has] = [[], [...names]];
		await deploy(deployment, edge);
		expect(done).toEqual([...asked, ...looked, ...served]);
	});

	it("touches no database that a later version has migrated", async () => {
		has = [...names, "9999_later.sql"];
		await expect(deploy(deployment, edge)).rejects.toThrow("DB has the migrations 9999_later.sql, which these sources do not have");
		expect(done).toEqual([...asked, ...looked.slice(0, 2)]);
	});

	it("touches nothing when it is refused, or when secrets are missing", async () => {
		await expect(deploy({ ...deployment, env: "prodution" }, edge)).rejects.toThrow("wrangler.toml has no environment prodution");
		await expect(deploy({ ...deployment, environments: ofCheckout }, edge)).rejects.toThrow(
			"Nothing was deployed.\n[env.staging] DB has a",
		);
		expect(done).toEqual([]);
		replies.set(`/workers/scripts/${config().name}/secrets`, ok([{ name: "SERVICE_KEYS" }]));
		await expect(deploy(deployment, edge)).rejects.toThrow("npx wrangler secret put MASTER_KEY --env staging");
		expect(done).toEqual(asked.slice(0, 2));
	});

	it("does not deploy when a migration fails", async () => {
		fails = "d1 execute SHARD_0 --remote --yes";
		await expect(deploy(deployment, edge)).rejects.toThrow(
			`${names[0]} could not be applied to SHARD_0: all of it is there, or nothing. The Worker was not deployed, and the one before goes on`,
		);
		expect(done).toEqual([...asked, ...looked, ...applied("DB"), ...applied("SHARD_0").slice(0, 1)]);
	});

	it("says what wrangler said where a database cannot be asked", async () => {
		fails = "d1 time-travel info SHARD_0";
		await expect(deploy(deployment, edge)).rejects.toThrow("nothing was deployed:\n✘ [ERROR] d1 time-travel info SHARD_0");
		expect(done).toEqual([...asked, ...looked.slice(0, 3)]);
	});

	it("says how to go back when another release answers, or one with another schema", async () => {
		for (const other of [{ release: "0.1.0+before" }, { schema: "0123456789ab" }]) {
			healthy = { status: "ok", release: release.name, schema: release.schema, ...other };
			await expect(deploy(deployment, edge)).rejects.toThrow(
				/healthz does not say that 0\.1\.0\+0123456789\.\S+ serves: .*\nTo go back: npm run deploy -- --env staging --back earlier\./,
			);
		}
	});

	it("is rehearsed without touching anything, and says what would be refused", () => {
		expect(rehearse(deployment, edge.say)).toBe(true);
		const text = said.join("\n");
		const imports = ["DB", "SHARD_0"].flatMap((binding) => applied(binding, ["<migration>"]));
		for (const command of [
			...asked.slice(0, 1),
			...looked.map((one) => one.replace("<applied>", "<which it has>")),
			...imports,
			...served.slice(0, 2),
		]) {
			const file = (name: string) => `<build>/${name === "edge.json" ? "edge" : "worker"}/wrangler.json`;
			expect(text).toContain(`wrangler ${command.replace(/(?:wrangler|edge)\.json/, file)}`);
		}
		expect(text).toContain(
			"/console: Staff at https://login.acme.test as console, who return to https://staging.acme.test/console/signed-in/login.acme.test",
		);
		expect(text).toContain("the secrets SERVICE_KEYS, MASTER_KEY of the Worker");
		expect(rehearse({ ...deployment, environments: ofCheckout }, edge.say)).toBe(false);
		expect(said.at(-1)).toContain("It would be refused:\n  [env.staging] DB has a placeholder");
		expect(done).toEqual([]);
	});
});
