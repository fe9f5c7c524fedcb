// Finds the imports and the expressions in sources that break the rules of `architecture.data.ts`.

import path from "node:path";
import { DOMAIN_CYCLES, DOMAIN_IMPORTS, EXCEPTIONS, type Exception, LAYERS, LEAF_DOMAINS, ROLES } from "../architecture.data.ts";

export type Sources = Readonly<Record<string, string>>;
export type Violation = { rule: string; file: string; detail: string };
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
		return /\.(?:ts|json)$/.test(joined) ? joined : `${joined}.ts`;
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
const roleOf = (file: string): string => path.posix.basename(file, ".ts").split(".").at(-1) ?? "";
/** The kinds by which rules name a file. A `*.table.ts` of `db` or `runtime` is a table as one of a domain is. */
const kindsOf = (file: string): string[] => [...(domainOf(file) || roleOf(file) === "table" ? [roleOf(file)] : []), layerOf(file)];

function layerViolations(file: string, target: string): Violation[] {
	const [from, to] = [layerOf(file), layerOf(target)];
	return from === to || LAYERS[from]?.includes(to) ? [] : [{ rule: "layers", file, detail: `imports ${target}` }];
}

function domainViolations(file: string, target: string): Violation[] {
	const from = domainOf(file);
	const to = domainOf(target);
	if (!from || from === to) return [];
	if (LEAF_DOMAINS.includes(from) && layerOf(target) !== "shared") return [{ rule: "leaf", file, detail: `imports ${target}` }];
	if (!to || DOMAIN_IMPORTS[from]?.includes(to)) return [];
	return [{ rule: "domains", file, detail: `${from} imports ${to}` }];
}

function roleViolations(file: string, { target, typeOnly }: Import): Violation[] {
	const found: Violation[] = [];
	const role = domainOf(file) || roleOf(file) === "table" ? ROLES[roleOf(file)] : undefined;
	const kinds = kindsOf(target);
	if (role && isOurs(target)) {
		const among = (list: readonly string[] = []) => kinds.some((kind) => kind !== "domains" && list.includes(kind));
		const allowed = !role.imports || among(role.imports) || (typeOnly && among(role.types));
		if (!allowed || among(role.not)) found.push({ rule: roleOf(file), file, detail: `imports ${target}` });
	}
	if (role?.packages && !isOurs(target) && !role.packages.includes(target))
		found.push({ rule: roleOf(file), file, detail: `imports ${target}` });
	const importers = domainOf(target) && ROLES[roleOf(target)]?.importedBy;
	if (importers) {
		const importer = domainOf(file) === domainOf(target) ? "own" : layerOf(file);
		if (!importers.includes(importer)) found.push({ rule: roleOf(target), file, detail: `imports ${target}` });
	}
	return found;
}

function codeViolations(file: string, text: string): Violation[] {
	const domain = domainOf(file);
	if (!domain) return [];
	const role = ROLES[roleOf(file)];
	if (!role) return [{ rule: "role", file, detail: "has no role" }];
	const code = withoutTexts(text);
	const found = Object.entries(role.never ?? {}).flatMap(([detail, pattern]) =>
		pattern.test(code) ? [{ rule: roleOf(file), file, detail }] : [],
	);
	return LEAF_DOMAINS.includes(domain) && roleOf(file) !== "policy" ? [...found, { rule: "leaf", file, detail: "is no policy" }] : found;
}

/** Every violation of a rule, whether or not an exception covers it. */
export function violationsIn(sources: Sources): Violation[] {
	return Object.entries(sources).flatMap(([file, text]) => [
		...codeViolations(file, text),
		...importsOf(file, text).flatMap((one) => [
			...(isOurs(one.target) ? [...layerViolations(file, one.target), ...domainViolations(file, one.target)] : []),
			...roleViolations(file, one),
		]),
	]);
}

const say = ({ rule, file, detail }: Violation): string => `${rule}: ${file} ${detail}`;

/** Violations that no exception covers, and exceptions that cover no violation. */
export function judge(sources: Sources, exceptions: readonly Exception[] = EXCEPTIONS): string[] {
	const found = [...new Set(violationsIn(sources).map(say))];
	const excepted = exceptions.map(say);
	return [
		...found.filter((one) => !excepted.includes(one)),
		...excepted.filter((one) => !found.includes(one)).map((one) => `unused exception: ${one}`),
	];
}

/** Allowed imports between domains that no file uses. */
export function unusedDomainImports(sources: Sources): string[] {
	const made = new Set(
		Object.entries(sources).flatMap(([file, text]) =>
			importsOf(file, text).map(({ target }) => `${domainOf(file)} imports ${isOurs(target) ? domainOf(target) : undefined}`),
		),
	);
	return Object.entries(DOMAIN_IMPORTS).flatMap(([from, all]) => all.map((to) => `${from} imports ${to}`).filter((one) => !made.has(one)));
}

/** Domains that import themselves through other domains, without the allowed pairs; and allowed pairs that import only one way, or not at all. */
export function domainCycles(
	imports: Readonly<Record<string, readonly string[]>> = DOMAIN_IMPORTS,
	allowed: readonly (readonly [string, string])[] = DOMAIN_CYCLES,
): string[] {
	const isAllowed = (a: string, b: string) => allowed.some((pair) => pair.includes(a) && pair.includes(b));
	const next = (from: string) => (imports[from] ?? []).filter((to) => !isAllowed(from, to));
	const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
		next(from).some((to) => to === goal || (!seen.has(to) && reaches(to, goal, seen.add(to))));
	return [
		...Object.keys(imports).filter((domain) => reaches(domain, domain)),
		...allowed.filter(([a, b]) => !(imports[a]?.includes(b) && imports[b]?.includes(a))).map(([a, b]) => `unused pair: ${a}, ${b}`),
	];
}
