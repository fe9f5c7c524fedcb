import path from "node:path";
import { cloudflareTest, type D1Migration, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { Log } from "miniflare";
import { defineConfig } from "vitest/config";
import { avoidDeadlockOfCollectors } from "./src/dev/runtime.ts";
import { keepTemporaryFilesInMemory } from "./test/support/memory.ts";
import { workerVars } from "./test/support/vars.ts";

/** `HOMES=3`: a directory and two databases of homes beside it. */
const shards = process.env.HOMES === "3" ? ["SHARD_0", "SHARD_1"] : [];

/** What stands in Node for the modules of workerd. */
const inNode = Object.fromEntries(
	["workers", "test", "sockets"].map((name) => [
		`cloudflare:${name}`,
		path.join(import.meta.dirname, `test/support/node/cloudflare-${name}.ts`),
	]),
);

/** Files that run apart from all others. */
const apart = [
	...["test/browser/**", "test/bundle/**", "test/dev/**/!(*.node).test.ts", "test/faults/!(*.workerd).test.ts"],
	...["test/mutations/!(*.node).test.ts", "**/node_modules/**"],
];

/** Pure functions, tests that read the sources, and random histories over SQLite. */
export const inNodeAlone = ["test/**/*.node.test.ts", "test/simulation/**/*.test.ts"];

/** What a test waits for it awaits, so that this ends only what hangs. Patient, because another run may be beside on the same cores. */
const patience = { testTimeout: 300_000, hookTimeout: 300_000 };

/** A worker for each core; by default Vitest leaves one core free. */
const maxWorkers = "100%";

/** The Worker's sources in workerd, with its bindings over D1. @param main another Worker with these bindings */
const inWorkerd = (migrations: D1Migration[], main?: string) =>
	cloudflareTest({
		...(main && { main }),
		wrangler: { configPath: "./wrangler.toml" },
		miniflare: {
			bindings: {
				...workerVars(),
				TEST_MIGRATIONS: migrations,
				EXAMPLES_URL: process.env.EXAMPLES_URL ?? "",
				CROWD_ROWS: process.env.CROWD_ROWS ?? "",
				PRINT_BUDGETS: process.env.PRINT_BUDGETS ?? "",
				SIMULATE: process.env.SIMULATE ?? "",
				SIMULATION_SEED: process.env.SIMULATION_SEED ?? "",
			},
			// Not SHARD_0: the tests that need a second database bind it by that name themselves.
			d1Databases: [...shards, "SECOND_DB"],
			// Under another name than the Worker's, which most tests run without.
			r2Buckets: ["BUCKET"],
		},
	});

/** `JUDGE_PLANS=1` judges the plans of every statement that any test makes the service send. */
const judged = process.env.JUDGE_PLANS ? ["./test/support/judged.ts"] : [];

/**
 * In Node. All projects there resolve imports alike, so that each file of the sources is compiled once for all of them, and not again in the
 * next run: what is kept is named by the file's content and by this configuration.
 */
const compiledOnce = { resolve: { alias: inNode } };
const kept = { experimental: { fsModuleCache: true } };

/** The Worker of the tests of the platform, which also take it for the service's. */
const ofThePlatform = path.join(import.meta.dirname, "test/conformance/worker.ts");

const inOneWorkerd = {
	...patience,
	// CommonJS packages, bundled ahead: loaded one by one they sometimes run without `exports`.
	deps: {
		optimizer: { ssr: { enabled: true, include: ["standardwebhooks", "svix", "stripe", "ajv/dist/2020.js", "ajv-formats"] } },
	},
	// One workerd serves many files, and loads the sources once: each test empties the storage and the caches itself.
	isolate: false,
	maxWorkers,
	setupFiles: ["./test/support/setup.ts"],
};

/** The runtime's word for each message of a queue that test/conformance/queues.test.ts gives up on purpose: a hundred. */
function keepQuietOfDeadLetters(): void {
	const { logWithLevel } = Log.prototype;
	Log.prototype.logWithLevel = function (level, message) {
		if (!/^Moving message .* to dead letter queue/.test(message)) logWithLevel.call(this, level, message);
	};
}

/** What test/conformance throws, catches and checks, and the runtime reports once more. */
const PROVOKED: readonly string[] = ["lost on purpose", 'The RPC receiver does not implement "nothing".'];

/** The runtime prints these too, and two more. What is uncaught in other words is printed. */
function keepQuietOfProvoked(): void {
	const print = process.stdout.write.bind(process.stdout) as (...args: unknown[]) => boolean;
	const provoked = [...PROVOKED, "RangeError: out of range", "Error: broken"];
	const isProvoked = (text: unknown) =>
		typeof text === "string" && /^uncaught exception; /.test(text) && provoked.some((words) => text.split("\n", 1)[0]?.endsWith(words));
	process.stdout.write = (...args: unknown[]) => isProvoked(args[0]) || print(...args);
}

avoidDeadlockOfCollectors();
keepQuietOfDeadLetters();
keepQuietOfProvoked();
// The runtimes of tests run most code only a few times, which is less work than to optimize it.
process.env.MINIFLARE_WORKERD_V8_FLAGS += " --no-turbofan";
keepTemporaryFilesInMemory();

// Many tests start Node processes that load wrangler or drizzle-kit, which are large: each compiles what the one before has not.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, "node_modules/.cache/node");

export default defineConfig(async () => {
	const migrations = await readD1Migrations(path.join(import.meta.dirname, "migrations"));
	return {
		test: {
			// What fails, with what it has logged, and the sum.
			reporters: ["minimal"],
			// Nor the tests that take long: how long says more of what runs beside them.
			slowTestThreshold: patience.testTimeout,
			// The runtime reports once more what test/conformance/durable-objects.test.ts provokes, catches and checks in these words.
			onUnhandledError: ({ message }: { message: string }) => !PROVOKED.includes(message),
			// A test says so in its options, a file with `@module-tag` below its opening words.
			tags: [
				{
					name: "thorough",
					description: "Tries one rule with every caller, by many at once, at every crash, over many rows or through long histories.",
				},
			],
			projects: [
				// One of these by itself needs no Worker. Not isolated, because to load the sources takes longer than most of these files.
				{
					...compiledOnce,
					test: { name: "node", ...patience, ...kept, isolate: false, maxWorkers, include: inNodeAlone },
				},
				// Faults at every effect of every operation, over the same, and whether plans of faults find what is broken on purpose. Few files,
				// because to load the sources takes as long as many tests.
				{
					...compiledOnce,
					test: {
						name: "faults",
						...kept,
						maxWorkers,
						include: [process.env.FAULTS ? "test/faults/command*.test.ts" : "test/faults/{faults,plan}*.test.ts"],
						// Patient: a test that is given up goes on, in the world of the next.
						testTimeout: 300_000,
					},
				},
				// What runs in workerd, below, also runs in Node over SQLite, where a test takes a fraction of the time. With the files of `node`, so
				// that all of them share what a process has loaded.
				{
					...compiledOnce,
					test: {
						name: "local",
						...kept,
						testTimeout: 30_000,
						hookTimeout: 30_000,
						isolate: false,
						maxWorkers,
						include: ["test/**/*.test.ts"],
						exclude: [...apart, "test/**/*.workerd.test.ts"],
						provide: { migrations },
						sequence: { setupFiles: "list" as const },
						setupFiles: ["./test/support/node/local.ts", "./test/support/setup.ts", ...judged],
					},
				},
				// Whole processes in Node: the launcher, drizzle-kit, and receivers over real TLS. Not isolated, because each would load wrangler
				// again.
				{
					test: {
						name: "processes",
						...patience,
						isolate: false,
						maxWorkers,
						include: ["test/dev/**/*.test.ts"],
						setupFiles: ["./test/support/errors-of-services.ts"],
					},
				},
				// Guards taken out, a sample for each commit.
				{ test: { name: "mutations", ...patience, include: ["test/mutations/*.test.ts"], exclude: ["**/*.node.test.ts"] } },
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
						...patience,
						maxWorkers,
						include: ["test/bundle/**/*.test.ts"],
						globalSetup: ["./test/bundle/build.ts"],
					},
				},
				// What stands in Node for the platform is held to the platform: the same files as in `local`.
				{
					plugins: [inWorkerd(migrations, ofThePlatform)],
					resolve: { alias: [{ find: /^\.\.\/\.\.\/src\/worker$/, replacement: ofThePlatform }] },
					test: {
						...inOneWorkerd,
						name: "conformance",
						include: ["test/conformance/*.test.ts"],
						setupFiles: ["./test/conformance/setup.ts"],
					},
				},
				// Without the files of `conformance`: theirs are the queues of the runtime, which other files use too.
				{
					plugins: [inWorkerd(migrations)],
					test: {
						...inOneWorkerd,
						name: "workers",
						setupFiles: [...inOneWorkerd.setupFiles, ...judged],
						include: ["test/**/*.test.ts"],
						exclude: [...apart, ...inNodeAlone, "test/conformance/**"],
					},
				},
			],
		},
	};
});
