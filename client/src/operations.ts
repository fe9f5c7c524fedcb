// What the client calls, in a text that is small when it is compressed. It walks through the parts of all paths: `/` goes deeper, each comma or
// line break goes back by one. After a part stand the names of its operations, each with `!` before it if it takes no credentials, else with
// a space. A name's verb says its method. Its signs are words of the path.

import type { OperationId } from "./errors.ts";
import type { Target } from "./sending.ts";

const METHODS: Readonly<Record<string, string>> = {
	list: "GET",
	get: "GET",
	set: "PUT",
	put: "PUT",
	update: "PATCH",
	change: "PATCH",
	delete: "DELETE",
	remove: "DELETE",
};

/** The method of an operation, unless its line says another. */
export const methodByName = (operation: string): string => METHODS[`${/[a-z]+/.exec(operation)}`] ?? "POST";

/** What the signs stand for: the last word of the path, that word for one thing, the word before it for one thing, and the last as a verb. */
export function signsOf(path: string): Readonly<Record<string, string>> {
	const [last = "", before = ""] = (path.match(/\/\w[^/]*/g) ?? []).reverse();
	const noun = (word: string) => word.replace(/[/-]./g, (start) => start.slice(1).toUpperCase());
	const one = (word: string) => noun(word).replace(/(ie)?s$/, (_, y) => (y ? "y" : ""));
	return { "*": noun(last), "+": one(last), "-": one(before), ".": last.slice(1) };
}

export function targets(text: string): Target[] {
	const parts = [""];
	return [...text.matchAll(/([,\n]*)\/?([^,\n/ !]+)([^,\n/]*)/g)].flatMap(([, back = "", part = "", names = ""]) => {
		parts.splice(parts.length - back.length, back.length, part);
		const path = parts.join("/");
		const signs = signsOf(path);
		return names.split(/(?=[ !])/).flatMap((name) => {
			const [said = "", method] = name.slice(1).split(":");
			const operation = said.replace(/[*+.-]/g, (sign) => signs[sign] ?? "") as OperationId;
			return said ? { operation, method: method ?? methodByName(operation), path, isPublic: name.startsWith("!") } : [];
		});
	});
}
