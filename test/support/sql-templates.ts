// The texts of SQL templates in sources, and the columns that are named in them as text instead of through their tables.

import { parseSync } from "vite";

type Node = { readonly type?: string; readonly start?: number; readonly [key: string]: unknown };
/** The texts between the expressions; each starts with the character that ends what is before it. */
type Template = {
	readonly quasis: readonly { readonly value: { readonly raw: string }; readonly start: number }[];
	readonly expressions: readonly Node[];
};

/** The names that SQL text gives to rows and columns itself: of common table expressions, subqueries and `json_each`. */
const DEFINES = [/\bas\s+"?(\w+)"?/g, /\b(?:with|from|join)\s+(?:recursive\s+)?(\w+)/g, /[,)]\s*(\w+)\s+as\b/g, /\)\s+(\w+)\b/g];
const DEFINES_COLUMNS = /\b\w+\s*\(([\w\s,]+)\)\s+as\b/g;
/** Columns of `json_each`, and words of SQL that are columns too. */
const WORDS = new Set(["key", "value", "trigger", "number"]);

/** The names of columns in the database, and those of tables in sources. */
export type Schema = { readonly columns: ReadonlySet<string>; readonly tables: ReadonlySet<string> };

/** The columns that a source names as text in an SQL template, each with its line. */
export function textColumns(source: string, { columns, tables }: Schema): string[] {
	if (!source.includes("sql`")) return [];
	const templates = templatesIn(parseSync("source.ts", source).program as unknown as Node);
	const defined = new Set(templates.flatMap((template) => namesDefined(template, tables)));
	return templates
		.flatMap(({ quasis }) => quasis)
		.flatMap(({ value: { raw }, start }) =>
			Array.from(withoutLiterals(raw).matchAll(/(?<![\w.$"])(?:(\w+)\.)?([a-z]\w*)\b(?!\s*[(.])/g)).flatMap(
				({ 0: name, 1: of, 2: column = "", index }) => {
					const isText = columns.has(column) && !WORDS.has(column) && !(of === undefined ? defined.has(column) : defined.has(of));
					return isText ? [`${source.slice(0, start + 1 + index).split("\n").length}: ${name}`] : [];
				},
			),
		);
}

/** String literals blanked, so that positions stay. Names in double quotes are those of results. */
const withoutLiterals = (sql: string): string => sql.replaceAll(/'[^']*'|"[^"]*"/g, (text) => " ".repeat(text.length));

const namesDefined = ({ quasis, expressions }: Template, tables: Schema["tables"]): string[] => {
	const isTable = (expression: Node | undefined) => expression?.type === "Identifier" && tables.has(String(expression.name));
	// Behind a table a name is an alias of it; behind another expression, of the rows that it selects.
	const sql = quasis
		.map(({ value }, index) => `${value.raw.replaceAll(/'[^']*'/g, "''")}${isTable(expressions[index]) ? "$" : ")"}`)
		.join("");
	return [
		...DEFINES.flatMap((pattern) => Array.from(sql.matchAll(pattern), ([, name = ""]) => name)),
		...Array.from(sql.matchAll(DEFINES_COLUMNS), ([, list = ""]) => list.split(",").map((name) => name.trim())).flat(),
	];
};

/** The templates that are tagged `sql`. */
function templatesIn(node: Node): Template[] {
	const own = node.type === "TaggedTemplateExpression" && isSql(node.tag as Node) ? [node.quasi as unknown as Template] : [];
	const children = Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]));
	return [...own, ...children.filter((child): child is Node => typeof child === "object" && child !== null).flatMap(templatesIn)];
}

const isSql = ({ type, name }: Node): boolean => type === "Identifier" && name === "sql";
