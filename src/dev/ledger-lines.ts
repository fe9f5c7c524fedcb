// The ledger of promises as data: what its lines say, and what is wrong with them. Pure: it reads no file and runs no process.

import type { Test } from "./test-titles.ts";

/** Stands between a file, the titles of the `describe`s that are needed to find it, and a test's own title. */
const WITHIN = " › ";
const GIVEN_UP = "given up: ";

export type Promised = {
	readonly id: string;
	readonly sentence: string;
	/** The file under `test/`, without the ends of its name, and titles of which the last is the test's. Undefined for what is given up. */
	readonly place: { readonly file: string; readonly titles: readonly string[] } | undefined;
	/** What stands in the table from which the test is made. */
	readonly row: { readonly file: string; readonly text: string } | undefined;
	readonly replaces: readonly string[];
};

/** One commit that changed the ledger: the lines that it took and those that it brought, as they stand in the file. */
export type Change = { readonly commit: string; readonly took: readonly string[]; readonly brought: readonly string[] };

const LINE = /^[a-z]+\.[A-Za-z0-9-]+ \| /;

/** The promise of a line; undefined if the line has another form. */
export function promiseOf(line: string): Promised | undefined {
	if (!LINE.test(line)) return undefined;
	const [id = "", sentence = "", place = "", ...rest] = line.split(" | ");
	const replaced = rest.at(-1)?.startsWith("replaces ") ? rest.pop()?.slice("replaces ".length).split(", ") : undefined;
	const [row, ...more] = rest.map((part) => /^in ([^\s:]+): (.+)$/.exec(part));
	const [file = "", ...titles] = place.split(WITHIN);
	const isGivenUp = place.startsWith(GIVEN_UP) && place.length > GIVEN_UP.length;
	if (sentence === "" || row === null || more.length > 0 || !(isGivenUp || (file !== "" && titles.length > 0))) return undefined;
	return {
		id,
		sentence,
		place: isGivenUp ? undefined : { file, titles },
		row: row ? { file: row[1] ?? "", text: row[2] ?? "" } : undefined,
		replaces: replaced ?? [],
	};
}

const linesOf = (ledger: string): string[] => ledger.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

const idOf = (line: string): string => line.split(" ")[0] ?? "";

const byId = (one: string, other: string): number => {
	const [a, b] = [idOf(one), idOf(other)];
	return a < b ? -1 : a > b ? 1 : 0;
};

type Place = NonNullable<Promised["place"]>;

const endsWith = (titles: readonly string[], last: readonly string[]): boolean =>
	last.every((title, index) => titles[titles.length - last.length + index] === title);

/** The tests that a place names: one, if it is right. */
const at = ({ file, titles }: Place, tests: Tests): Test[] => (tests.get(file) ?? []).filter((test) => endsWith(test.titles, titles));

/** The tests of each file, by `nameOf` it. */
export type Tests = ReadonlyMap<string, readonly Test[]>;

export type Sources = {
	readonly tests: Tests;
	/** The text of a file of the repository; undefined if there is none. */
	readonly textOf: (file: string) => string | undefined;
};

/** Other files that have the test. */
const elsewhere = ({ titles }: Place, { tests }: Sources): string[] =>
	[...tests.keys()].filter((file) => at({ file, titles }, tests).length === 1);

/** What is wrong with the lines as they stand. */
export function faultsOf(ledger: string, sources: Sources): string[] {
	const lines = linesOf(ledger);
	const found: string[] = [];
	const ids = new Map<string, Promised>();
	for (const [index, line] of lines.entries()) {
		const promised = promiseOf(line);
		if (!promised) {
			found.push(`${line}\n  has not the form that the ledger's header explains. Write it as: id | sentence | file › test`);
			continue;
		}
		const { id, place, row } = promised;
		if (ids.has(id))
			found.push(
				`${id}: two lines have this id. Run npm run ledger; if both are left, remove the one that is out of date, or give the newer line another id.`,
			);
		ids.set(id, promised);
		if (byId(lines[index - 1] ?? "", line) > 0) found.push(`${id}: the lines are sorted by their ids. Run: npm run ledger`);
		if (place) found.push(...faultsOfPlace(promised, place, sources));
		if (row && !sources.textOf(row.file)?.includes(row.text))
			found.push(`${told(promised)}\n  ${row.file} has no ${row.text}. Put it back, or write where it is now.`);
	}
	for (const { id, replaces } of ids.values())
		for (const gone of replaces) if (ids.has(gone)) found.push(`${gone}: ${id} replaces it, so that its own line must go.`);
	return found;
}

const told = ({ id, sentence }: Promised): string => `${id}: ${sentence}`;

function faultsOfPlace(promised: Promised, place: Place, sources: Sources): string[] {
	const tests = sources.tests.get(place.file);
	const held = at(place, sources.tests).length;
	if (held === 1) return [];
	const title = place.titles.join(WITHIN);
	if (held > 1)
		return [`${told(promised)}\n  test/${place.file} has ${held} tests "${title}". Write the title of its describe before it, and ›.`];
	const others = elsewhere(place, sources);
	const what = tests ? `test/${place.file} has no test "${title}"` : `there is no test file ${place.file}`;
	if (others.length === 1) return [`${told(promised)}\n  ${what}, but test/${others[0]} has. If it has moved there, run: npm run ledger`];
	return [
		`${told(promised)}\n  ${what}. Put the test back, or write the place of the one that holds this now (many at once: npm run ledger -- --moved "old" "new").`,
	];
}

