// What Drizzle, wrangler and Miniflare do not promise to keep: each such member is used in one file alone, whose first lines name it.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const USED_IN: Readonly<Record<string, readonly string[]>> = {
	"src/dev/runtime.ts": [
		"convertV4MiniflareOptions",
		"unstable_getMiniflareWorkerOptions",
		"unstable_readConfig",
		"unstable_splitSqlQuery",
	],
};
/** Members of the three that are private, internal, unstable or of an alpha, and have been or could be of use. */
const PRIVATE = /\b(unstable_\w+|convertV4MiniflareOptions|buildLimit|_prepare|mapFromDriverValue|customResultMapper|buildSelectQuery)\b/g;

it("members that are not promised are used in one file each, which says so at its beginning", () => {
	const files = ["src", "tools", "bench"].flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: "utf8" })
			.filter((name) => name.endsWith(".ts"))
			.map((name) => path.join(folder, name)),
	);
	const found = [...files, "vite.config.ts", "vitest.config.ts"].flatMap((file) => {
		const members = new Set([...readFileSync(file, "utf8").matchAll(PRIVATE)].map(([name]) => name));
		return members.size > 0 ? [[file, [...members].toSorted()] as const] : [];
	});
	expect(Object.fromEntries(found)).toEqual(USED_IN);
	for (const [file, members] of found) {
		const beginning = readFileSync(file, "utf8").split("\n\n", 1)[0];
		for (const member of members) expect(beginning, file).toContain(member);
	}
});
