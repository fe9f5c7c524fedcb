// Steps of query plans whose cost grows with a table. SQLite plans without statistics here, as D1 does: it takes ten rows for the first
// column of any index, so that an index of states, or an index that begins with the organization, can look cheaper than the meant one.

/** A step of a plan. Steps with the same parent are the loops of one join, the outer ones first, or what follows them. */
export type Step = { readonly id: number; readonly parent: number; readonly detail: string };

export type Index = {
	readonly name: string;
	readonly columns: readonly string[];
	readonly unique: boolean;
	/** Whether it has only the rows that meet a condition, and the columns that this names. */
	readonly partial: boolean;
	readonly conditions: readonly string[];
	/** The condition as it is written. */
	readonly where: string;
	readonly primary: boolean;
};

export type Schema = {
	readonly indexes: ReadonlyMap<string, readonly Index[]>;
	/** By table, the columns that have few values: states, kinds, yes or no. */
	readonly few: ReadonlyMap<string, ReadonlySet<string>>;
};

/** Columns that all rows of an organization, of an issuer, of a product or of an endpoint share, in every table. */
const SHARED = new Set(["organization_id", "home_organization_id", "currency", "issuer", "loan_product_id", "webhook_id", "event_type"]);

/** A statement in one line, without quotes around names, and without its texts. */
export const bareText = (statement: string): string =>
	statement
		.replaceAll(/'(?:[^']|'')*'/g, (text) => (/^'[A-Z_]+'$/.test(text) ? "'X'" : "''"))
		.replaceAll('"', "")
		.replaceAll(/\s+/g, " ")
		.trim();

/** A statement's words, without the names of tables before columns. */
export const words = (statement: string): string =>
	statement
		.replaceAll('"', "")
		.replaceAll(/\b\w+\.(?=\w)/g, "")
		.replaceAll(/\s+/g, " ");

/** The faults of a statement's plan. */
export function faultsIn(statement: string, steps: readonly Step[], schema: Schema): string[] {
	const text = bareText(statement);
	const named = namesIn(text, schema);
	return steps.flatMap((step) => {
		const fault = faultOf(step, steps, { statement, text }, named, schema);
		return fault === undefined ? [] : [`${step.detail}${fault}`];
	});
}

/** What is wrong with the step, after its own words; undefined for a step that is as it should be. */
function faultOf(
	step: Step,
	steps: readonly Step[],
	{ statement, text }: { statement: string; text: string },
	named: Named,
	schema: Schema,
): string | undefined {
	const { detail } = step;
	if (/TEMP B-TREE|AUTOMATIC/.test(detail)) return "";
	if (/^SCAN /.test(detail)) return isScanOfTable(detail, text, named) || isListBelowRows(step, steps, named, schema) ? "" : undefined;
	const search = searchOf(detail, named, schema);
	if (!search || isUnique(search)) return undefined;
	const { name, table, index, equal, bounded } = search;
	const few = schema.few.get(table);
	// A search by a bound alone is for work that falls due, or for a page.
	if (equal.length === 0 || !equal.every((column) => SHARED.has(column) || few?.has(column))) return undefined;
	if (!index?.partial && bounded.length === 0 && !/ limit /i.test(text) && equal.every((column) => few?.has(column)))
		return " (few values)";
	// An index with a condition serves what says the same in the same words.
	const said = words(statement);
	const serves = ({ where }: Index) => said.includes(where);
	const found = scopesOf(text, name).map((scope) => pastIndex(search, givenIn(scope, name, steps, step), schema, serves));
	// A name may stand for several tables of one statement, of which the plan does not say which it means.
	return found.every((fault) => fault !== undefined) ? found[0] : undefined;
}

/** Why the rows that the search finds are more than those that the given columns name; undefined if the index has all of these. */
function pastIndex(
	{ table, index, equal, bounded }: Search,
	given: ReadonlySet<string>,
	{ indexes, few }: Schema,
	serves: (other: Index) => boolean,
): string | undefined {
	const own = new Set([...equal, ...bounded, ...(index?.conditions ?? [])]);
	const past = [...given].filter((column) => !own.has(column));
	if (past.length === 0) return undefined;
	const better = indexes
		.get(table)
		?.find(
			(other) =>
				other.name !== index?.name &&
				serves(other) &&
				leading(other, given).some((column) => !own.has(column) && !few.get(table)?.has(column)),
		);
	return better ? ` (not by ${better.primary ? "the primary key" : better.name})` : ` (past ${past.sort().join()})`;
}

/** The columns with which an index begins that are all given. */
function leading({ columns }: Index, given: ReadonlySet<string>): readonly string[] {
	const end = columns.findIndex((column) => !given.has(column));
	return end === -1 ? columns : columns.slice(0, end);
}

function isScanOfTable(detail: string, text: string, named: Named): boolean {
	const [, name = "", how = ""] = /^SCAN (\S+)(.*)/.exec(detail) ?? [];
	if (!named.has(name) || how.includes("VIRTUAL TABLE")) return false;
	// With a limit, a scan in the order of an index stops at the end of the page.
	return !(how.includes("INDEX") && / limit /i.test(text));
}

type Search = {
	readonly name: string;
	readonly table: string;
	readonly index: Index | undefined;
	/** The columns that are searched by a value each. */
	readonly equal: readonly string[];
	/** The columns that are searched by bounds. */
	readonly bounded: readonly string[];
};

