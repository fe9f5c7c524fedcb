// Runs each test once as it is, and again for every guard that it has reached and no test has missed so far, with that guard taken
// out. So the sources are loaded once, and a guard is tried only where it matters.

// First, because it is what the others import of the platform.
import "../support/node/platform";

import { env } from "cloudflare:workers";
import { type RunnerTestCase, TestRunner } from "vitest";
import { databases } from "../support/databases";
import { migrateAgain } from "../support/node/platform";
import { failures, reached, takeOut, visited, watch } from "./marks";
import type { Plan, Sample, Verdict } from "./plan";

declare module "vitest" {
	interface ProvidedContext {
		plan: Plan;
	}
	interface TaskMeta {
		verdict?: Verdict;
	}
}

const noticed = new Set<string>();
/** Those that some test has passed without, and none has noticed. */
const missed = new Set<string>();
/** Fails the attempt of a test, so that vitest makes another one. */
const AGAIN = [{ message: "again", stacks: [] }];

export default class MutationRunner extends TestRunner {
	readonly #plan = this.injectValue("plan" as never) as Plan;
	#left: string[] = [];
	#tried: string | undefined;
	#isSchemaChanged = false;
	#verdict: { visited: string[]; noticed: string[]; missed: string[]; unsound?: string } = { visited: [], noticed: [], missed: [] };

	override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
		await super.onBeforeRunTask(test);
		const { sample } = this.#plan;
		if (sample && !isWanted(sample, test)) {
			test.mode = "skip";
			return;
		}
		if (sample && (isJudged(sample) || Date.now() > sample.until)) {
			test.mode = "skip";
			if (!isJudged(sample)) test.meta.verdict = { visited: [], noticed: [], missed: [], late: true };
			return;
		}
		for (const key of this.#plan.noticed) noticed.add(key);
		for (const database of [...databases, env.SECOND_DB]) watch(database);
		test.retry = { count: Number.MAX_SAFE_INTEGER, condition: () => true };
		this.#left = [];
		this.#verdict = { visited: [], noticed: [], missed: [] };
	}

	override async onBeforeTryTask(test: RunnerTestCase, { retry = 0 }: { retry?: number } = {}): Promise<void> {
		super.onBeforeTryTask(test);
		if (test.result) delete test.result.errors;
		this.#tried = retry === 0 ? undefined : this.#left.shift();
		const guard = this.#plan.schema.find(({ name }) => name === this.#tried);
		if (guard) this.#changeSchema(guard.name);
		else takeOut(this.#tried);
		if (retry === 0) {
			visited.clear();
			reached.clear();
			failures.length = 0;
		}
	}

	/** The last thing in an attempt. */
	async onAfterRetryTask(test: RunnerTestCase): Promise<void> {
		const failed = test.result?.state === "fail";
		takeOut(undefined);
		this.#mendSchema();
		if (this.#tried === undefined) {
			if (failed) this.#verdict.unsound = test.result?.errors?.[0]?.message ?? "";
			else this.#left = this.#candidates();
			this.#verdict.visited = this.#plan.places.filter((place) => visited.has(place));
		} else if (failed) {
			noticed.add(this.#tried);
			missed.delete(this.#tried);
			this.#verdict.noticed.push(this.#tried);
		} else {
			missed.add(this.#tried);
			this.#verdict.missed.push(this.#tried);
		}
		this.#left = this.#left.filter((key) => !noticed.has(key));
		test.meta.verdict = this.#verdict;
		if (!test.result) return;
		test.result.state = this.#left.length > 0 ? "fail" : "pass";
		if (this.#left.length > 0) test.result.errors = AGAIN;
		else delete test.result.errors;
	}

	#candidates(): string[] {
		const { places, schema, sample } = this.#plan;
		const own = [...reached].filter((key) => places.some((place) => isOf(place, key)));
		const refused = schema.filter(({ kind, name, table, reason }) =>
			failures.some(({ sql, message }) =>
				kind === "check" ? message.includes(`CHECK constraint failed: ${name}`) : sql.includes(table) && message.includes(reason ?? ""),
			),
		);
		const keys = [...own, ...refused.map(({ name }) => name)];
		return sample
			? keys.filter((key) => sample.chosen.some((place) => isOf(place, key)) || hash(`${sample.seed} ${key}`) < sample.share)
			: keys;
	}

	/** Migrates without this CHECK or trigger. A failure here must not count as noticed. */
	#changeSchema(name: string): void {
		try {
			let isFound = false;
			migrateAgain((migration) => {
				const altered = withoutGuard(migration, name);
				isFound ||= altered !== migration;
				return altered;
			});
			this.#isSchemaChanged = true;
			if (!isFound) throw new Error("no migration has it");
		} catch (error) {
			this.#verdict.unsound = `${name} cannot be taken out: ${error}`;
		}
	}

	#mendSchema(): void {
		if (this.#isSchemaChanged) migrateAgain();
		this.#isSchemaChanged = false;
	}
}

const isOf = (place: string, key: string): boolean => key === place || key.startsWith(`${place} `);

/** Whether the chosen guards are noticed, and all others that were tried. */
const isJudged = ({ chosen }: Sample): boolean =>
	missed.size === 0 && chosen.every((place) => [...noticed].some((key) => isOf(place, key)));

/** Whether the test may notice a chosen guard that is not noticed yet, or of which a part was missed. */
function isWanted({ chosen, folders }: Sample, { file }: RunnerTestCase): boolean {
	if (!folders) return true;
	const open = chosen.filter((place) => ![...noticed].some((key) => isOf(place, key)) || [...missed].some((key) => isOf(place, key)));
	return open.some((place) => folders[place]?.some((folder) => file.filepath.includes(`/${folder}`)));
}

/** A number from 0 to 1 that the text decides. */
function hash(text: string): number {
	let value = 2_166_136_261;
	for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 16_777_619);
	return ((value ^ (value >>> 15)) >>> 0) / 2 ** 32;
}

/** The migration with a CHECK that demands nothing, or a trigger that does nothing. Later migrations may drop it by its name. */
function withoutGuard(migration: string, name: string): string {
	const idle = migration.replace(new RegExp(`^(CREATE TRIGGER [\`"]${name}[\`"].*? BEGIN ).*(END;)`, "gm"), "$1SELECT 1; $2");
	const at = idle.indexOf(`CONSTRAINT "${name}" CHECK(`);
	if (at < 0) return idle;
	const open = idle.indexOf("(", at);
	let [depth, end] = [0, open];
	do {
		if (idle[end] === "(") depth++;
		if (idle[end] === ")") depth--;
		end++;
	} while (depth > 0);
	return `${idle.slice(0, open)}(1)${idle.slice(end)}`;
}
