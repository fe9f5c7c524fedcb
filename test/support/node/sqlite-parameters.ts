// How many values a statement takes. Node binds NULL where one is missing, and D1 refuses.

const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\?(\d*)|([:@$]\w+)/g;

export function parametersOf(sql: string): number {
	let highest = 0;
	const named = new Set<string>();
	for (const [token, number, name] of sql.matchAll(TOKENS)) {
		if (name !== undefined) {
			if (named.has(name)) continue;
			named.add(name);
			highest++;
		} else if (token.startsWith("?")) highest = number ? Math.max(highest, Number(number)) : highest + 1;
	}
	return highest;
}
