// What a reader of the sources has to know and open, in figures.

import ts from "typescript-5";
import type { Name, Parsed, Sources } from "./sources.ts";

const isOfDomain = (file: string): boolean => file.startsWith("src/domains/");

export type Walk = {
	/** The names of other files that the walk's own file uses: the ideas that its reader meets. */
	readonly ideas: number;
	/** The names met up to the second step. */
	readonly ideasOfTwoSteps: number;
	/** The domains' files at the first step, up to the second, and in all; the file where the walk begins among them. */
	readonly domainFiles: readonly [number, number, number];
	/** All files of ours, in all. */
	readonly files: number;
};

/** Names and what they use of the same file: a file is read whole, so that this is no step. */
function withinTheirFiles(names: Iterable<Name>): Set<Name> {
	const found = new Set(names);
	for (const name of found) for (const used of name.uses) if (used.file === name.file) found.add(used);
	return found;
}

/** The files to open in order to follow a name: each step adds the names that the names of the step before use. */
export function walk(parsed: Parsed, start: string): Walk | undefined {
	const first = parsed.names.find(({ name, exported, file }) => name === start && exported && file.startsWith("src/"));
	if (!first) return undefined;
	const steps: Set<Name>[] = [withinTheirFiles([first])];
	for (let last = steps[0], size = 0; last && last.size > size; ) {
		size = last.size;
		last = withinTheirFiles([...last].flatMap((name) => [name, ...name.uses]));
		steps.push(last);
	}
	const at = (step: number): Set<Name> => steps[Math.min(step, steps.length - 1)] ?? new Set();
	const filesAt = (step: number) => new Set(Array.from(at(step), ({ file }) => file));
	const ideasAt = (step: number) => {
		const before = at(step - 1);
		const met = [...before].flatMap((name) => [...name.uses].filter((used) => used.file !== name.file));
		return new Set(met.filter(({ file }) => file !== first.file)).size;
	};
	const domainFilesAt = (step: number) => [...filesAt(step)].filter(isOfDomain).length;
	return {
		ideas: ideasAt(1),
		ideasOfTwoSteps: ideasAt(2),
		domainFiles: [domainFilesAt(1), domainFilesAt(2), domainFilesAt(Number.POSITIVE_INFINITY)],
		files: filesAt(Number.POSITIVE_INFINITY).size,
	};
}

const linesOf = (text: string): number => text.trimEnd().split("\n").length;

/** Files of fewer lines than these that exactly one other imports. */
export function shortFilesOfOne(parsed: Parsed, sources: Sources, fewer = 30): string[] {
	const importers = new Map<string, number>();
	for (const targets of parsed.imports.values()) for (const target of targets) importers.set(target, (importers.get(target) ?? 0) + 1);
	return Object.entries(sources).flatMap(([file, text]) => (linesOf(text) < fewer && importers.get(file) === 1 ? [file] : []));
}

/** Names of values that two files or more export, with those files. */
export function sharedNames({ names }: Parsed): [string, string[]][] {
	const byName = Map.groupBy(
		names.filter(({ exported }) => exported),
		({ name }) => name,
	);
	return Array.from(byName, ([name, all]): [string, string[]] => [name, all.map(({ file }) => file).sort()]).filter(
		([, files]) => files.length > 1,
	);
}

export type Reads = { readonly byPlace: number; readonly spread: number; readonly byName: number };

/** Calls of `read` whose results are an array, of them those with a spread, and those whose results have names. */
export function reads({ files }: Parsed): Reads {
	const found = { byPlace: 0, spread: 0, byName: 0 };
	const visit = (node: ts.Node): void => {
		ts.forEachChild(node, visit);
		if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression) || node.expression.name.text !== "read") return;
		const [first] = node.arguments;
		if (first === undefined) return;
		if (node.arguments.length === 1 && ts.isObjectLiteralExpression(first)) found.byName++;
		else {
			found.byPlace++;
			if (node.arguments.some(ts.isSpreadElement)) found.spread++;
		}
	};
	for (const file of files.values()) visit(file);
	return found;
}

/** Aliases of one letter for tables, which `alias` makes or a statement's text names. */
export function oneLetterAliases({ files }: Parsed): number {
	let found = 0;
	const visit = (node: ts.Node): void => {
		ts.forEachChild(node, visit);
		if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "alias") {
			const name = node.arguments[1];
			if (name && ts.isStringLiteral(name) && name.text.length === 1) found++;
		}
		if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
			found += [...node.getText().matchAll(/\b(?:from|join|update|into)\s+(?:\$\{\w+\}|\w+)\s+as\s+[a-z]\b/gi)].length;
		}
	};
	for (const file of files.values()) visit(file);
	return found;
}

export type Size = { readonly files: number; readonly lines: number };

/** Files and lines of each folder; those of `src/domains` by domain too. */
export function sizes(sources: Sources): ReadonlyMap<string, Size> {
	const found = new Map<string, Size>();
	const add = (folder: string, lines: number) => {
		const { files, lines: before } = found.get(folder) ?? { files: 0, lines: 0 };
		found.set(folder, { files: files + 1, lines: before + lines });
	};
	for (const [file, text] of Object.entries(sources)) {
		const parts = file.split("/").slice(0, -1);
		for (const depth of isOfDomain(file) ? [1, 2, 3] : [1, 2])
			if (parts.length >= depth) add(parts.slice(0, depth).join("/"), linesOf(text));
	}
	return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
