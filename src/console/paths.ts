// Which of the routes a path is, pure.

export type Params = Readonly<Record<string, string>>;

/** The parameters of a path under `/deliveries/:id`, or undefined if it is another. */
export function matchPath(pattern: string, path: string): Params | undefined {
	const wanted = pattern.split("/");
	const given = path.replace(/(?<=.)\/$/, "").split("/");
	if (wanted.length !== given.length) return undefined;
	const params: Record<string, string> = {};
	for (const [index, part] of wanted.entries()) {
		const value = given[index] ?? "";
		if (part.startsWith(":")) {
			try {
				params[part.slice(1)] = decodeURIComponent(value);
			} catch {
				return undefined;
			}
		} else if (part !== value) return undefined;
	}
	return params;
}
