// Finds every guard in the sources and the migrations, by the names of functions and by shapes, and marks those of the sources with their
// file and line, so that a statement says where it comes from. A place is written `src/…/store.ts:48`.

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Plugin, parseAst } from "vite";

const ROOT = path.join(import.meta.dirname, "../..");
const MARKS = path.join(import.meta.dirname, "marks.ts");
const SOURCES = ["src/**/*.ts"];
/** Never part of the Worker. */
const OUTSIDE = /^src\/(?:dev|console|webhook-verify)\//;

/** Functions that make the whole commit fail, and the arrays of what runs by itself, by the type of their elements. */
const GUARDS = { guarded: "markGuarded", orStaleUnless: "markGuard" } as const;
const LISTED = ["HomeMessage", "Step"];
/**
 * Members that hold a condition of an insert or a guard which another module writes, and what says it there. A function's argument is its
 * caller's.
 */
const CONDITIONS = ["when", "unchanged"];
const SAID = ["TaggedTemplateExpression", "CallExpression", "Identifier"];

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [member: string]: unknown };
type Edit = { readonly at: number; readonly text: string };
/** A piece of source that is marked. `write`: it may have no condition. */
export type Place = {
	readonly kind: "guard" | "condition" | "write" | "listed";
	readonly place: string;
	/** The declaration that it stands in, or the name of an element of a list. */
	readonly within: string;
	readonly name: string;
};

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

function walk(node: Node, parents: readonly Node[], visit: (node: Node, parents: readonly Node[]) => void): void {
	visit(node, parents);
	for (const value of Object.values(node))
		for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, [...parents, node], visit);
}

const nameOf = (node: unknown): string | undefined => (isNode(node) && node.type === "Identifier" ? (node.name as string) : undefined);

/** The whole chain of calls that begins with this call. */
function chainOf(node: Node, parents: readonly Node[]): Node {
	const [member, call] = [parents.at(-1), parents.at(-2)];
	const continues =
		member?.type === "MemberExpression" && member.object === node && call?.type === "CallExpression" && call.callee === member;
	return continues ? chainOf(call, parents.slice(0, -2)) : node;
}

/** `orm.insert(…)`, with any holder of the `orm`. */
function isBuilder({ type, callee }: Node): boolean {
	if (type !== "CallExpression" || !isNode(callee) || callee.type !== "MemberExpression") return false;
	if (!["insert", "update", "delete"].includes(nameOf(callee.property) ?? "")) return false;
	const { object } = callee;
	return nameOf(object) === "orm" || (isNode(object) && object.type === "MemberExpression" && nameOf(object.property) === "orm");
}

/** A template that is a whole statement. */
function isWrite({ type, tag, quasi }: Node): boolean {
	if (type !== "TaggedTemplateExpression" || nameOf(tag) !== "sql" || !isNode(quasi)) return false;
	const texts = (quasi.quasis as { value: { raw: string } }[]).map(({ value }) => value.raw);
	// Tables of a WITH may be written elsewhere.
	const [first = ""] = texts.filter((text, at) => at > 0 || text.trim() !== "");
	return (
		/^\s*(?:insert|update|delete|replace)\b/i.test(first) ||
		(/^\s*with\b/i.test(first) && texts.some((text) => /\b(?:insert into|update|delete from)\s*$/i.test(text)))
	);
}

/** The condition that a member holds, or what a function that it holds makes; or the condition that `db.rely` gets. */
function conditionIn(node: Node, parent: Node | undefined): Node | undefined {
	const isMember = node.type === "Property" && parent?.type === "ObjectExpression" && !node.shorthand;
	const held = isMember && CONDITIONS.includes(nameOf(node.key) ?? "") ? node.value : reliedIn(node);
	const said = isNode(held) && held.type === "ArrowFunctionExpression" ? held.body : held;
	return isNode(said) && SAID.includes(said.type) ? said : undefined;
}

function reliedIn({ type, callee, arguments: given }: Node): unknown {
	const isRely = type === "CallExpression" && isNode(callee) && callee.type === "MemberExpression" && nameOf(callee.property) === "rely";
	return isRely ? (given as unknown[])[1] : undefined;
}

const bare = (node: unknown): unknown =>
	isNode(node) && (node.type === "TSAsExpression" || node.type === "TSSatisfiesExpression") ? bare(node.expression) : node;

/** The array of a declaration `const …: readonly Step[] = […]`. */
function listIn({ type, id, init }: Node): Node | undefined {
	const array = bare(init);
	if (type !== "VariableDeclarator" || !isNode(array) || array.type !== "ArrayExpression") return undefined;
	let named = isNode(id) && isNode(id.typeAnnotation) ? id.typeAnnotation : undefined;
	while (named && ["TSTypeAnnotation", "TSTypeOperator", "TSArrayType"].includes(named.type))
		named = (named.type === "TSArrayType" ? named.elementType : named.typeAnnotation) as Node;
	return named?.type === "TSTypeReference" && LISTED.includes(nameOf(named.typeName) ?? "") ? array : undefined;
}

