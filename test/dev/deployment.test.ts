// Which deployments are refused before anything is built or touched, and what the others run, with a stand-in for wrangler.

import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { deploy, type Edge, rehearse } from "../../src/dev/deploying.ts";
import { neededSecrets, releaseOf } from "../../src/dev/deployment.ts";
import { bindingsOf, type EnvironmentConfig, type Environments, faultsOf } from "../../src/dev/environments.ts";
import { freshMasterKey, freshServiceKeys } from "../../src/dev/local-variables.ts";
import { loadEnvironments } from "../../src/dev/runtime.ts";
import { configuration } from "../../src/runtime/config";

const directory = path.resolve(import.meta.dirname, "../..");
const ofCheckout = await loadEnvironments(path.join(directory, "wrangler.toml"));
const release = releaseOf(directory, "0123456789", new Date("2026-11-22T12:34:56.789Z"));

type Changed = { -readonly [K in keyof EnvironmentConfig]: EnvironmentConfig[K] };
const issuers = JSON.stringify([
	{ issuer: "https://login.acme.test", kind: "operator", jwks_uri: "https://login.acme.test/keys", required_amr: ["mfa"] },
]);

/** The checkout's wrangler.toml once somebody has put their own values in the place of its placeholders. */
function filledIn(): Environments & { readonly deployed: Map<string, Changed> } {
	const fill = ([name, config]: [string, EnvironmentConfig], index: number): [string, Changed] => {
		const host = `${name}.acme.test`;
		const d1_databases = config.d1_databases?.map((one) => ({ ...one, database_id: `${index}`.padStart(8, "a") }));
		const vars = { ...config.vars, BASE_URL: `https://${host}`, TRUSTED_ISSUERS: issuers };
		return [name, { ...config, d1_databases: d1_databases ?? [], routes: [{ pattern: host }], vars }];
	};
	return { top: ofCheckout.top, deployed: new Map([...ofCheckout.deployed].map(fill)) };
}

/** Them with the environment `staging` changed. */
function with_(change: (staging: Changed, production: Changed) => void): Environments {
	const environments = filledIn();
	const [staging, production] = ["staging", "production"].map((name) => structuredClone(environments.deployed.get(name) ?? {}));
	if (!staging || !production) throw new Error("wrangler.toml has neither");
	change(staging, production);
	environments.deployed.set("staging", staging).set("production", production);
	return environments;
}

const KINDS = ["d1_databases", "durable_objects", "queues", "ratelimits"] as const;

describe("the environments of wrangler.toml", () => {
	it("bind and set what the top level does, and share nothing", () => {
		expect([...ofCheckout.deployed.keys()]).toEqual(["staging", "production"]);
		for (const env of ofCheckout.deployed.keys()) expect(faultsOf(env, filledIn())).toEqual([]);
	});

	it("are refused as long as they hold its placeholders", () => {
		expect(faultsOf("staging", ofCheckout)).toEqual([
			"[env.staging] DB has a placeholder for its database_id: npx wrangler d1 create financial-account-service-staging prints one",
			"[env.staging] routes has a placeholder: api.staging.example.com",
			"[env.staging] BASE_URL has a placeholder: api.staging.example.com",
			"[env.staging] TRUSTED_ISSUERS has a placeholder: login.example.com",
		]);
	});
});

