// Which environments are refused, before anything is built or touched.

import { describe, expect, it } from "vitest";
import { bindingsOf, faultsOf } from "../../src/dev/environments.ts";
import { type Changed, changed, filledIn, ofCheckout } from "./filled-in.ts";

const ADDRESSES = "every request with its whole address, and with it the secrets of callback addresses";
const KINDS = ["d1_databases", "durable_objects", "queues", "ratelimits"] as const;

describe("the environments of wrangler.toml", () => {
	it("bind and set what the top level does, and share nothing", () => {
		expect([...ofCheckout.deployed.keys()]).toEqual(["staging", "production"]);
		for (const env of ofCheckout.deployed.keys()) expect(faultsOf(env, filledIn())).toEqual([]);
	});

	it("bound what consumers and invocations take, so that neither a backlog nor a fault takes the one database for itself", () => {
		type Bounds = { limits?: object; queues?: { consumers?: Record<string, unknown>[] } };
		for (const [env, config] of [["", ofCheckout.top] as const, ...ofCheckout.deployed]) {
			const { limits, queues } = config as Bounds;
			expect(limits, env).toEqual({ cpu_ms: 10_000 });
			const bounds = queues?.consumers?.map(({ max_concurrency, max_retries }) => [max_concurrency, max_retries]);
			expect(bounds?.slice(0, 2), env).toEqual([
				[20, 10],
				[10, 10],
			]);
		}
	});

	it("are refused as long as they hold its placeholders", () => {
		expect(faultsOf("staging", ofCheckout)).toEqual([
			"[env.staging] DB has a placeholder for its database_id: npx wrangler d1 create financial-account-service-staging --location weur prints one",
			"[env.staging] BASE_URL has a placeholder: api.staging.example.com",
			"[env.staging] TRUSTED_ISSUERS has a placeholder: login.example.com",
			"[env.staging] CONSOLE_SIGN_IN has a placeholder: login.example.com",
			"[env.staging] has no account_id: npx wrangler whoami lists your accounts with their ids",
			"wrangler.edge.toml [env.staging] routes has a placeholder: api.staging.example.com",
		]);
	});
});

describe("a deployment is refused", () => {
	it("without an environment, and to an environment that wrangler.toml does not have", () => {
		expect(faultsOf(undefined, filledIn())).toEqual([
			"name the environment with --env: wrangler.toml has staging, production, and its top level is this machine's",
		]);
		expect(faultsOf("prodution", filledIn())).toEqual(["wrangler.toml has no environment prodution; it has staging, production"]);
	});

	it.each(KINDS)("naming each binding of %s that is missing", (kind) => {
		const environments = changed((staging) => delete staging[kind]);
		const left = bindingsOf(environments.deployed.get("staging") ?? {}).map(({ name }) => name);
		const missing = bindingsOf(environments.top).filter(({ name }) => !left.includes(name));
		expect(missing).not.toEqual([]);
		expect(faultsOf("staging", environments)).toEqual(
			expect.arrayContaining(missing.map(({ name, section }) => `[env.staging] does not bind ${name} (${section})`)),
		);
	});

	it("with variables alone, naming everything else", () => {
		const bare = { top: ofCheckout.top, deployed: new Map([["staging", { vars: { ENVIRONMENT: "sandbox" } }]]), edges: new Map() };
		const expected = [
			...bindingsOf(ofCheckout.top).map(({ name, section }) => `does not bind ${name} (${section})`),
			...["BASE_URL", "TRUSTED_ISSUERS", "DEAD_LETTER_QUEUE"].map((name) => `has no variable ${name}`),
			"does not run the cron * * * * *",
			`traces ${ADDRESSES}: set [observability.traces] enabled = false`,
			`logs ${ADDRESSES}: set [observability.logs] invocation_logs = false`,
			"has an address of workers.dev: set workers_dev = false",
			"has an address for each version: set preview_urls = false",
			"has no account_id: npx wrangler whoami lists your accounts with their ids",
		];
		expect(faultsOf("staging", bare)).toEqual([
			...expected.map((fault) => `[env.staging] ${fault}`),
			"wrangler.edge.toml [env.staging] is missing",
		]);
	});

	const set = (name: string, value: string) => (staging: Changed) => {
		staging.vars = { ...staging.vars, [name]: value };
	};
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
			"a core with an address of its own",
			(staging) => {
				staging.routes = [{ pattern: `core.acme.test/*` }];
			},
			"has the route core.acme.test: routes are the edge's, in wrangler.edge.toml",
		],
		[
			"a core at workers.dev",
			(staging) => {
				staging.workers_dev = true;
			},
			"has an address of workers.dev: set workers_dev = false",
		],
		[
			"the name of another environment's Worker",
			(staging, production) => {
				staging.name = production.name;
			},
			"name names the Worker financial-account-service-production, which is that of [env.production]",
		],
		["an address without TLS", set("BASE_URL", "http://staging.acme.test"), "BASE_URL must begin with https://: http://staging.acme.test"],
		["the variables of this machine", set("ENVIRONMENT", "local"), "ENVIRONMENT is local, and must be sandbox or production"],
		[
			"an operators' issuer that admits everybody",
			set("TRUSTED_ISSUERS", JSON.stringify([{ issuer: "https://accounts.google.com", kind: "operator", audience: "console" }])),
			'TRUSTED_ISSUERS lets everybody operate it who has an account at https://accounts.google.com: demand a claim that your people alone have, such as "required_claims": {"hd": ["example.com"]}',
		],
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
		[
			"the account of another environment",
			(staging, production) => {
				staging.account_id = production.account_id;
			},
			"account_id is that of [env.production] too: each environment needs an account of its own, or say --same-account",
		],
		[
			"a variable that is too large",
			set("SERVICE_NAME", "x".repeat(5_121)),
			"SERVICE_NAME has 5121 bytes, and Cloudflare takes 5120 of a variable",
		],
		[
			"traces",
			(staging) => {
				staging.observability = { ...staging.observability, traces: {} };
			},
			`traces ${ADDRESSES}: set [observability.traces] enabled = false`,
		],
		[
			"the platform's own log lines",
			(staging) => {
				staging.observability = { ...staging.observability, logs: { invocation_logs: true } };
			},
			`logs ${ADDRESSES}: set [observability.logs] invocation_logs = false`,
		],
	])("for %s", (_, change, fault) => {
		expect(faultsOf("staging", changed(change))).toContain(`[env.staging] ${fault}`);
	});

	it("not for an account that it shares by intention", () => {
		const shared = changed((staging, production, edge) => {
			edge.account_id = production.account_id;
			staging.account_id = production.account_id;
		});
		expect(faultsOf("staging", shared, true)).toEqual([]);
	});

	it("as production that is not one", () => {
		const environments = changed((_, production) => {
			production.vars = { ...production.vars, ENVIRONMENT: "sandbox" };
		});
		expect(faultsOf("production", environments)).toEqual(["[env.production] ENVIRONMENT is sandbox, and must be production"]);
	});
});