function searchOf(detail: string, named: Named, { indexes }: Schema): Search | undefined {
	const [, name = "", how = "", columns = ""] = /^SEARCH (\S+) USING (.+?)(?: \((.*)\))?(?: LEFT-JOIN)?$/.exec(detail) ?? [];
	const table = named.get(name);
	if (table === undefined) return undefined;
	const terms = columns === "" ? [] : columns.split(" AND ");
	const equal = terms.filter((term) => term.endsWith("=?")).map((term) => term.slice(0, -2));
	const key = /INDEX (\S+)/.exec(how)?.[1];
	const index = indexes.get(table)?.find((each) => (how === "PRIMARY KEY" ? each.primary : each.name === key));
	const bounded = terms.flatMap((term) => (term.endsWith("=?") ? [] : (term.split(/[<>]/)[0]?.match(/\w+/g) ?? [])));
	return { name, table, index, bounded, equal: how === "INTEGER PRIMARY KEY" ? ["rowid"] : equal };
}

const isUnique = ({ index, equal }: Search): boolean => index?.unique === true && equal.length >= index.columns.length;

/**
 * Whether a list that the statement is given is read again for each row that a search finds. Then the rows were not looked up by the list
 * but are as many as share the searched value. A search by a unique key finds one row at most.
 */
function isListBelowRows({ id, parent, detail }: Step, steps: readonly Step[], named: Named, schema: Schema): boolean {
	if (!/^SCAN \S+ VIRTUAL TABLE/.test(detail)) return false;
	return steps.some((outer) => {
		if (outer.parent !== parent || outer.id >= id) return false;
		const search = searchOf(outer.detail, named, schema);
		return search !== undefined && !isUnique(search);
	});
}

/** The tables that a statement reads, by their names and aliases. */
type Named = ReadonlyMap<string, string>;

const NO_ALIAS =
	/^(on|where|set|order|group|limit|left|inner|cross|join|indexed|union|using|returning|values|select|as|not|and|having|default)$/i;

function namesIn(text: string, { indexes }: Schema): Named {
	const names = new Map<string, string>();
	for (const [, table = "", alias] of text.matchAll(/(?=\b(?:from|join|into|update|,)\s*\(*\s*(\w+)(?: as)?(?: (\w+))?)/gi)) {
		if (!indexes.has(table)) continue;
		names.set(table, table);
		if (alias !== undefined && !NO_ALIAS.test(alias)) names.set(alias, table);
	}
	return names;
}

/**
 * The parts of the statement in which the name stands for a table: each a select with what is nested in it, but for what is nested there
 * and has the name for a table of its own.
 */
function scopesOf(text: string, name: string): string[] {
	const declared = new RegExp(`\\b(?:from|join|into|update|,) \\(*(?:\\w+ )?(?:as )?${name}\\b(?!\\.)`, "gi");
	const groups = new Set([...text.matchAll(declared)].map(({ index }) => groupAround(text, index).join()));
	const ends = [...groups].map((group) => group.split(",").map(Number) as [number, number]);
	return ends.map(([start, end]) => {
		const nested = ends.filter(([from, to]) => from > start && to < end);
		return nested.reduceRight(
			(left, [from, to]) => left.slice(0, from - start) + " ".repeat(to - from) + left.slice(to - start),
			text.slice(start, end),
		);
	});
}

/** The start and the end of the parenthesis around a place, or of the part of it between two unions. */
function groupAround(text: string, at: number): [number, number] {
	const isUnion = (index: number) => / union (all )?$/i.test(text.slice(index - 11, index));
	let start = at;
	for (let depth = 0; start > 0; start--) {
		if (text[start - 1] === ")") depth++;
		if (text[start - 1] === "(" && depth-- === 0) break;
		if (depth === 0 && isUnion(start)) break;
	}
	let end = at;
	for (let depth = 0; end < text.length; end++) {
		if (text[end] === "(") depth++;
		if (text[end] === ")" && depth-- === 0) break;
		if (depth === 0 && / union /i.test(text.slice(end, end + 7))) break;
	}
	return [start, end];
}

/** The columns of a table that the statement gives a value for: a parameter, or a column that an outer loop has. */
function givenIn(text: string, name: string, steps: readonly Step[], { id }: Step): ReadonlySet<string> {
	const later = new Set(steps.filter((step) => step.id > id).map(({ detail }) => /^(?:SCAN|SEARCH) (\S+)/.exec(detail)?.[1]));
	const isGiven = (value: string) => !later.has(/^(\w+)\.\w+$/.exec(value)?.[1] ?? "?") && !value.startsWith(`${name}.`);
	const column = `(?<![+\\w.])${name}\\.(\\w+)`;
	const values = "(\\?|'X'|\\d+|\\w+\\.\\w+|select|json_each)";
	const given = new Set<string>();
	for (const [, of = "", from = ""] of text.matchAll(new RegExp(`${column} (?:=|in) \\(? ?${values}`, "g")))
		if (isGiven(from)) given.add(of);
	for (const [, from = "", of = ""] of text.matchAll(new RegExp(`(?<![+\\w.])(\\w+\\.\\w+) = ${name}\\.(\\w+)`, "g")))
		if (isGiven(from)) given.add(of);
	return given;
}