/**
 * The ledger with its lines sorted, and each place that is no more followed to the test that is now the only one of its titles, or of its
 * statement. `before`: the tests as they were when the places were right. A merge leaves two lines of a promise whose test has moved on one
 * side: that of the old place goes.
 */
export function followed(ledger: string, sources: Sources, before: Tests = new Map()): string {
	const stands = (line: string): boolean => {
		const { place } = promiseOf(line) ?? {};
		return place === undefined || at(place, sources.tests).length > 0;
	};
	const lines = [...new Set(linesOf(ledger))];
	const standing = new Set(lines.filter(stands).map(idOf));
	return withLines(
		ledger,
		lines.filter((line) => stands(line) || !standing.has(idOf(line))),
		(line) => {
			const { place } = promiseOf(line) ?? {};
			if (!place || at(place, sources.tests).length > 0) return line;
			const [other, ...more] = elsewhere(place, sources);
			if (other !== undefined && more.length === 0) return withPlace(line, [other, ...place.titles].join(WITHIN));
			const renamed = renamedTo(place, sources.tests, before);
			return renamed === undefined ? line : withPlace(line, renamed);
		},
	);
}

/** The files of the places at which there is no test. */
export const astray = (ledger: string, { tests }: Sources): string[] => [
	...new Set(
		linesOf(ledger)
			.flatMap((line) => promiseOf(line)?.place ?? [])
			.flatMap((place) => (at(place, tests).length === 0 ? [place.file] : [])),
	),
];

/** The present place of a test that has kept its statement, under any title. */
function renamedTo(place: Place, tests: Tests, before: Tests): string | undefined {
	const [old, ...others] = at(place, before);
	if (!old || others.length > 0) return undefined;
	const found = [...tests].flatMap(([file, all]) =>
		all.filter(({ statement }) => statement === old.statement).map((test) => ({ file, test })),
	);
	const [now, ...more] = found;
	if (!now || more.length > 0) return undefined;
	const { titles } = now.test;
	const shortest = titles
		.map((_, index) => titles.slice(titles.length - 1 - index))
		.find((some) => at({ file: now.file, titles: some }, tests).length === 1);
	return [now.file, ...(shortest ?? titles)].join(WITHIN);
}

/** The ledger with another place instead of an old one: of a test, or of all tests of a file. */
export function moved(ledger: string, from: string, to: string): string {
	return withLines(ledger, linesOf(ledger), (line) => {
		const [, , place = ""] = line.split(" | ");
		return place === from || place.startsWith(from + WITHIN) ? withPlace(line, to + place.slice(from.length)) : line;
	});
}

const withPlace = (line: string, place: string): string =>
	line
		.split(" | ")
		.map((part, index) => (index === 2 ? place : part))
		.join(" | ");

function withLines(ledger: string, lines: readonly string[], change: (line: string) => string): string {
	const header = ledger.split("\n").filter((line) => line.startsWith("#"));
	return `${[...header, "", ...lines.map(change).sort(byId)].join("\n")}\n`;
}

/** What an earlier version promised and nothing stands for now. `changes`: the newest first. */
export function lostOf(ledger: string, changes: readonly Change[]): string[] {
	// The last word on each id.
	const known = new Map<string, Promised>();
	for (const line of [...linesOf(ledger), ...changes.flatMap(({ took, brought }) => [...brought, ...took])]) {
		const promised = promiseOf(line);
		if (promised && !known.has(promised.id)) known.set(promised.id, promised);
	}
	const present = new Set(linesOf(ledger).map(idOf));
	const replacing = Map.groupBy(
		[...known.values()].flatMap(({ id, replaces }) => replaces.map((gone) => ({ id, gone }))),
		({ gone }) => gone,
	);
	const stands = (id: string, seen: ReadonlySet<string> = new Set()): boolean =>
		present.has(id) || (!seen.has(id) && (replacing.get(id) ?? []).some((by) => stands(by.id, new Set([...seen, id]))));
	return [...known.values()]
		.filter(({ id }) => !stands(id))
		.map((promised) => {
			const taker = changes.find(
				({ took, brought }) => took.some((line) => idOf(line) === promised.id) && !brought.some((line) => idOf(line) === promised.id),
			);
			const by = taker ? `${taker.commit} took its line` : "its line is gone, in no commit yet";
			return `${told(promised)}\n  ${by}. Put the line back, or let the one that stands for it now end with: | replaces ${promised.id}`;
		});
}

/** Reads `git log -p -U0` of the ledger, whose commits begin with \`commit \`. */
export const changesIn = (log: string): Change[] =>
	log
		.split(/^commit /m)
		.slice(1)
		.map((entry) => {
			const [commit = "", ...rest] = entry.split("\n");
			const starting = (sign: string) =>
				rest.filter((line) => line.startsWith(sign) && LINE.test(line.slice(1))).map((line) => line.slice(1));
			return { commit, took: starting("-"), brought: starting("+") };
		});
