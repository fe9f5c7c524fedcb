// `npm run mutations`: takes out one guard after the other and prints which no test of its domain notices. A sample is one guard and some
// of its neighbours, with the nearest tests first, until all that it has tried are noticed, for at most a minute.

import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { readCommandLine } from "../../src/dev/command-line.ts";
import { ACCEPTED, HELD, NOTICED_BY_CHANCE } from "./accepted.ts";
import { type Domain, Findings, say, type Told } from "./findings.ts";
import { type Place, type SchemaGuard, schemaGuards, sourcePlaces } from "./places.ts";
import type { Plan, Verdict } from "./plan.ts";

const usage = `npm run mutations -- [options] [domains…]

  --only <text>    only the guards whose place contains the text, such as src/domains/loans/draws.operations.ts
  --sample         only a sample, which the commit chooses
  --seed <text>    what chooses the sample instead
  --jobs <number>  how many run at a time (default 2)

Without domains, the guards of all; a sample is of those whose guards are all noticed. "webhooks/signing" is a folder of a domain.
`;

const ROOT = path.join(import.meta.dirname, "../..");
/** The sources that belong to no domain, and the CHECKs and triggers. */
const FRAME = "frame";
/** Of `src/events`, with the tests of what they lead to. */
const EVENTS = "events";
const SCHEMA = "schema";
/** Runs at a time; each takes about a core. */
const JOBS = "2";
/** About how many guards of a folder a sample tries, and its time. */
const SAMPLE = 10;
const SAMPLE_MS = 60_000;
/** On a busy machine the time may end before the first guard is judged: then another sample is tried, so many times. */
const SAMPLES = 4;

const domainOf = (file: string): string => /^src\/domains\/([^/]+)\//.exec(file)?.[1] ?? (file.startsWith("src/events/") ? EVENTS : FRAME);
/** Not the contract tests either: each of them reaches nearly every guard, so that they would run for hours. */
const NOT_OF_FRAME = /^test\/(?:domains|dev|contract|bundle|simulation|fuzz|support|mutations)\b/;

/** What events lead to. */
const FURTHER = ["test/domains/webhooks"];

/** Tests of pure rules, in Node, notice no guard. */
const runsInWorkers = (folder: string): boolean =>
	globSync(`${folder}/**/*.test.ts`, { cwd: ROOT }).some((file) => !file.endsWith(".node.test.ts"));

/** The tests of the domains that use it. */
function testsOfUsers(name: string): string[] {
	const users = globSync("src/domains/**/*.ts", { cwd: ROOT }).filter((file) =>
		readFileSync(path.join(ROOT, file), "utf8").includes(`/${name}/`),
	);
	return [...new Set(users.map((file) => `test/domains/${domainOf(file)}`))].filter(runsInWorkers);
}

function domains(): Domain[] {
	const places = sourcePlaces();
	const frame = globSync("test/*/", { cwd: ROOT }).filter((folder) => !NOT_OF_FRAME.test(folder) && runsInWorkers(folder));
	const names = [...new Set(places.map(({ place }) => domainOf(place)))].sort();
	const folders = (tests: readonly string[]) => tests.map((folder) => `${folder.replace(/\/$/, "")}/`);
	const ofDomain = (name: string) => {
		if (name === FRAME) return { tests: folders(frame), further: folders(FURTHER) };
		if (name === EVENTS) return { tests: folders(["test/events"]), further: folders(FURTHER) };
		const [own, further] = [[`test/domains/${name}`].filter(runsInWorkers), testsOfUsers(name)];
		return own.length > 0 ? { tests: folders(own), further: folders(further) } : { tests: folders(further), further: [] };
	};
	return [
		...names.map((name) => ({
			name,
			places: places.filter(({ place }) => domainOf(place) === name),
			schema: [],
			...ofDomain(name),
		})),
		{ name: SCHEMA, places: [], schema: schemaGuards(), tests: ["test/db/"], further: [] },
	];
}

/** A sample ends so long after its time: without some guards a loop has no end. */
const ENDLESS_MS = 60_000;

const LATE: Verdict = { visited: [], noticed: [], missed: [], late: true };