describe("a deployment is refused", () => {
	it("without an environment, and to one that wrangler.toml does not have", () => {
		expect(faultsOf(undefined, filledIn())).toEqual([
			"name the environment with --env: wrangler.toml has staging, production, and its top level is this machine's",
		]);
		expect(faultsOf("prodution", filledIn())).toEqual(["wrangler.toml has no environment prodution; it has staging, production"]);
	});

	it.each(KINDS)("naming each binding of %s that is missing", (kind) => {
		const environments = with_((staging) => delete staging[kind]);
		const left = bindingsOf(environments.deployed.get("staging") ?? {}).map(({ name }) => name);
		const missing = bindingsOf(environments.top).filter(({ name }) => !left.includes(name));
		expect(missing).not.toEqual([]);
		expect(faultsOf("staging", environments)).toEqual(
			expect.arrayContaining(missing.map(({ name, section }) => `[env.staging] does not bind ${name} (${section})`)),
		);
	});

	it("with variables alone, naming everything else", () => {
		const bare = { top: ofCheckout.top, deployed: new Map([["staging", { vars: { ENVIRONMENT: "sandbox" } }]]) };
		const expected = [
			...bindingsOf(ofCheckout.top).map(({ name, section }) => `does not bind ${name} (${section})`),
			...["BASE_URL", "TRUSTED_ISSUERS", "DEAD_LETTER_QUEUE"].map((name) => `has no variable ${name}`),
			"does not run the cron * * * * *",
			"has no route",
		];
		expect(faultsOf("staging", bare)).toEqual(expected.map((fault) => `[env.staging] ${fault}`));
	});

	const set = (name: string, value: string) => (staging: Changed) => {
		staging.vars = { ...staging.vars, [name]: value };
	};
	const host = "production.acme.test";
	it.each<[string, (staging: Changed, production: Changed) => void, string]>([
		[
			"a database of another environment",
			(staging, production) => {
				staging.d1_databases = production.d1_databases ?? [];
			},
			"DB names the database aaaaaaa1, which is that of [env.production]",
		],
		[
			"one database bound twice",
			(staging) => {
				staging.d1_databases = ["DB", "SHARD_0"].map((binding) => ({ binding, database_id: "c" }));
			},
			"DB and SHARD_0 name the same database c: each needs its own",
		],
		[
			"a queue of another environment",
			(staging, production) => {
				staging.queues = { ...staging.queues, producers: production.queues?.producers };
			},
			"WEBHOOK_SLOW_QUEUE names the queue production-webhook-slow, which is that of [env.production]",
		],
		[
			"a queue of the top level",
			(staging) => {
				staging.queues = { ...staging.queues, producers: ofCheckout.top.queues?.producers };
			},
			"WEBHOOK_QUEUE names the queue webhook-deliveries, which is that of the top level",
		],
		[
			"dead letters of another environment",
			set("DEAD_LETTER_QUEUE", "production-webhook-dead-letters"),
			"DEAD_LETTER_QUEUE names the queue production-webhook-dead-letters, which is that of [env.production]",
		],
		[
			"a rate-limit namespace of another environment",
			(staging, production) => {
				staging.ratelimits = production.ratelimits;
			},
			"USER_LIMIT names the rate-limit namespace 3001, which is that of [env.production]",
		],
		[
			"a bucket of another environment",
			(staging, production) => {
				staging.r2_buckets = [{ binding: "ARCHIVE", bucket_name: "archive" }];
				production.r2_buckets = [{ binding: "ARCHIVE", bucket_name: "archive" }];
			},
			"ARCHIVE names the bucket archive, which is that of [env.production]",
		],
		[
			"a route of another environment",
			(staging) => {
				staging.routes = [{ pattern: `${host}/*` }];
			},
			`routes names the address ${host}, which is that of [env.production]`,
		],
		[
			"the name of another environment's Worker",
			(staging, production) => {
				staging.name = production.name;
			},
			"name names the Worker financial-account-service-production, which is that of [env.production]",
		],
		[
			"the address of another environment",
			set("BASE_URL", `https://${host}`),
			`BASE_URL is at ${host}, which is none of its routes (staging.acme.test)`,
		],
		["an address without TLS", set("BASE_URL", "http://staging.acme.test"), "BASE_URL must begin with https://: http://staging.acme.test"],
		["the variables of this machine", set("ENVIRONMENT", "local"), "ENVIRONMENT is local, and must be sandbox or production"],
		["nobody to operate it", set("TRUSTED_ISSUERS", "[]"), "TRUSTED_ISSUERS has no issuer of the kind operator: nobody could operate it"],
		["a placeholder", set("OPENFGA_URL", "https://<your host>/"), "OPENFGA_URL has a placeholder: <your host>"],
		[
			"a queue that nothing consumes",
			(staging) => {
				staging.queues = { ...staging.queues, consumers: staging.queues?.consumers?.slice(1) };
			},
			"consumes the queue staging-webhook-deliveries of WEBHOOK_QUEUE nowhere",
		],
		[
			"another size of batches",
			(staging) => {
				staging.queues = { ...staging.queues, consumers: staging.queues?.consumers?.map((one) => ({ ...one, max_batch_size: 5 })) };
			},
			"consumes the queue staging-webhook-slow with other settings than the top level that of WEBHOOK_SLOW_QUEUE",
		],
		[
			"dead letters that nobody is told of",
			set("DEAD_LETTER_QUEUE", "elsewhere"),
			"DEAD_LETTER_QUEUE is not where dead letters of the queue staging-webhook-slow end",
		],
		[
			"another limit",
			(staging) => {
				staging.ratelimits = staging.ratelimits?.map((one) => ({ ...one, simple: { limit: 1, period: 60 } }));
			},
			'USER_LIMIT must be {"limit":300,"period":60}, as at the top level',
		],
		[
			"no migration of an object",
			(staging) => {
				staging.migrations = [];
			},
			"has no migration that makes the class IdempotencyKeys",
		],
	])("for %s", (_, change, fault) => {
		expect(faultsOf("staging", with_(change))).toContain(`[env.staging] ${fault}`);
	});

	it("as production that is not one", () => {
		const environments = with_((_, production) => {
			production.vars = { ...production.vars, ENVIRONMENT: "sandbox" };
		});
		expect(faultsOf("production", environments)).toEqual(["[env.production] ENVIRONMENT is sandbox, and must be production"]);
	});
});

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
		with_((staging) => {
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
