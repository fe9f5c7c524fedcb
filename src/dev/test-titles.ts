// The tests of a source by their titles, as the ledger of promises names them.

/** The name of a test file as places have it, so that none changes when a file moves to another project of Vitest. */
export const nameOf = (file: string): string => file.replace(/^test\//, "").replace(/(?:(?:\.(?:node|workerd))?\.test)?\.ts$/, "");

const TITLE = String.raw`\(\s*(?:"((?:[^"\\\n]|\\.)*)"|\x60((?:[^\x60\\]|\\.)*)\x60|'((?:[^'\\\n]|\\.)*)')`;
const OPENING = new RegExp(String.raw`^(\t*)(describe|it|test)((?:\.\w+)*)(?:${TITLE}|[(<\x60])`, "gm");
const MADE_BY_CALL = new RegExp(String.raw`\)${TITLE}`);

export type Test = {
	/** Its own title, after those of its `describe`s. */
	readonly titles: readonly string[];
	/** Its text without the title. */
	readonly statement: string;
};

/** The tests of a source. The formatter's indentation shows the nesting, and where a test ends. */
export function testsIn(source: string): Test[] {
	const openings = [...source.matchAll(OPENING)];
	const around: { depth: number; title: string; skips: boolean }[] = [];
	return openings.flatMap((opening, index) => {
		const [text, tabs = "", kind, modifiers = ""] = opening;
		// `it.each(cases)("title", …)`: its title follows the first call, before the next test begins.
		const rest = opening.index + text.length;
		const called = titleIn(opening.slice(4)) === undefined ? MADE_BY_CALL.exec(source.slice(rest, openings[index + 1]?.index)) : undefined;
		const title = titleIn(opening.slice(4)) ?? titleIn(called?.slice(1) ?? []);
		while (around.length > 0 && (around.at(-1)?.depth ?? 0) >= tabs.length) around.pop();
		const skips = /\.(?:skip|todo)(?!\w)/.test(modifiers) || around.some((outer) => outer.skips);
		if (title === undefined) return [];
		const own = title.replace(/\\(["'`\\])/g, "$1");
		if (kind === "describe") around.push({ depth: tabs.length, title: own, skips });
		if (kind === "describe" || skips) return [];
		const titled = called ? rest + called.index + called[0].length : rest;
		const end = endOf(source, titled, tabs.length);
		const statement = source.slice(opening.index, titled).replace(title, "") + source.slice(titled, end);
		return [{ titles: [...around.map((outer) => outer.title), own], statement: statement.replaceAll(/\s+/g, " ").trim() }];
	});
}

const titleIn = (groups: readonly (string | undefined)[]): string | undefined => groups.find((title) => title !== undefined);

/** Where a statement ends of which a part ends at `from`: with its line, or with the next line that is indented as it is. */
function endOf(source: string, from: number, depth: number): number {
	const line = source.indexOf("\n", from);
	if (line < 0 || source[line - 1] === ";") return line < 0 ? source.length : line;
	const last = new RegExp(`^\t{${depth}}[^\t\n].*$`, "m").exec(source.slice(line));
	return last ? line + last.index + last[0].length : source.length;
}