/** Runs these tests and returns what each has reported. */
async function run(tests: readonly string[], plan: Plan, variables: Readonly<Record<string, string>> = {}): Promise<Told[]> {
	const vitest = path.join(ROOT, "node_modules/vitest/vitest.mjs");
	const config = path.join(import.meta.dirname, "vitest.config.ts");
	const child = spawn(process.execPath, [vitest, "run", "--config", config, ...tests], {
		cwd: ROOT,
		env: { ...process.env, ...variables, MUTATIONS: JSON.stringify(plan) },
		stdio: ["ignore", "pipe", "pipe"],
		// A group of its own, so that the runtime ends with it.
		detached: true,
	});
	let isEnded = false;
	const end = () => {
		isEnded = true;
		if (child.pid) process.kill(-child.pid, "SIGKILL");
	};
	const bound = plan.sample ? setTimeout(end, plan.sample.until + ENDLESS_MS - Date.now()) : undefined;
	process.once("exit", end);
	const told: Told[] = [];
	const noise: string[] = [];
	const read = async (stream: NodeJS.ReadableStream) => {
		for await (const line of createInterface({ input: stream })) {
			if (line.startsWith("@@")) told.push(JSON.parse(line.slice(2)) as Told);
			else noise.push(line);
		}
	};
	await Promise.all([read(child.stdout), read(child.stderr)]);
	clearTimeout(bound);
	process.off("exit", end);
	if (isEnded) return [...told, { file: "", name: "", verdict: LATE, state: "skipped" }];
	if (told.length === 0) throw new Error(`the tests of ${tests.join(" ")} did not run:\n${noise.slice(-30).join("\n")}`);
	return told;
}

const isAccepted = ({ place, within }: Place): boolean =>
	Object.keys(ACCEPTED).some((key) => key.startsWith(`${place.replace(/:\d+$/, "")} ${within}:`));

/** A guard that a seed chooses, and its domain with the guards of its folder alone. */
function sampleOf(all: readonly Domain[], seed: string): { domain: Domain; chosen: string; share: number } {
	const guards = all.flatMap((domain) => {
		const places = domain.places.filter((place) => !isAccepted(place));
		return [...places.filter(({ kind }) => kind !== "write").map(({ place }) => place), ...domain.schema.map(({ name }) => name)].map(
			(chosen) => ({ chosen, domain: { ...domain, places: places.filter(({ place }) => path.dirname(place) === path.dirname(chosen)) } }),
		);
	});
	const digest = createHash("sha256").update(seed).digest().readUInt32BE();
	const sample = guards[digest % guards.length];
	if (!sample) throw new Error("there are no guards");
	return { ...sample, share: SAMPLE / Math.max(SAMPLE, sample.domain.places.length + sample.domain.schema.length) };
}

/** The domain of this name, or of a domain what lies in one folder. */
function partOf(all: readonly Domain[], name: string): Domain {
	const domain = all.find((one) => one.name === name.split("/")[0]);
	if (!domain) throw new Error(`there is no ${name}: choose of ${all.map((one) => one.name).join(", ")}`);
	if (domain.name === name) return domain;
	return { ...domain, name, places: domain.places.filter(({ place }) => place.startsWith(`src/domains/${name}/`)) };
}

async function main(): Promise<void> {
	const { values, positionals } = readCommandLine(usage, {
		allowPositionals: true,
		options: {
			sample: { type: "boolean", default: false },
			seed: { type: "string" },
			only: { type: "string", default: "" },
			jobs: { type: "string", default: JOBS },
		},
	});
	const all = domains().map((domain) => ({
		...domain,
		places: domain.places.filter(({ place }) => place.includes(values.only)),
		schema: domain.schema.filter(({ name, place }) => place.includes(values.only) || name.includes(values.only)),
	}));
	const whole = values.sample ? HELD : all.map(({ name }) => name);
	const named = (positionals.length > 0 ? positionals : whole).map((name) => partOf(all, name));
	const jobs = Number(values.jobs);
	const [first = "", ...others] = values.seed === undefined ? seedsOfCommit() : [values.seed];
	let ended = await judge(named, { seed: values.sample ? first : undefined, jobs });
	for (const other of values.sample ? others : []) {
		if (ended.judged > 0 || ended.wrong > 0) break;
		ended = await judge(named, { seed: other, jobs });
	}
	if (ended.judged === 0) process.stdout.write("no guard was judged\n");
	if (ended.judged === 0 || ended.wrong > 0) process.exitCode = 1;
}

