import { describe, expect, it } from "vitest";
import { deployment } from "../../src/dev/deployment.ts";

const databases = [
	{ binding: "DB", database_id: "a" },
	{ binding: "SHARD_0", database_id: "b" },
];

const deploy = ["deploy", "dist/worker.js", "--no-bundle"];

describe("a deployment", () => {
	it("migrates every database before it deploys the Worker", () => {
		expect(deployment(databases, deploy)).toEqual([
			["d1", "migrations", "apply", "DB", "--remote"],
			["d1", "migrations", "apply", "SHARD_0", "--remote"],
			deploy,
		]);
	});

	it("stays within one environment of wrangler.toml", () => {
		expect(deployment(databases.slice(0, 1), deploy, "sandbox")).toEqual([
			["d1", "migrations", "apply", "DB", "--remote", "--env", "sandbox"],
			[...deploy, "--env", "sandbox"],
		]);
	});

	it("is refused when two bindings name the same database", () => {
		expect(() => deployment([...databases, { binding: "SHARD_1", database_id: "b" }], deploy)).toThrow(
			"SHARD_0 and SHARD_1 of wrangler.toml have the same database_id: each needs its own",
		);
	});
});
