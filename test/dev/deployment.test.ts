// What a deployment runs and what keeps it from going on, with a stand-in for wrangler.

import { beforeEach, describe, expect, it } from "vitest";
import { deploy, type Edge, rehearse } from "../../src/dev/deploying.ts";
import { neededSecrets, variablesOfWrangler } from "../../src/dev/deployment.ts";
import { freshMasterKey, freshServiceKeys } from "../../src/dev/local-variables.ts";
import { configuration } from "../../src/runtime/config";
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

it("wrangler does not learn of CLOUDFLARE_ENV, by which it would name another Worker than the build does", () => {
	expect(variablesOfWrangler({ PATH: "/bin", CLOUDFLARE_ENV: "staging" })).toEqual({ PATH: "/bin" });
});

describe("deploying", () => {
	/** What happened at the edge, in its order. */
	let done: string[];
	let said: string[];
	let fails: string;
	let secrets: string[];
	let healthy: object;
	beforeEach(() => {
		[done, said, fails, secrets] = [[], [], "", ["SERVICE_KEYS", "MASTER_KEY"]];
		healthy = { status: "ok", release: release.name, schema: release.schema };
	});
	const edge: Edge = {
		wrangler(command) {
			done.push(command.join(" "));
			const versions = [{ version_id: "earlier", percentage: 100 }];
			const stdout = command[0] === "secret" ? JSON.stringify(secrets.map((name) => ({ name }))) : JSON.stringify({ versions });
			return { status: fails !== "" && command.join(" ").startsWith(fails) ? 1 : 0, stdout };
		},
		async build(env) {
			done.push(`build ${env}`);
			return "wrangler.json";
		},
		async fetch(input) {
			done.push(String(input));
			return Response.json(healthy);
		},
		async sleep() {},
		say: (line) => void said.push(line),
	};
	const sharded = () =>
		changed((staging) => {
			staging.d1_databases = ["DB", "SHARD_0"].map((binding) => ({ binding, database_id: binding }));
		});
	const deployment = { env: "staging", release, operatorToken: undefined, environments: sharded() };
	const asked = ["build staging", "secret list --format json --config wrangler.json", "deployments status --json --config wrangler.json"];
	const migrated = ["DB", "SHARD_0"].map((name) => `d1 migrations apply ${name} --remote --config wrangler.json`);
	const deployed = "deploy --config wrangler.json --var RELEASE:0.1.0+0123456789.20261122T123456Z --tag 0.1.0+0123456789.20261122T123456Z";

	it("migrates every database before it deploys the build, and ends with the proof", async () => {
		await deploy(deployment, edge);
		expect(done).toEqual([...asked, ...migrated, deployed, "https://staging.acme.test/healthz"]);
	});

	it("touches nothing when it is refused, or when secrets are missing", async () => {
		await expect(deploy({ ...deployment, env: "prodution" }, edge)).rejects.toThrow("wrangler.toml has no environment prodution");
		await expect(deploy({ ...deployment, environments: ofCheckout }, edge)).rejects.toThrow(
			"Nothing was deployed.\n[env.staging] DB has a",
		);
		expect(done).toEqual([]);
		secrets = ["SERVICE_KEYS"];
		await expect(deploy(deployment, edge)).rejects.toThrow("npx wrangler secret put MASTER_KEY --env staging");
		expect(done).toEqual(asked.slice(0, 2));
	});

	it("does not deploy when a migration fails", async () => {
		fails = "d1 migrations apply SHARD_0";
		await expect(deploy(deployment, edge)).rejects.toThrow("The Worker was not deployed, and the one before goes on");
		expect(done).toEqual([...asked, ...migrated]);
	});

	it("says how to go back when another release answers, or one with another schema", async () => {
		for (const other of [{ release: "0.1.0+before" }, { schema: "0123456789ab" }]) {
			healthy = { status: "ok", release: release.name, schema: release.schema, ...other };
			await expect(deploy(deployment, edge)).rejects.toThrow(
				/healthz does not say that 0\.1\.0\+0123456789\.\S+ serves: .*\nTo go back: npx wrangler rollback earlier --env staging\./,
			);
		}
	});

	it("is rehearsed without touching anything, and says what would be refused", () => {
		expect(rehearse(deployment, edge.say)).toBe(true);
		const text = said.join("\n");
		for (const command of [...asked.slice(1), ...migrated, deployed]) {
			expect(text).toContain(`wrangler ${command.replace("wrangler.json", "<build>/worker/wrangler.json")}`);
		}
		expect(text).toContain("it must have SERVICE_KEYS, MASTER_KEY");
		expect(rehearse({ ...deployment, environments: ofCheckout }, edge.say)).toBe(false);
		expect(said.at(-1)).toContain("It would be refused:\n  [env.staging] DB has a placeholder");
		expect(done).toEqual([]);
	});
});