function elementName(node: Node, code: string): string {
	if (node.type !== "ObjectExpression") return code.slice(node.start, node.end);
	return /\bname: "([^"]+)"/.exec(code.slice(node.start, node.end))?.[1] ?? "";
}

/** The name of the outermost declaration. */
const declarationOf = (parents: readonly Node[]): string =>
	parents.flatMap(({ type, id }) => (/Declarat(?:or|ion)$/.test(type) ? (nameOf(id) ?? []) : []))[0] ?? "";

/** The places of a source, and the source with marks around them. */
export function markedSource(file: string, code: string): { places: Place[]; code: string } {
	const places: Place[] = [];
	const edits: Edit[] = [];
	const at = (offset: number): string => `${file}:${code.slice(0, offset).split("\n").length}`;
	const wrap = ({ start, end }: Node, mark: string, label: string) =>
		edits.push({ at: start, text: `${mark}(${JSON.stringify(label)}, ` }, { at: end, text: ")" });
	const program = parseAst(code, { lang: "ts" }) as unknown as Node;
	const imported = new Set<string>();
	walk(program, [], (node, parents) => {
		const parent = parents.at(-1);
		const place = at(node.start);
		if (node.type === "ImportSpecifier") imported.add(nameOf(node.local) ?? "");
		const guard = node.type === "Identifier" && imported.has(node.name as string) && GUARDS[node.name as keyof typeof GUARDS];
		if (guard && parent?.type !== "ImportSpecifier" && parent?.type !== "Property") {
			places.push({ kind: "guard", place, within: declarationOf(parents), name: node.name as string });
			wrap(node, guard, place);
		}
		if (isBuilder(node)) {
			places.push({ kind: "write", place, within: declarationOf(parents), name: "" });
			wrap(chainOf(node, parents), "mark", place);
		}
		if (isWrite(node)) {
			places.push({ kind: "write", place, within: declarationOf(parents), name: "" });
			wrap(node, "mark", place);
		}
		const condition = conditionIn(node, parent);
		if (condition) {
			places.push({ kind: "condition", place, within: declarationOf(parents), name: "" });
			wrap(condition, "markCondition", place);
		}
		const list = listIn(node);
		if (list) {
			for (const element of list.elements as Node[]) {
				if (element.type === "SpreadElement") continue;
				const name = elementName(element, code);
				places.push({ kind: "listed", place: at(element.start), within: declarationOf([...parents, node]), name });
				wrap(element, "markElement", at(element.start));
			}
			edits.push({ at: list.start, text: "markList(" }, { at: list.end, text: ")" });
		}
	});
	if (edits.length === 0) return { places, code };
	const marked = edits
		.map((edit, order) => ({ ...edit, order }))
		.sort((a, b) => b.at - a.at || (a.text === ")" ? 1 : 0) - (b.text === ")" ? 1 : 0) || b.order - a.order)
		.reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), code);
	return {
		places,
		code: `import { ${["mark", "markCondition", "markElement", "markList", ...Object.values(GUARDS)].join(", ")} } from ${JSON.stringify(MARKS)}; ${marked}`,
	};
}

const isMarked = (file: string): boolean =>
	file.startsWith("src/") && file.endsWith(".ts") && !file.endsWith(".d.ts") && !OUTSIDE.test(file);

/** Marks the sources as the tests load them. */
export const marking = (): Plugin => ({
	name: "mutations",
	enforce: "pre",
	transform(code, id) {
		const file = path.relative(ROOT, id);
		return isMarked(file) ? { code: markedSource(file, code).code, map: null } : undefined;
	},
});

export const sourcePlaces = (): Place[] =>
	globSync(SOURCES, { cwd: ROOT })
		.filter(isMarked)
		.sort()
		.flatMap((file) => markedSource(file, readFileSync(path.join(ROOT, file), "utf8")).places);

/** A CHECK or a trigger of the database. */
export type SchemaGuard = {
	readonly kind: "check" | "trigger";
	readonly place: string;
	readonly name: string;
	readonly table: string;
	/** What a trigger raises; null for a trigger that changes rows instead. */
	readonly reason: string | null;
};

/** The last migration that names a CHECK or a trigger counts. */
export function schemaGuards(): SchemaGuard[] {
	const found = new Map<string, SchemaGuard>();
	for (const file of globSync("migrations/*.sql", { cwd: ROOT }).sort()) {
		let table = "";
		for (const [index, line] of readFileSync(path.join(ROOT, file), "utf8").split("\n").entries()) {
			const place = `${file}:${index + 1}`;
			table = /CREATE TABLE [`"](\w+)[`"]/.exec(line)?.[1] ?? table;
			const check = /CONSTRAINT "(\w+)" CHECK/.exec(line)?.[1];
			if (check) found.set(check, { kind: "check", place, name: check, table, reason: null });
			const [, trigger, on = ""] = /CREATE TRIGGER [`"](\w+)[`"].*? ON [`"](\w+)[`"]/.exec(line) ?? [];
			const reason = /RAISE\(ABORT, '([^']+)'\)/.exec(line)?.[1] ?? null;
			if (trigger) found.set(trigger, { kind: "trigger", place, name: trigger, table: on, reason });
		}
	}
	return [...found.values()];
}
