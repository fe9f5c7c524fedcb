// `npm run mutations`: takes out one guard after the other and prints which no test of its domain notices. A sample is one guard and some
// of its neighbours, with the nearest tests first, until all that it has tried are noticed, for at most a minute.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import path from "node:path";
import { readCommandLine } from "../../src/dev/command-line.ts";
import { ACCEPTED, HELD, NOTICED_BY_CHANCE } from "./accepted.ts";
import { domains, guardsOf, isAccepted, nearest, partOf } from "./domains.ts";
import { draw } from "./draw.ts";
import { type Domain, Findings, say } from "./findings.ts";
import type { Place, SchemaGuard } from "./places.ts";
import type { Plan } from "./plan.ts";
import { run } from "./runs.ts";

const usage = `npm run mutations -- [options] [domains…]

  --only <text>    only the guards whose place contains the text, such as src/domains/loans/draws.operations.ts
  --sample         only a sample, which the commit chooses
  --draw <number>  so many guards of all domains, each with the test that notices it
  --seed <text>    what chooses the sample, or draws, instead of the commit
  --jobs <number>  how many run at a time (default 2)

Without domains, the guards of all; a sample is of those whose guards are all noticed. "webhooks/signing" is a folder of a domain.
`;

const ROOT = path.join(import.meta.dirname, "../..");
/** Runs at a time; each takes about a core. */
const JOBS = "2";
/** About how many guards of a folder a sample tries, and its time. */
const SAMPLE = 10;
const SAMPLE_MS = 60_000;
/** On a busy machine the time may end before the first guard is judged: then another sample is tried, so many times. */
const SAMPLES = 4;

/** A guard that a seed chooses, and its domain with the guards of its folder alone. */
function sampleOf(all: readonly Domain[], seed: string): { domain: Domain; chosen: string; share: number } {
	const guards = all.flatMap((domain) =>
		guardsOf(domain).map((chosen) => {
			const places = domain.places.filter((one) => !isAccepted(one) && path.dirname(one.place) === path.dirname(chosen));
			return { chosen, domain: { ...domain, places } };
		}),
	);
	const digest = createHash("sha256").update(seed).digest().readUInt32BE();
	const sample = guards[digest % guards.length];
	if (!sample) throw new Error("there are no guards");
	return { ...sample, share: SAMPLE / Math.max(SAMPLE, sample.domain.places.length + sample.domain.schema.length) };
}

async function main(): Promise<void> {
	const { values, positionals } = readCommandLine(usage, {
		allowPositionals: true,
		options: {
			sample: { type: "boolean", default: false },
			draw: { type: "string" },
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
	const whole = values.sample || values.draw !== undefined ? HELD : all.map(({ name }) => name);
	const named = (positionals.length > 0 ? positionals : whole).map((name) => partOf(all, name));
	const jobs = Number(values.jobs);
	const [first = "", ...others] = values.seed === undefined ? seedsOfCommit() : [values.seed];
	if (values.draw !== undefined) {
		if (!(await draw(named, { count: Number(values.draw), seed: first, jobs }))) process.exitCode = 1;
		return;
	}
	let ended = await judge(named, { seed: values.sample ? first : undefined, jobs });
	for (const other of values.sample ? others : []) {
		if (ended.judged > 0 || ended.wrong > 0) break;
		ended = await judge(named, { seed: other, jobs });
	}
	if (ended.judged === 0) process.stdout.write("no guard was judged\n");
	if (ended.judged === 0 || ended.wrong > 0) process.exitCode = 1;
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
			const sampled = sample ? { chosen: [sample.chosen], share: sample.share, seed: sample.seed, until: Date.now() + SAMPLE_MS } : null;
			const planOf = (some: readonly Place[], guards: readonly SchemaGuard[] = []): Plan => ({
				places: some.map(({ place }) => place),
				schema: guards,
				noticed: [...findings.noticed.keys()],
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
				findings.add(await run(tests, planOf(some), { variables }), "HOMES" in variables);
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
