// The conditions in the text of a statement: every conjunct of every WHERE of an insert, and of what a guard demands, but for those
// that only say which row is meant, or that end a recursion. Each can be made to hold always, in place, so that the parameters keep
// their positions.

export type Condition = { readonly start: number; readonly end: number; readonly text: string };

/** What `orStaleUnless` builds. */
const GUARD = /^select case when \(([\s\S]*)\) is not true then json\('stale write'\) end/;
const TOKEN = /\/\*[\s\S]*?\*\/|'(?:''|[^'])*'|"(?:""|[^"])*"|`[^`]*`|[a-z_][\w$]*|[()]|\s+|[\s\S]/gi;
/** What ends a WHERE, in addition to the end of its parentheses. */
const AFTER_WHERE = new Set(["returning", "on", "group", "order", "limit", "having", "union", "window", "do"]);
/** An insert, maybe with common table expressions before it. */
const INSERT = /^\s*(?:with\b[\s\S]*?\)\s*)?(?:insert|replace)\b/i;
const ALWAYS = /^(?:true|1|1 = 1)$/i;
/** `a.account_id = ?` */
const ADDRESS = /^(?:["\w]+\.)?"?(?:\w*_)?id"? (?:=|is) (?:\?|["\w]+\.\w*id)$/i;

type Token = { readonly text: string; readonly at: number };

const tokensOf = (sql: string): Token[] =>
	Array.from(sql.matchAll(TOKEN), ({ 0: text, index: at }) => ({ text: text.toLowerCase(), at })).filter(
		({ text }) => !/^(?:\s|\/\*)/.test(text),
	);

/** The index after the parenthesis that closes the one at `open`. */
function closing(tokens: readonly Token[], open: number): number {
	let depth = 0;
	for (let index = open; index < tokens.length; index++) {
		if (tokens[index]?.text === "(") depth++;
		if (tokens[index]?.text === ")" && --depth === 0) return index + 1;
	}
	return tokens.length;
}

/** The tokens `from` to `to` as conjuncts. A conjunct in parentheses is taken apart too. */
function conjunctsIn(tokens: readonly Token[], from: number, to: number): [number, number][] {
	if (tokens[from]?.text === "(" && closing(tokens, from) === to && tokens[from + 1]?.text !== "select")
		return conjunctsIn(tokens, from + 1, to - 1);
	const found: [number, number][] = [];
	let [start, cases, between] = [from, 0, false];
	for (let index = from; index < to; index++) {
		const { text = "" } = tokens[index] ?? {};
		if (text === "(") index = closing(tokens, index) - 1;
		else if (text === "case") cases++;
		else if (text === "end") cases--;
		else if (text === "between") between = true;
		else if (text === "or" && cases === 0) return [[from, to]];
		else if (text === "and" && cases === 0) {
			if (between) between = false;
			else {
				found.push([start, index]);
				start = index + 1;
			}
		}
	}
	const all: [number, number][] = [...found, [start, to]];
	return all.length === 1 ? all : all.flatMap(([one, other]) => conjunctsIn(tokens, one, other));
}

/** Where the WHERE that begins at `from` ends. */
function endOfWhere(tokens: readonly Token[], from: number, to: number): number {
	for (let index = from; index < to; index++) {
		const { text = "" } = tokens[index] ?? {};
		if (text === "(") index = closing(tokens, index) - 1;
		else if (text === ")" || AFTER_WHERE.has(text)) return index;
	}
	return to;
}

/** The index of the parenthesis that the one at `close` closes. */
function opening(tokens: readonly Token[], close: number): number {
	let depth = 0;
	for (let index = close; index >= 0; index--) {
		if (tokens[index]?.text === ")") depth++;
		if (tokens[index]?.text === "(" && --depth === 0) return index;
	}
	return 0;
}

/** Whether the table that is defined in these parentheses selects from itself. */
function isRecursive(tokens: readonly Token[], open: number): boolean {
	if (tokens[open - 1]?.text !== "as") return false;
	const named = tokens[open - 2]?.text === ")" ? opening(tokens, open - 2) - 1 : open - 2;
	const definition = tokens.slice(open, closing(tokens, open));
	return definition.some(({ text }, at) => text === "from" && definition[at + 1]?.text === tokens[named]?.text);
}

/** Whether the token stands in the definition of such a table: a condition there is what ends it. */
function isInRecursion(tokens: readonly Token[], at: number): boolean {
	let depth = 0;
	for (let index = at; index > 1; index--) {
		const { text } = tokens[index] ?? {};
		if (text === ")") depth++;
		else if (text === "(" && depth > 0) depth--;
		else if (text === "(" && isRecursive(tokens, index)) return true;
	}
	return false;
}

const normal = (text: string): string =>
	text
		.replace(/\/\*[\s\S]*?\*\//g, "")
		.replace(/\s+/g, " ")
		.replace(/\?(?:, \?)+/g, "?…")
		.trim();

/** The conditions of a write or of a guard, the outer ones first; none of another statement. */
export function conditionsIn(sql: string): Condition[] {
	const guard = GUARD.exec(sql);
	const tokens = tokensOf(sql);
	const found: [number, number][] = [];
	if (guard) {
		const conjuncts = conjunctsIn(tokens, 3, closing(tokens, 3));
		if (conjuncts.length > 1) found.push(...conjuncts);
	} else if (INSERT.test(sql)) {
		for (const [index, { text }] of tokens.entries())
			if (text === "where" && !isInRecursion(tokens, index))
				found.push(...conjunctsIn(tokens, index + 1, endOfWhere(tokens, index + 1, tokens.length)));
	}
	const times = new Map<string, number>();
	return found.flatMap(([from, to]) => {
		const [first, last] = [tokens[from], tokens[to - 1]];
		if (!first || !last || to <= from) return [];
		const [start, end] = [first.at, last.at + last.text.length];
		const text = normal(sql.slice(start, end));
		if (ALWAYS.test(text) || ADDRESS.test(text)) return [];
		const time = (times.get(text) ?? 0) + 1;
		times.set(text, time);
		return [{ start, end, text: time === 1 ? text : `${text} #${time}` }];
	});
}

export const isGuard = (sql: string): boolean => GUARD.test(sql);

/** The statement without its condition of this text; a guard with no text demands nothing. */
export function without(sql: string, text: string): string {
	if (text === "") return sql.replace("json('stale write')", "null");
	const condition = conditionsIn(sql).find((one) => one.text === text);
	return condition ? `${sql.slice(0, condition.start)}(${sql.slice(condition.start, condition.end)} or 1)${sql.slice(condition.end)}` : sql;
}
