// Which modules of the Worker share a file of the bundle. Workers run a file when it is first imported, so what a domain alone needs
// must not lie in a file that others import; but each file also costs bytes for the names that it exports and imports.

import path from "node:path";

export interface ModuleGraph {
	readonly entry: string;
	importsOf(module: string): readonly string[];
	/** What it imports with `import()`. */
	lazyImportsOf(module: string): readonly string[];
}

/** The least number of parts that share the modules of a file. */
const SHARED_BY_AT_LEAST = [2, 6, 12];

/**
 * The chunk of each module. A part is what one folder loads lazily. What the entry imports is one chunk, and so is what only one part
 * imports. Modules that about as many parts share are in one chunk if they import each other. Chunks never import each other in a
 * circle, because what a module imports is shared by at least as many parts.
 */
export function chunksOf(graph: ModuleGraph): ReadonlyMap<string, string> {
	const start = reachable(graph.importsOf(graph.entry), graph.importsOf);
	const all = reachable([graph.entry], (module) => [...graph.importsOf(module), ...graph.lazyImportsOf(module)]);
	const parts = Map.groupBy(
		[...all].flatMap((module) => graph.lazyImportsOf(module)),
		(module) => path.dirname(module),
	);
	const users = new Map<string, string[]>();
	for (const [part, modules] of parts) {
		for (const module of reachable(modules, graph.importsOf)) {
			if (!start.has(module)) users.set(module, [...(users.get(module) ?? []), part]);
		}
	}
	const levelOf = (module: string): number => SHARED_BY_AT_LEAST.filter((least) => (users.get(module)?.length ?? 0) >= least).length;
	const shared = [...users.keys()].filter((module) => levelOf(module) > 0);
	const groupOf = connected(shared, (module) => graph.importsOf(module).filter((other) => levelOf(other) === levelOf(module)));
	return new Map([
		...[...start].map((module) => [module, "start"] as const),
		...[...users].map(([module, by]) => [module, by.length === 1 ? nameOf(by[0]) : `shared-${nameOf(groupOf(module))}`] as const),
	]);
}

function reachable(from: readonly string[], next: (module: string) => readonly string[]): Set<string> {
	const found = new Set(from);
	// A set yields what is added while it is iterated.
	for (const module of found) for (const other of next(module)) found.add(other);
	return found;
}

/** Finds the representative of the modules that are connected by what `next` returns, in whatever direction. */
function connected(modules: readonly string[], next: (module: string) => readonly string[]): (module: string) => string {
	const towards = new Map<string, string>();
	const find = (module: string): string => {
		const other = towards.get(module);
		return other === undefined ? module : find(other);
	};
	for (const module of modules) {
		for (const other of next(module)) {
			const [from, to] = [find(module), find(other)];
			if (from !== to) towards.set(from, to);
		}
	}
	return find;
}

/** A file name. */
const nameOf = (module = ""): string => module.replace(/^.*\/(?:src|node_modules)\//, "").replaceAll(/[^\w-]+/g, "-");
