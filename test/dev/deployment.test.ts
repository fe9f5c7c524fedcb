// What a deployment binds, and which ones are refused before anything is touched.

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { bundle, configIn } from "../../src/dev/bundle.ts";
import { bindingsOf, type DeployedConfig, deployment, NEEDED_BINDINGS } from "../../src/dev/deployment.ts";

const FILE = "dist/worker/wrangler.json";
const built = configIn(await bundle(path.resolve(import.meta.dirname, "../..")));
/** The configuration of this checkout, with an environment `sandbox`. */
const config: DeployedConfig = { ...JSON.parse(readFileSync(built, "utf8")), definedEnvironments: ["sandbox"] };
const DB = { binding: "DB", database_id: "a" };

describe("a deployment", () => {
	it("migrates every database before it deploys the build, whose configuration names the environment", () => {
		const commands = [
			["d1", "migrations", "apply", "DB", "--remote", "--config", FILE],
			["d1", "migrations", "apply", "SHARD_0", "--remote", "--config", FILE],
			["deploy", "--config", FILE],
		];
		const sharded = { ...config, d1_databases: [DB, { binding: "SHARD_0", database_id: "b" }] };
		expect(deployment(sharded, FILE)).toEqual(commands);
		expect(deployment(sharded, FILE, "sandbox")).toEqual(commands);
	});

	it("is refused when two bindings name the same database", () => {
		const d1_databases = [DB, { binding: "SHARD_0", database_id: "b" }, { binding: "SHARD_1", database_id: "b" }];
		expect(() => deployment({ ...config, d1_databases }, FILE)).toThrow(
			"SHARD_0 and SHARD_1 of wrangler.toml have the same database_id: each needs its own",
		);
	});

	it("is refused for an environment that wrangler.toml does not have", () => {
		expect(() => deployment(config, FILE, "sandbx")).toThrow("wrangler.toml has no environment sandbx; it has sandbox");
	});

	it("needs every binding of this checkout in its environment, and a consumer of each queue", () => {
		expect(bindingsOf(config).toSorted()).toEqual(NEEDED_BINDINGS.toSorted());
		for (const members of [{ d1_databases: [] }, { durable_objects: { bindings: [] } }, { queues: {} }, { ratelimits: [] }]) {
			const left = { ...config, ...members };
			const missing = NEEDED_BINDINGS.filter((name) => !bindingsOf(left).includes(name));
			expect(missing).not.toEqual([]);
			expect(() => deployment(left, FILE, "sandbox")).toThrow(`wrangler.toml does not bind ${missing.join(", ")} in sandbox`);
		}
		const queues = { ...config.queues, consumers: [] };
		expect(() => deployment({ ...config, queues }, FILE)).toThrow("no Worker of wrangler.toml consumes the queue webhook-deliveries");
		const vars = { DEAD_LETTER_QUEUE: "of another environment" };
		expect(() => deployment({ ...config, vars }, FILE)).toThrow(
			"DEAD_LETTER_QUEUE of wrangler.toml is not where dead letters of the queue",
		);
	});
});
