// Finds the imports and the expressions in sources that break the rules of `architecture.data.ts`.

import path from "node:path";
import { DOMAIN_IMPORTS, LAYERS, LEAF_DOMAINS, MODEL, NOT_OF_MODELS, ROLES, type Role, SHARED_WITH_CONSOLE } from "../architecture.data.ts";

export type Sources = Readonly<Record<string, string>>;
type Violation = { rule: string; file: string; detail: string };
type Import = { target: string; typeOnly: boolean };

const COMMENT_OR_TEXT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;
const STATEMENT = /^(?:import|export)\s+(type\s+)?([^;"']*?)\s*from\s*"([^"]+)"/gm;
const BARE = /^import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/gm;

const withoutComments = (text: string): string => text.replace(COMMENT_OR_TEXT, (token) => (/^\/[/*]/.test(token) ? " " : token));
/** Template strings stay: they hold SQL and interpolated code. */
const withoutTexts = (text: string): string => text.replace(COMMENT_OR_TEXT, (token) => (token.startsWith("`") ? token : " "));

const onlyTypes = (names: string): boolean => {
	const listed = /^\{([\s\S]*)\}$/.exec(names.trim())?.[1]?.split(",") ?? [];
	const named = listed.map((name) => name.trim()).filter((name) => name !== "");
	return named.length > 0 && named.every((name) => name.startsWith("type "));
};

export function importsOf(file: string, text: string): Import[] {
	const code = withoutComments(text);
	const resolve = (target: string): string => {
		if (!target.startsWith(".")) return target;
		const joined = path.posix.join(path.posix.dirname(file), target);
		return /\.(?:tsx?|json|css)$/.test(joined) ? joined : `${joined}.ts`;
	};
	return [
		...Array.from(code.matchAll(STATEMENT), ([, type, names = "", target = ""]) => ({
			target: resolve(target),
			typeOnly: type !== undefined || onlyTypes(names),
		})),
		...Array.from(code.matchAll(BARE), ([, plain, dynamic]) => ({ target: resolve(plain ?? dynamic ?? ""), typeOnly: false })),
	];
}

const isOurs = (target: string): boolean => target.startsWith("src/");
const layerOf = (file: string): string => (/^src\/[^/]+$/.test(file) ? "worker" : (file.split("/")[1] ?? ""));
const domainOf = (file: string): string | undefined => (layerOf(file) === "domains" ? file.split("/")[2] : undefined);
/** What lies in a folder: a file or a folder, whose model counts by itself. */
function entryIn(folder: string, file: string): string | undefined {
	if (!file.startsWith(`${folder}/`)) return undefined;
	const [first, second, third] = file.slice(folder.length + 1).split("/");
	return second === MODEL && third !== undefined ? `${first}/${MODEL}` : first;
}
/** The domain, or its model. */
const halfOf = (file: string): string | undefined => entryIn("src/domains", file);
const isOfModel = (file: string): boolean => halfOf(file)?.endsWith(`/${MODEL}`) ?? false;
const roleOf = (file: string): string => path.posix.basename(file, ".ts").split(".").at(-1) ?? "";
const ruleOf = (file: string): Role | undefined => (ROLES as Readonly<Record<string, Role>>)[roleOf(file)];
/** The kinds by which rules name a file. A `*.table.ts` of `db` or `runtime` is a table as one of a domain is. */
const kindsOf = (file: string): string[] => [...(domainOf(file) || roleOf(file) === "table" ? [roleOf(file)] : []), layerOf(file)];

function layerViolations(file: string, target: string): Violation[] {
	const [from, to] = [layerOf(file), layerOf(target)];
	if (from === "console" && SHARED_WITH_CONSOLE.includes(target)) return [];
	return from === to || LAYERS[from]?.includes(to) ? [] : [{ rule: "layers", file, detail: `imports ${target}` }];
}

function domainViolations(file: string, target: string): Violation[] {
	const from = halfOf(file);
	const to = halfOf(target);
	if (!from || from === to || to === `${from}/${MODEL}`) return [];
	if (LEAF_DOMAINS.includes(from) && layerOf(target) !== "shared") return [{ rule: "leaf", file, detail: `imports ${target}` }];
	if (!to || DOMAIN_IMPORTS[from]?.includes(to)) return [];
	return [{ rule: "domains", file, detail: `${from} imports ${to}` }];
}

function roleViolations(file: string, { target, typeOnly }: Import): Violation[] {
	const found: Violation[] = [];
	const role = domainOf(file) || roleOf(file) === "table" ? ruleOf(file) : undefined;
	const kinds = kindsOf(target);
	if (role && isOurs(target)) {
		const among = (list: readonly string[] = []) => kinds.some((kind) => kind !== "domains" && list.includes(kind));
		const allowed = !role.imports || among(role.imports) || (typeOnly && among(role.types));
		if (!allowed || among(role.not)) found.push({ rule: roleOf(file), file, detail: `imports ${target}` });
	}
	if (role?.packages && !isOurs(target) && !role.packages.includes(target))
		found.push({ rule: roleOf(file), file, detail: `imports ${target}` });
	const importers = domainOf(target) && ruleOf(target)?.importedBy;
	if (importers) {
		const importer = domainOf(file) === domainOf(target) ? "own" : layerOf(file);
		if (!importers.includes(importer)) found.push({ rule: roleOf(target), file, detail: `imports ${target}` });
	}
	const users = domainOf(target) && ruleOf(target)?.usedBy;
	if (users && !typeOnly && !kindsOf(file).some((kind) => kind !== "domains" && users.includes(kind))) {
		found.push({ rule: roleOf(target), file, detail: `imports ${target}` });
	}
	return found;
}

function codeViolations(file: string, text: string): Violation[] {
	const domain = domainOf(file);
	if (!domain) return [];
	const role = ruleOf(file);
	if (!role) return [{ rule: "role", file, detail: "has no role" }];
	if (isOfModel(file) && NOT_OF_MODELS.includes(roleOf(file))) return [{ rule: "model", file, detail: "is no part of a model" }];
	const code = withoutTexts(text);
	const found = Object.entries(role.never ?? {}).flatMap(([detail, pattern]) =>
		pattern.test(code) ? [{ rule: roleOf(file), file, detail }] : [],
	);
	return LEAF_DOMAINS.includes(domain) && roleOf(file) !== "policy" ? [...found, { rule: "leaf", file, detail: "is no policy" }] : found;
}

/** Every violation of a rule, once. */
export function judge(sources: Sources): string[] {
	const found = Object.entries(sources).flatMap(([file, text]) => [
		...codeViolations(file, text),
		...importsOf(file, text).flatMap((one) => [
			...(isOurs(one.target) ? [...layerViolations(file, one.target), ...domainViolations(file, one.target)] : []),
			...roleViolations(file, one),
		]),
	]);
	return [...new Set(found.map(({ rule, file, detail }) => `${rule}: ${file} ${detail}`))];
}

/** Allowed imports between domains that no file uses. */
export function unusedDomainImports(sources: Sources): string[] {
	const made = new Set(
		Object.entries(sources).flatMap(([file, text]) =>
			importsOf(file, text).map(({ target }) => `${halfOf(file)} imports ${isOurs(target) ? halfOf(target) : undefined}`),
		),
	);
	return Object.entries(DOMAIN_IMPORTS).flatMap(([from, all]) => all.map((to) => `${from} imports ${to}`).filter((one) => !made.has(one)));
}

/** What imports what, for its values or for its types alone. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** @param root where what counts lies */
export const graphOf = (sources: Sources, root = "src/"): Graph =>
	new Map(
		Object.entries(sources).map(([file, text]) => [
			file,
			new Set(
				importsOf(file, text)
					.map(({ target }) => target)
					.filter((target) => target.startsWith(root)),
			),
		]),
	);

/** What lies in a folder, its files, its folders and their models, and what of it imports what else of it: the domains, in `src/domains`. */
export function entriesOf(folder: string, graph: Graph): Graph {
	const entries = new Map<string, Set<string>>();
	for (const [file, targets] of graph) {
		const from = entryIn(folder, file);
		if (from === undefined) continue;
		const known = entries.get(from) ?? new Set();
		entries.set(from, known);
		for (const to of [...targets].map((target) => entryIn(folder, target))) if (to !== undefined && to !== from) known.add(to);
	}
	return entries;
}

/** The folders of the files, and all folders around them. */
export const foldersOf = (graph: Graph): string[] => [
	...new Set(
		[...graph.keys()].flatMap((file) => {
			const parts = file.split("/").slice(0, -1);
			return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
		}),
	),
];

/** Every set of nodes that reach each other, by any number of steps (Tarjan's strongly connected components). */
export function circlesOf(graph: Graph): string[][] {
	const circles: string[][] = [];
	const indices = new Map<string, number>();
	const lowest = new Map<string, number>();
	const open: string[] = [];
	const visit = (node: string): number => {
		const index = indices.size;
		indices.set(node, index);
		lowest.set(node, index);
		open.push(node);
		for (const next of graph.get(node) ?? []) {
			const reached = indices.has(next) ? (open.includes(next) ? (indices.get(next) ?? index) : index) : visit(next);
			lowest.set(node, Math.min(lowest.get(node) ?? index, reached));
		}
		if (lowest.get(node) === index) {
			const circle = open.splice(open.indexOf(node));
			if (circle.length > 1 || graph.get(node)?.has(node)) circles.push(circle.sort());
		}
		return lowest.get(node) ?? index;
	};
	for (const node of graph.keys()) if (!indices.has(node)) visit(node);
	return circles;
}
