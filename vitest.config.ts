import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { workerVars } from "./test/support/vars.ts";

/** `HOMES=3`: a directory and two databases of homes beside it. */
const shards = process.env.HOMES === "3" ? ["SHARD_0", "SHARD_1"] : [];

/** A worker for each core; by default Vitest leaves one core free. */
const maxWorkers = "100%";

// Many tests start Node processes that load wrangler or drizzle-kit, which are large: each compiles what the one before has not.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, "node_modules/.cache/node");

export default defineConfig(async () => {
	const migrations = await readD1Migrations(path.join(import.meta.dirname, "migrations"));
	return {
		test: {
			// One line for each of thousands of refused tokens, attempts and bad inputs.
			onConsoleLog: (text: string) => !/"message":"(token refused|webhook attempt|bad input)"/.test(text),
			projects: [
				// Pure functions, and tests that read the sources, in Node. Not isolated, because to load the sources takes longer than most
				// of these files. Patient, because some test thousands of random cases.
				{ test: { name: "node", isolate: false, maxWorkers, include: ["test/**/*.node.test.ts"], testTimeout: 30_000 } },
				// Random histories over SQLite in Node, where thousands of them take a minute.
				{
					resolve: { alias: { "cloudflare:workers": path.join(import.meta.dirname, "test/simulation/cloudflare-workers.ts") } },
					test: { name: "simulation", maxWorkers, include: ["test/simulation/**/*.test.ts"] },
				},
				// Whole processes in Node: the launcher, and receivers over real TLS.
				{ test: { name: "dev", maxWorkers, include: ["test/dev/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 } },
				// The Worker as it is deployed: what only the build can break.
				{
					plugins: [
						cloudflareTest(({ inject }) => ({
							wrangler: { configPath: inject("builtConfig") },
							miniflare: { bindings: { ...workerVars(), TEST_MIGRATIONS: migrations } },
						})),
					],
					test: {
						name: "bundle",
						maxWorkers,
						include: ["test/bundle/**/*.test.ts"],
						globalSetup: ["./test/bundle/build.ts"],
						testTimeout: 30_000,
					},
				},
				{
					plugins: [
						cloudflareTest({
							wrangler: { configPath: "./wrangler.toml" },
							miniflare: {
								bindings: {
									...workerVars(),
									TEST_MIGRATIONS: migrations,
									EXAMPLES_URL: process.env.EXAMPLES_URL ?? "",
									PRINT_BUDGETS: process.env.PRINT_BUDGETS ?? "",
									SIMULATE: process.env.SIMULATE ?? "",
									SIMULATION_SEED: process.env.SIMULATION_SEED ?? "",
								},
								// Not SHARD_0: the tests that need a second database bind it by that name themselves.
								d1Databases: [...shards, "SECOND_DB"],
							},
						}),
					],
					test: {
						name: "workers",
						// CommonJS packages, bundled ahead: loaded one by one they sometimes run without `exports`.
						deps: { optimizer: { ssr: { enabled: true, include: ["standardwebhooks", "svix", "ajv/dist/2020.js", "ajv-formats"] } } },
						testTimeout: 20_000,
						// One workerd serves many files, and loads the sources once: each test empties the storage and the caches itself.
						isolate: false,
						maxWorkers,
						include: ["test/**/*.test.ts"],
						exclude: ["test/**/*.node.test.ts", "test/bundle/**", "test/dev/**", "test/simulation/**"],
						setupFiles: ["./test/support/setup.ts"],
					},
				},
			],
		},
	};
});
