// The project `local` of the suite, with marked sources and a runner that takes guards out. `main.ts` starts it.

import { readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import suite, { inNodeAlone } from "../../vitest.config.ts";
import { marking } from "./places.ts";
import type { Plan } from "./plan.ts";

const ROOT = path.join(import.meta.dirname, "../..");

type Project = { plugins?: unknown[]; test?: { name?: string; exclude?: string[]; provide?: object; sequence?: object } };

const plan = JSON.parse(process.env.MUTATIONS ?? "{}") as Plan;

/** How many folders this test has in common with the nearest of the guards that a sample begins with. */
function nearness({ moduleId }: TestSpecification): number {
	const own = path.relative(ROOT, moduleId).split(path.sep).slice(1);
	const shared = (plan.sample?.chosen ?? []).map((place) => {
		const folders = (place.includes("/") ? place : `migrations/db/${place}`).split("/").slice(1);
		return folders.findIndex((name, at) => name !== own[at]);
	});
	return Math.max(0, ...shared);
}

/** Short files before long ones, and thorough ones last: many tests pass without a condition that one file tries by itself. */
function weight({ moduleId }: TestSpecification): number {
	const text = readFileSync(moduleId, "utf8");
	return text.length + (text.includes("@module-tag thorough") ? 1_000_000 : 0);
}

class NearestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		return files.sort((a, b) => nearness(b) - nearness(a) || weight(a) - weight(b) || a.moduleId.localeCompare(b.moduleId, "en"));
	}
}

export default defineConfig(async () => {
	const { test, ...shared } = (await (suite as unknown as () => Promise<{ test: { projects: Project[] } }>)()) as never as {
		test: { projects: Project[]; tags: object[] };
	};
	const local = test.projects.find((project) => project.test?.name === "local");
	if (!local) throw new Error("the suite has no project of the name local");
	return {
		...shared,
		...local,
		root: ROOT,
		plugins: [marking(), ...(local.plugins ?? [])],
		test: {
			...local.test,
			// A file with a tag that is not known here would not run.
			tags: test.tags,
			maxWorkers: 1,
			// A busy machine must not be what notices.
			testTimeout: 60_000,
			hookTimeout: 60_000,
			// The cost of a statement must not show that a condition is missing.
			exclude: [...(local.test?.exclude ?? []), ...inNodeAlone, "**/*plans.test.ts", "**/budgets.test.ts"],
			runner: path.join(import.meta.dirname, "runner.ts"),
			reporters: [path.join(import.meta.dirname, "reporter.ts")],
			provide: { ...local.test?.provide, plan },
			sequence: { ...local.test?.sequence, sequencer: NearestFirst },
			onConsoleLog: () => false,
		},
	} as never;
});