/** The folders of a domain's guards whose tests lie in a folder of the same name: those try them first, because most are noticed there. */
function nearest({ places }: Domain): [tests: string, places: Place[]][] {
	const folders = Map.groupBy(places, ({ place }) => path.dirname(place).replace(/^src/, "test"));
	return [...folders]
		.filter(([tests]) => /^test\/domains\/[^/]+\/./.test(tests) && runsInWorkers(tests))
		.map(([tests, own]) => [`${tests}/`, own]);
}

/** Takes out the guards of these domains, or a sample of them. Returns how many were judged, and how many are wrong: survivors and faults. */
async function judge(
	named: readonly Domain[],
	{ seed, jobs }: { readonly seed: string | undefined; readonly jobs: number },
): Promise<{ readonly judged: number; readonly wrong: number }> {
	const sample = seed === undefined ? undefined : { ...sampleOf(named, seed), seed };
	if (sample) process.stdout.write(`a sample of ${sample.domain.name}, ${sample.chosen} first: --seed ${seed}\n`);
	const waiting = sample ? [sample.domain] : [...named];
	let [faults, survive, judged] = [0, 0, 0];
	const work = async () => {
		for (let domain = waiting.shift(); domain; domain = waiting.shift()) {
			const began = Date.now();
			const findings = new Findings();
			const { places, schema } = domain;
			const sampled = sample ? { chosen: sample.chosen, share: sample.share, seed: sample.seed, until: Date.now() + SAMPLE_MS } : null;
			const planOf = (some: readonly Place[], guards: readonly SchemaGuard[] = []): Plan => ({
				places: some.map(({ place }) => place),
				schema: guards,
				noticed: [...findings.noticed],
				sample: sampled,
			});
			const survivors = () => findings.survivorsOf(domain, sample !== undefined).filter(({ key }) => !(key in ACCEPTED));
			const left = () => places.filter(({ place }) => survivors().some((survivor) => survivor.place === place));
			if (!sample) for (const [tests, own] of nearest(domain)) findings.add(await run([tests], planOf(own)));
			findings.add(await run(domain.tests, planOf(places, schema)));
			// Some are noticed only where another domain uses them, or where rows have homes in several databases.
			for (const [tests, variables] of [
				[domain.further, {}],
				[domain.tests, { HOMES: "3" }],
			] as const) {
				if (tests.length === 0 || places.length === 0 || findings.incomplete) continue;
				// Its own tests may reach none of a sample.
				const some = sample && findings.judged === 0 ? places : left();
				if (some.length === 0) continue;
				findings.add(await run(tests, planOf(some), variables), "HOMES" in variables);
			}
			const found = findings.survivorsOf(domain, sample !== undefined);
			const unnoticed = findings.incomplete ? [] : found.filter(({ key }) => !(key in ACCEPTED));
			const isUnused = (key: string) => isOf(key, domain) && !found.some((one) => one.key === key) && !mayBeNoticed(key);
			const unused = sample ? [] : Object.keys(ACCEPTED).filter(isUnused);
			survive += unnoticed.length;
			judged += findings.judged;
			faults += findings.unsound.length + unused.length;
			process.stdout.write(
				[
					`${domain.name}: ${findings.judged} guards, ${unnoticed.length} survivors, ${Math.round((Date.now() - began) / 1000)} s${findings.incomplete ? ", not all" : ""}\n`,
					...unnoticed.map(say),
					...findings.unsound.map((one) => `  fails with all guards in place: ${one}\n`),
					...unused.map((one) => `  is noticed, and need not be accepted: ${one}\n`),
				].join(""),
			);
		}
	};
	await Promise.all(Array.from({ length: jobs }, work));
	process.stdout.write(`${survive} survivors\n`);
	return { judged, wrong: survive + faults };
}

const mayBeNoticed = (key: string): boolean => NOTICED_BY_CHANCE.some((statement) => key.startsWith(`${statement}: `));

const isOf = (key: string, { places, schema }: Domain): boolean =>
	places.some(({ place }) => key.startsWith(`${place.replace(/:\d+$/, "")} `)) || schema.some(({ name }) => name === key);

/** Each commit is tried with other samples. */
function seedsOfCommit(): string[] {
	const commit = execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim();
	return Array.from({ length: SAMPLES }, (_, nth) => (nth === 0 ? commit : `${commit}-${nth}`));
}

await main();
