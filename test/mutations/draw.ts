// `npm run mutations -- --draw 20 --seed 2026`: guards that the seed draws from all of them are taken out, and each is printed with the test
// that notices it and where that test runs: in `npm test`, or in `.ci/run` alone, which `NOTICED_LATE` says beforehand.

import { createHash } from "node:crypto";
import { ACCEPTED, NOTICED_LATE } from "./accepted.ts";
import { guardsOf } from "./domains.ts";
import { type Domain, Findings, say } from "./findings.ts";
import type { Plan } from "./plan.ts";
import { run } from "./runs.ts";

/** For each guard on average. A guard that is not judged by then counts as unnoticed. */
const MOST_MS = 60_000;

type Drawn = { readonly domain: Domain; readonly guard: string };

function drawnFrom(all: readonly Domain[], count: number, seed: string): Drawn[] {
	const digest = ({ guard }: Drawn) => createHash("sha256").update(`${seed} ${guard}`).digest("hex");
	const guards = all.flatMap((domain) => guardsOf(domain).map((guard) => ({ domain, guard })));
	const ordered = guards.map((drawn) => ({ ...drawn, digest: digest(drawn) })).sort((a, b) => (a.digest < b.digest ? -1 : 1));
	return ordered.slice(0, count);
}

const foldersOf = (domains: readonly Domain[], kind: "tests" | "further"): string[] => [
	...new Set(domains.flatMap((domain) => domain[kind])),
];

/** Several domains as one, of which only these guards are taken out. */
function together(drawn: readonly Drawn[]): Domain {
	const domains = [...new Set(drawn.map(({ domain }) => domain))];
	const isDrawn = (name: string) => drawn.some(({ guard }) => guard === name);
	return {
		name: "drawn",
		places: domains.flatMap(({ places }) => places.filter(({ place }) => isDrawn(place))),
		schema: domains.flatMap(({ schema }) => schema.filter(({ name }) => isDrawn(name))),
		tests: [],
		further: [],
	};
}

/** Takes out these guards until each is noticed. Returns how many are not, or by other tests than was said. */
async function judge(drawn: readonly Drawn[], seed: string): Promise<number> {
	const all = together(drawn);
	const findings = new Findings();
	const until = Date.now() + drawn.length * MOST_MS;
	const late = new Set<string>();
	const isOf = (guard: string, key: string) => key === guard || key.startsWith(`${guard} `);
	/** The keys of the guard that no test has noticed so far; the guard itself while none has reached it. */
	const left = (guard: string): string[] => {
		const tried = [...findings.noticed.keys(), ...findings.missed.keys()].filter((key) => isOf(guard, key));
		if (tried.length === 0) return [guard];
		return [...new Set(tried)].filter((key) => !findings.noticed.has(key) && !(findings.nameOf(all, key) in ACCEPTED));
	};
	// The tests of `npm test` first: what they have not noticed is noticed late.
	for (const [kinds, variables, options] of [
		[["tests"], {}, ["--tags-filter=!thorough"]],
		[["further"], {}, ["--tags-filter=!thorough"]],
		[["tests", "further"], {}, []],
		[["tests"], { HOMES: "3" }, []],
	] as const) {
		const open = drawn.flatMap(({ domain, guard }) => left(guard).map((key) => ({ domain, key })));
		const tests = kinds.flatMap((kind) =>
			foldersOf(
				open.map(({ domain }) => domain),
				kind,
			),
		);
		if (tests.length === 0 || Date.now() > until) continue;
		const chosen = open.map(({ key }) => key);
		const folders = Object.fromEntries(open.map(({ domain, key }) => [key, kinds.flatMap((kind) => domain[kind])]));
		const plan: Plan = {
			places: all.places.map(({ place }) => place),
			schema: all.schema,
			noticed: [...findings.noticed.keys()],
			sample: { chosen, folders, share: 0, seed, until },
		};
		const before = new Set(findings.noticed.keys());
		findings.add(await run(tests, plan, { variables, options }), "HOMES" in variables);
		if (options.length === 0) for (const key of findings.noticed.keys()) if (!before.has(key)) late.add(key);
	}
	let wrong = 0;
	for (const { guard } of drawn) {
		for (const [key, { file, name }] of [...findings.noticed].filter(([key]) => isOf(guard, key))) {
			const known = findings.nameOf(all, key);
			const isWrong = late.has(key) !== known in NOTICED_LATE;
			if (isWrong) wrong++;
			const where = late.has(key) ? ".ci/run" : "npm test";
			process.stdout.write(`${where.padEnd(8)}  ${known}\n          ${file} > ${name}\n`);
			if (isWrong) process.stdout.write("          NOTICED_LATE in test/mutations/accepted.ts says otherwise\n");
		}
	}
	const survivors = findings.survivorsOf(all, false).filter(({ key }) => !(key in ACCEPTED));
	for (const survivor of survivors) process.stdout.write(`unnoticed ${say(survivor).trimStart()}`);
	for (const one of findings.unsound) process.stdout.write(`fails with all guards in place: ${one}\n`);
	return wrong + survivors.length + findings.unsound.length;
}

/** @param jobs how many run at a time. Returns whether each guard is noticed where it should be */
export async function draw(
	all: readonly Domain[],
	{ count, seed, jobs }: { readonly count: number; readonly seed: string; readonly jobs: number },
): Promise<boolean> {
	const drawn = drawnFrom(all, count, seed);
	process.stdout.write(`${drawn.length} guards of ${all.flatMap(guardsOf).length}: --draw ${count} --seed ${seed}\n`);
	// Those of one domain together, because they share its tests.
	const byDomain = [...Map.groupBy(drawn, ({ domain }) => domain).values()].sort((a, b) => b.length - a.length);
	const shares = Array.from({ length: jobs }, (_, job) => byDomain.filter((_, index) => index % jobs === job).flat());
	const wrong = await Promise.all(shares.filter((share) => share.length > 0).map((share) => judge(share, seed)));
	const sum = wrong.reduce((all, each) => all + each, 0);
	process.stdout.write(sum === 0 ? `all ${drawn.length} are noticed\n` : `${sum} are not as they should be\n`);
	return sum === 0;
}
